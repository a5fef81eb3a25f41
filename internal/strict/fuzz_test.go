package strict

import (
	"errors"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"kneepoint/units/badinput"
)

// FuzzDecode: whatever the text, Decode says in one line what is wrong with it
// or reads a struct that Encode writes back.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"title = 'x'", "title = 'x'\nkind = 'street'\nfee = 0.1", "title = 1", "hours = [1, nan]", "days = [[]]",
		"title = 'x'\n[gate]\nwidth = 3", "[[car]]\nname = 'a'\n[[car]]\ndoors = 0", "car = [{}, 1]", "door = []",
		"prices = { a = { b = 1979-05-27T07:32:00Z } }", "lengths = { x = '1s', y = '2h' }", "speed = 'fast'", "camera = {}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table := map[string]any{}
		if _, err := toml.Decode(text, &table); err != nil {
			t.Skip("not TOML")
		}
		var first, second garage
		if err := Decode(table, &first); err != nil {
			if bad := (*badinput.Error)(nil); !errors.As(err, &bad) || !oneLine(err) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if err := Decode(Encode(&first), &second); err != nil {
			t.Fatalf("%v: %v", Encode(&first), err)
		}
		if diff := cmp.Diff(first, second, cmp.AllowUnexported(garage{}, car{})); diff != "" {
			t.Fatalf("-first +second:\n%s", diff)
		}
	})
}
