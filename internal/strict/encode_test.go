package strict

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kneepoint/units"
)

func TestEncodeLeavesOutWhatDecodeRefuses(t *testing.T) {
	got := Encode(&garage{Kind: "house", Fee: 3, Gate: &door{}, internal: 3})
	want := map[string]any{
		"title": "", "open": false, "kind": "house", "floors": int64(0), "height": 0.0, "used": 0.0, "opens": "0s",
		"door": map[string]any{"lock": ""}, "gate": map[string]any{"lock": ""},
		// not seed, places, green, disk: zero is no value of theirs; not fee,
		// marked: nothing beside a house
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestRoundTrip: a table that Decode takes is read, written, and read again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var first, second, third garage
		if err := Decode(drawTable(t), &first); err != nil {
			t.Fatal(err)
		}
		table := Encode(&first)
		if err := Decode(table, &second); err != nil {
			t.Fatalf("%v: %v", table, err)
		}
		same(t, first, second)
		text, err := toml.Marshal(table)
		if err != nil {
			t.Fatal(err)
		}
		table = map[string]any{}
		if err := toml.Unmarshal(text, &table); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if err := Decode(table, &third); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		same(t, first, third)
	})
}

func same(t *rapid.T, want, got garage) {
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(garage{}, car{})); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
}

// drawTable draws a valid table; any key may be missing.
func drawTable(t *rapid.T) map[string]any {
	kind := rapid.SampledFrom([]string{"house", "street"}).Draw(t, "kind")
	number := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(-1e9, -1e-9), rapid.Float64Range(1e-9, 1e9))
	positive := rapid.Float64Range(1e-9, 1e9)
	whole := rapid.Int64Range(1, 1e9)
	text := rapid.StringMatching(`[ -~äß]{0,8}`)
	seconds := rapid.Map(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-18, 1e6)), func(x float64) string {
		s, _ := units.Seconds(x).MarshalText()
		return string(s)
	})
	table := map[string]any{"title": text.Draw(t, "title")}
	draw := func(key string, g *rapid.Generator[any]) {
		if rapid.Bool().Draw(t, "with "+key) {
			table[key] = g.Draw(t, key)
		}
	}
	draw("kind", rapid.Just[any](kind))
	draw("seed", rapid.Int64Range(1, 1<<53-1).AsAny())
	draw("open", rapid.Bool().AsAny())
	draw("places", whole.AsAny())
	draw("floors", rapid.Int64Range(0, 3).AsAny())
	draw("height", number.AsAny())
	draw("used", rapid.Float64Range(1e-9, 1).AsAny())
	draw("green", rapid.Float64Range(1e-3, 1).AsAny())
	draw("opens", seconds.AsAny())
	draw("hours", rapid.SliceOfN(rapid.Float64Range(1e-9, 24).AsAny(), 0, 3).AsAny())
	draw("days", rapid.SliceOfN(rapid.SampledFrom([]any{"monday", "sunday"}), 0, 3).AsAny())
	draw("lengths", rapid.MapOfN(text, seconds.AsAny(), 0, 3).AsAny())
	draw("prices", rapid.MapOfN(text, rapid.SliceOfN(number.AsAny(), 0, 3).AsAny(), 0, 3).AsAny())
	draw("gate", drawDoor(positive))
	draw("door", drawDoor(positive))
	draw("speed", rapid.OneOf(positive.AsAny(), rapid.Just[any]("fast")))
	draw("car", rapid.SliceOfN(rapid.Custom(drawCar), 0, 3).AsAny())
	if table["kind"] == "street" {
		draw("fee", positive.AsAny())
		draw("marked", rapid.Bool().AsAny())
	}
	return table
}

func drawDoor(width *rapid.Generator[float64]) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		d := map[string]any{}
		if rapid.Bool().Draw(t, "with width") {
			d["width"] = width.Draw(t, "width")
		}
		return d
	})
}

func drawCar(t *rapid.T) map[string]any {
	c := map[string]any{"name": rapid.StringMatching(`[a-z]{0,5}`).Draw(t, "name")}
	if rapid.Bool().Draw(t, "with doors") {
		c["doors"] = rapid.Int64Range(1, 5).Draw(t, "doors")
	}
	if rapid.Bool().Draw(t, "with colour") {
		c["colour"] = rapid.SampledFrom([]string{"red", "blue"}).Draw(t, "colour")
	}
	return c
}
