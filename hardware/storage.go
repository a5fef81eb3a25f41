package hardware

import (
	"strings"
	"sync"

	"kneepoint/internal/catalog"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Storage is where the weights of a model are read from when an engine starts.
type Storage struct {
	Name      string               `toml:"name"` // of a class; empty for a bandwidth of the user's own
	Title     string               `toml:"title"`
	Bandwidth units.BytesPerSecond `toml:"bandwidth"` // that a loader gets out of it
	Estimated bool                 `toml:"estimated"` // a class value, not measured
	Source    string               `toml:"source"`
}

var storages = sync.OnceValues(func() ([]Storage, error) {
	var file struct {
		Storage []Storage `toml:"storage"`
	}
	err := catalog.Decode(catalogFiles, "catalog/storage.toml", &file)
	return file.Storage, err
})

// Storages lists the names of the classes of storage.
func Storages() []string {
	all, err := storages()
	if err != nil {
		return nil
	}
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	return names
}

// ParseStorage returns the class of storage of that name, or one of the
// bandwidth that the text states ("2GB/s"). Errors are *badinput.Error without a
// key.
func ParseStorage(text string) (Storage, error) {
	all, err := storages()
	if err != nil {
		return Storage{}, err
	}
	name := strings.TrimSpace(text)
	for _, s := range all {
		if strings.EqualFold(s.Name, name) {
			return s, nil
		}
	}
	bandwidth, err := units.ParseBytesPerSecond(name)
	switch {
	case err != nil:
		return Storage{}, &badinput.Error{Value: text, Problem: "neither storage nor a bandwidth",
			Allowed: "one of " + strings.Join(Storages(), ", ") + `, or a bandwidth like "2GB/s"`, Nearest: badinput.Nearest(name, Storages())}
	case bandwidth <= 0:
		return Storage{}, &badinput.Error{Value: text, Problem: "must be greater than 0"}
	}
	return Storage{Bandwidth: bandwidth}, nil
}
