package strict

import (
	"errors"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// garage has a field of every kind and every tag.
type garage struct {
	Title    string         `toml:"title" required:"true"`
	Seed     uint64         `toml:"seed" check:"positive"`
	Open     bool           `toml:"open"`
	Kind     string         `toml:"kind" oneof:"house @roads"`
	Places   int            `toml:"places" check:"positive"`
	Floors   int            `toml:"floors" check:"nonnegative"`
	Height   float64        `toml:"height"`
	Used     float64        `toml:"used" check:"fraction"`
	Green    float64        `toml:"green" check:"share"`
	Fee      float64        `toml:"fee" check:"positive" only:"kind=@roads,tower"`
	Marked   bool           `toml:"marked" only:"kind=street"`
	Metered  bool           `toml:"metered" only:"kind=street open=true"`
	Opens    units.Seconds  `toml:"opens" check:"nonnegative"`
	Disk     units.Bytes    `toml:"disk" check:"positive"`
	Hours    []float64      `toml:"hours" check:"nonnegative"`
	Days     []string       `toml:"days" oneof:"monday sunday"`
	Door     door           `toml:"door"`
	Gate     *door          `toml:"gate"`
	Cars     []car          `toml:"car"`
	Prices   map[string]any `toml:"prices"`
	Lengths  lengths        `toml:"lengths"`
	Speed    speed          `toml:"speed"`
	internal int
}

// Words are the kinds that are roads.
func (g *garage) Words(list string) []string { return map[string][]string{"roads": {"street"}}[list] }

type lengths map[string]units.Seconds

func (g *garage) SetDefaults() {
	g.Seed, g.Kind, g.Places, g.Green, g.Disk = 7, "house", 3, 0.5, 1e9
	g.Door.SetDefaults()
}

type door struct {
	Width float64 `toml:"width" check:"positive"`
	Lock  string  `toml:"lock"`
}

func (d *door) SetDefaults() { d.Width = 2 }

func (d *door) Validate() error {
	if d.Lock == "none" && d.Width > 5 {
		return &badinput.Error{Key: "lock", Value: d.Lock, Problem: "a wide door needs one"}
	}
	return nil
}

type car struct {
	Name  string `toml:"name" required:"true"`
	Doors *int   `toml:"doors" check:"positive"`
	common
}

type common struct {
	Colour string `toml:"colour" oneof:"red blue"`
}

// speed is written as "fast" or as a number; zero means "not given".
type speed float64

func (s *speed) DecodeTOML(v any) error {
	x, ok := asNumber(v)
	switch {
	case v == "fast":
		*s = -1
	case ok && x > 0:
		*s = speed(x)
	default:
		return errors.New(`must be "fast" or a number greater than 0`)
	}
	return nil
}

func (s speed) EncodeTOML() any {
	if s == -1 {
		return "fast"
	}
	return float64(s)
}

// oneLine reports whether a message has one line.
func oneLine(err error) bool { return !strings.ContainsAny(err.Error(), "\n") }
