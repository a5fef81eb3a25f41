package strict

import (
	"errors"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"kneepoint/units/badinput"
)

// parse turns TOML into what Decode takes.
func parse(t testing.TB, text string) map[string]any {
	t.Helper()
	table := map[string]any{}
	if _, err := toml.Decode(text, &table); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return table
}

func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"required", ``, `title: missing`},
		{"unknown key, nearest", `titel = "x"`, `titel: unknown key; did you mean "title"?`},
		{"case matters", `Title = "x"`, `Title: unknown key; did you mean "title"?`},
		{"unexported field", `internal = 1`, `internal: unknown key; allowed: title, seed, open, kind, places, floors, height, used, green, fee, marked, metered, opens, disk, hours, days, door, gate, car, prices, lengths, speed`},
		{"unknown value", `kind = "hose"`, `kind = "hose": unknown value; allowed: one of house, street; did you mean "house"?`},
		{"value in another case", `kind = "House"`, `kind = "House": unknown value; allowed: one of house, street; did you mean "house"?`},
		{"unknown value of a list", `days = ["monday", "sunny"]`, `days[1] = "sunny": unknown value; allowed: one of monday, sunday; did you mean "sunday"?`},
		{"positive", `places = 0`, `places = 0: must be greater than 0`},
		{"positive, unsigned", `seed = 0`, `seed = 0: must be greater than 0`},
		{"nonnegative", `floors = -1`, `floors = -1: must not be negative`},
		{"fraction", `used = 1.5`, `used = 1.5: must be between 0 and 1`},
		{"share above", `green = 1.01`, `green = 1.01: must be greater than 0 and at most 1`},
		{"share zero", `green = 0`, `green = 0: must be greater than 0 and at most 1`},
		{"every number of a list", `hours = [1, -2.5]`, `hours[1] = -2.5: must not be negative`},
		{"quantities too", `opens = "-3s"`, `opens = "-3s": must not be negative`},
		{"only, default of the sibling", "title = 'x'\nfee = 1", `fee = 1: has no effect with kind = "house"; allowed: only with kind one of street, tower`},
		{"only, given sibling", "title = 'x'\nmarked = false\nkind = 'house'", `marked = false: has no effect with kind = "house"; allowed: only with kind one of street`},
		{"only, the second condition", "title = 'x'\nmetered = true\nkind = 'street'", `metered = true: has no effect with open = "false"; allowed: only with open one of true`},
		{"not a number", `height = nan`, `height = NaN: must be a finite number`},
		{"infinite", `height = -inf`, `height = -Inf: must be a finite number`},
		{"NaN is no fraction", `used = nan`, `used = NaN: must be a finite number`},
		{"float for int", `places = 1.5`, `places = 1.5: wrong kind of value; allowed: a whole number`},
		{"int too large", `floors = 9007199254740993`, `floors = 9007199254740993: too large; allowed: whole numbers below 2^53`},
		{"more than can be counted", `places = 1_000_000_001`, `places = 1000000001: too large; allowed: at most 1000000000`},
		{"number too large", `height = -1.1e18`, `height = -1.1e+18: too large; allowed: at most 1e+18`},
		{"number too small", `used = 9e-19`, `used = 9e-19: too small; allowed: 0, or from 1e-18 on`},
		{"quantity too large", `disk = "1e10GB"`, `disk = "1e10GB": too large; allowed: at most 1e+18`},
		{"duration too long", `opens = "366d"`, `opens = "366d": too long for a clock that tells nanoseconds: at most 365d`},
		{"negative for unsigned", `seed = -1`, `seed = -1: wrong kind of value; allowed: a whole number that is not negative`},
		{"string for number", `height = "3"`, `height = "3": wrong kind of value; allowed: a number`},
		{"number for string", `title = 3`, `title = 3: wrong kind of value; allowed: a string`},
		{"date for string", `title = 2024-01-01`, `title = 2024-01-01 00:00:00 +0000 date-local: wrong kind of value; allowed: a string`},
		{"string for bool", `open = "yes"`, `open = "yes": wrong kind of value; allowed: true or false`},
		{"number for quantity", `opens = 3`, `opens = 3: wrong kind of value; allowed: a string with a unit`},
		{"quantity without unit", `opens = "3"`, `opens = "3": not a quantity with a known unit: write a number and a unit, like "500ms", "2s" or "5m"`},
		{"scalar for list", `hours = 3`, `hours = 3: wrong kind of value; allowed: a list`},
		{"scalar for table", `door = 3`, `door = 3: wrong kind of value; allowed: a table`},
		{"list for table", `door = [3]`, `door = [3]: wrong kind of value; allowed: a table`},
		{"table for list", `car = { name = "x" }`, `car = {name = "x"}: wrong kind of value; allowed: a list`},
		{"scalar for map", `prices = 1`, `prices = 1: wrong kind of value; allowed: a table`},
		{"value of a map", `lengths = { "a.b" = 1 }`, `lengths."a.b" = 1: wrong kind of value; allowed: a string with a unit`},
		{"nested table", `gate = { width = 0 }`, `gate.width = 0: must be greater than 0`},
		{"nested unknown key", `door = { with = 0 }`, `door.with: unknown key; did you mean "width"?`},
		{"table in a list", "[[car]]\nname = 'a'\n[[car]]\nname = 'b'\ndoors = -1", `car[1].doors = -1: must be greater than 0`},
		{"required in a list", "[[car]]\ncolour = 'red'", `car[0].name: missing`},
		{"embedded struct", "[[car]]\nname = 'a'\ncolour = 'rd'", `car[0].colour = "rd": unknown value; allowed: one of red, blue; did you mean "red"?`},
		{"Validate", `gate = { width = 6, lock = "none" }`, `gate.lock = "none": a wide door needs one`},
		{"own decoder", `speed = -3`, `speed = -3: must be "fast" or a number greater than 0`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Decode(parse(t, c.text), &garage{})
			if err == nil {
				t.Fatalf("%s: accepted", c.text)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
			}
			if bad := (*badinput.Error)(nil); !errors.As(err, &bad) {
				t.Errorf("%s: %T is not a *badinput.Error", c.text, err)
			}
		})
	}
}

