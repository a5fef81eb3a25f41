package hardware

import (
	"sync"

	"kneepoint/internal/catalog"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Interconnect is what keys and values of requests take from one replica to another.
type Interconnect struct {
	Name      string               `toml:"name"`
	Title     string               `toml:"title"`
	Bandwidth units.BytesPerSecond `toml:"bandwidth"` // that a transfer engine gets out of it, for each accelerator
	Estimated bool                 `toml:"estimated"` // a class value, not measured
	Source    string               `toml:"source"`
}

var interconnects = sync.OnceValues(func() ([]Interconnect, error) {
	var file struct {
		Interconnect []Interconnect `toml:"interconnect"`
	}
	err := catalog.Decode(catalogFiles, "catalog/interconnects.toml", &file)
	return file.Interconnect, err
})

// Interconnects lists the names of all interconnects.
func Interconnects() []string {
	all, _ := interconnects()
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	return names
}

// LookupInterconnect is the interconnect of this name. Errors are *badinput.Error without a
// key.
func LookupInterconnect(name string) (Interconnect, error) {
	all, err := interconnects()
	if err != nil {
		return Interconnect{}, err
	}
	for _, c := range all {
		if c.Name == name {
			return c, nil
		}
	}
	return Interconnect{}, &badinput.Error{Value: name, Problem: "unknown interconnect",
		Nearest: badinput.Nearest(name, Interconnects())}
}
