package hardware

import (
	"errors"
	"os"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// LoadCustom reads an accelerator of one's own from a TOML file, which holds what a
// [hardware.custom] table does (see Custom), and may say of a device what an estimate reads and a
// simulated run does not: battery_wh and throttle. What is wrong with the file is a
// *badinput.Error about the key "accelerator", whose value is the path.
func LoadCustom(path string) (Accelerator, error) {
	a, err := loadCustom(path)
	if err != nil {
		return Accelerator{}, &badinput.Error{Key: "accelerator", Value: path, Problem: err.Error()}
	}
	return a, nil
}

func loadCustom(path string) (Accelerator, error) {
	text, err := badinput.ReadText(path)
	if err != nil {
		var p *os.PathError
		if errors.As(err, &p) {
			err = p.Err
		}
		return Accelerator{}, &badinput.Error{Problem: "cannot be read: " + err.Error()}
	}
	if strict.TooDeep(string(text)) {
		return Accelerator{}, &badinput.Error{Problem: "is no accelerator: lists and tables within each other"}
	}
	table := map[string]any{}
	if _, err := toml.Decode(string(text), &table); err != nil {
		return Accelerator{}, &badinput.Error{Problem: "is not TOML: " + firstLine(err),
			Allowed: "fields of an accelerator, like `kneepoint show h100-sxm` prints them"}
	}
	a, _, err := described(table)
	return a, err
}
