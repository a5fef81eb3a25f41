package experiments

import (
	"os"
	"strings"
	"testing"
)

// TestLoadByName: experiments that come with kneepoint are found by their names, beside a
// folder that is called so too; other folders are none.
func TestLoadByName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range Names() {
		if f, err := Load(name); err != nil || f.Name != name || strings.Contains(name, ".") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, folder := range []string{"quickstart", "other"} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Load("quickstart"); err != nil {
		t.Errorf("beside a folder of the same name: %v", err)
	}
	if _, err := Load("other"); err == nil || strings.Contains(err.Error(), "no such file") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Load("quickstar"); err == nil || !strings.Contains(err.Error(), `did you mean "quickstart"`) {
		t.Errorf("a misspelled name: %v", err)
	}
}