func TestDecode(t *testing.T) {
	var got garage
	err := Decode(parse(t, `
title = "central"
seed = 9007199254740991
open = true
kind = "street"
places = 12.0
height = 3
used = 1
fee = 0.5
opens = "90min"
hours = [0, 1.5]
days = ["sunday"]
prices = { "a.b" = [1, "x"] }
lengths = { x = "2s" }
speed = "fast"
[gate]
lock = "none"
[[car]]
name = "first"
colour = "blue"
[[car]]
name = "second"
doors = 4
`), &got)
	if err != nil {
		t.Fatal(err)
	}
	four := 4
	want := garage{
		Title: "central", Seed: 1<<53 - 1, Open: true, Kind: "street", Places: 12, Height: 3, Used: 1, Fee: 0.5,
		Green: 0.5, Disk: 1e9, // defaults
		Opens: 5400, Hours: []float64{0, 1.5}, Days: []string{"sunday"},
		Door:   door{Width: 2},
		Gate:   &door{Width: 2, Lock: "none"},
		Cars:   []car{{Name: "first", common: common{"blue"}}, {Name: "second", Doors: &four}},
		Prices: map[string]any{"a.b": []any{int64(1), "x"}}, Lengths: lengths{"x": 2}, Speed: -1,
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(garage{}, car{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDecodeIsDeterministic: of several mistakes the first key is named.
func TestDecodeIsDeterministic(t *testing.T) {
	for range 20 {
		err := Decode(parse(t, "title = 'x'\nzzz = 1\naaaaaaaaa = 1\nplaces = 0"), &garage{})
		if bad := (*badinput.Error)(nil); !errors.As(err, &bad) || bad.Key != "aaaaaaaaa" {
			t.Fatalf("names %v", err)
		}
	}
}

// TestLongText: a text is bounded.
func TestLongText(t *testing.T) {
	for n, want := range map[int]bool{longestText: true, longestText + 1: false} {
		if err := Decode(map[string]any{"title": strings.Repeat("x", n)}, &garage{}); (err == nil) != want {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}
