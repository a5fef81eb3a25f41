package validate

import (
	"path/filepath"

	"kneepoint/units/badinput"
)

// Read reads the measurements in dir: e2e/experiments.csv and
// silicon/closed_loop.csv, of which one may be absent. What is wrong in them is a
// *badinput.Error with file, line and column.
func Read(dir string) ([]Case, error) {
	var cases []Case
	var missing error
	found := false
	for _, set := range []struct {
		path string
		read func(dir string) ([]Case, error)
	}{
		{filepath.Join("e2e", "experiments.csv"), readE2E},
		{filepath.Join("silicon", "closed_loop.csv"), readSilicon},
	} {
		if !exists(filepath.Join(dir, set.path)) {
			missing = &badinput.Error{
				File:    dir,
				Problem: "holds no measurements",
				Allowed: "a folder with e2e/experiments.csv or silicon/closed_loop.csv",
			}
			continue
		}
		found = true
		more, err := set.read(dir)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	if !found {
		return nil, missing
	}
	return cases, nil
}
