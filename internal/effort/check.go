package effort

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Check draws random cases of a property: n times as many as rapid does by default, or as
// -rapid.checks says, and at least that many. They follow from one seed, which -rapid.seed or
// RAPID_SEED sets.
func Check(t *testing.T, n int, property func(*rapid.T)) {
	t.Helper()
	checks := flag.Lookup("rapid.checks").Value
	usual := checks.String()
	once, err := strconv.Atoi(usual)
	if err == nil {
		err = checks.Set(strconv.Itoa(Times(t, n) * once))
	}
	if err != nil {
		t.Fatal(err)
	}
	defer checks.Set(usual)
	rapid.Check(t, property)
}
