package calibrate

import (
	"fmt"
	"maps"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// profile is the table of an engine profile as its file has it: the engine that
// it is like, and the parameters that differ.
type profile map[string]any

// baseProfile is the profile that a fit starts from: one that is like a catalog
// engine in everything, or the one in a file.
func baseProfile(name string) (profile, hardware.Engine, error) {
	start, err := hardware.LookupEngine(name)
	if err != nil {
		return nil, start, err
	}
	for _, known := range hardware.Engines() {
		if strings.EqualFold(known, strings.TrimSpace(name)) {
			return profile{"like": start.Name}, start, nil
		}
	}
	text, err := badinput.ReadText(name)
	if err != nil {
		return nil, start, badinput.Unreadable(name, err)
	}
	base := profile{}
	if _, err := toml.Decode(string(text), (*map[string]any)(&base)); err != nil {
		return nil, start, &badinput.Error{File: name, Problem: "is not TOML"}
	}
	return base, start, nil
}

// textWith is the text of the profile with parameters as an engine has them. "like"
// comes first, since the rest is read as changes to it.
func (p profile) textWith(moved []parameter, e *hardware.Engine) (string, error) {
	table := maps.Clone(p)
	for _, m := range moved {
		table[m.key] = m.text(m.get(e))
	}
	delete(table, "like")
	var text strings.Builder
	fmt.Fprintf(&text, "like = %q\n", p["like"])
	encoder := toml.NewEncoder(&text)
	encoder.Indent = ""
	err := encoder.Encode(map[string]any(table))
	return text.String(), err
}
