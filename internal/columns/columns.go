// Package columns finds the columns of a CSV file by the names in its header.
//
// It knows headers. It must not know what the columns mean.
package columns

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// Header reads the names in the first row of a table. A table without one, and what Names refuses, is a
// *badinput.Error.
func Header(table *csv.Reader) ([]string, error) {
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil, &badinput.Error{Problem: "is empty", Allowed: "a header and rows"}
	}
	if err != nil {
		return nil, badinput.NotCSV(err)
	}
	return Names(header)
}

// Names are the names in a header, without blanks around them and a byte order mark. A
// name that stands there twice is a *badinput.Error: of two columns it is not known
// which is meant.
func Names(header []string) ([]string, error) {
	names := make([]string, len(header))
	for i, name := range header {
		if i == 0 {
			name = strings.TrimPrefix(name, "\ufeff")
		}
		names[i] = strings.TrimSpace(name)
		if names[i] != "" && slices.Contains(names[:i], names[i]) {
			return nil, &badinput.Error{Line: 1, Key: names[i], Problem: "stands twice in the header", Allowed: "each column once"}
		}
	}
	return names, nil
}

// Find is the indices of the columns that must be there. One that is missing is a
// *badinput.Error.
func Find(names []string, wanted ...string) ([]int, error) {
	var indices []int
	for _, name := range wanted {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, &badinput.Error{
				Line:    1,
				Problem: fmt.Sprintf("no column %q", name),
				Allowed: "a header with " + strings.Join(wanted, ","),
				Nearest: badinput.Nearest(name, names),
			}
		}
		indices = append(indices, i)
	}
	return indices, nil
}
