package badinput

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	if err := os.WriteFile(path, []byte("some text"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		path   string
		result error
		want   string
	}{
		"no file":      {path + "z", nil, path + "z: cannot be read: no such file or directory"},
		"a broken one": {path, io.ErrUnexpectedEOF, path + ": cannot be read: unexpected EOF"},
		"wrong input":  {path, &Error{Line: 3, Problem: "is wrong"}, path + ":3: is wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := ReadFile(c.path, 9, func(io.Reader) (string, error) { return "half", c.result })
			var wrong *Error
			if text != "" || !errors.As(err, &wrong) || err.Error() != c.want {
				t.Errorf("%s: %q, %v, want %s", name, text, err, c.want)
			}
		})
	}
	if _, err := ReadFile(path, 8, func(r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err }); err == nil ||
		!strings.Contains(err.Error(), "larger than") {
		t.Errorf("a larger file: %v", err)
	}
	if text, err := ReadText(path); string(text) != "some text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
	text, err := ReadFile(path, 9, func(r io.Reader) (string, error) { b, err := io.ReadAll(r); return string(b), err })
	if text != "some text" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestCSVLines reads records over several lines: the line is the file's own.
func TestCSVLines(t *testing.T) {
	table := csv.NewReader(strings.NewReader("a,b\n\n\"1\n2\",3\n4,5\n6,\"7\"8\n"))
	for range 3 {
		if _, err := table.Read(); err != nil {
			t.Fatal(err)
		}
	}
	err := AtRecord(&Error{Problem: "is wrong"}, table)
	if want := "line 5: is wrong"; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if other := errors.New("other"); AtRecord(other, table) != other || NotCSV(other) != other {
		t.Error("another error does not pass")
	}
	_, err = table.Read()
	if err = NotCSV(err); !strings.HasPrefix(err.Error(), "line 6: not CSV: ") {
		t.Errorf("%q has no line", err)
	}
}
