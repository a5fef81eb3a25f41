package chart

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

func TestArrange(t *testing.T) {
	tests := []struct {
		name  string
		slots []slot
		want  []vg.Length
	}{
		{"free", []slot{{20, 10, 1}, {60, 10, 1}}, []vg.Length{20, 60}},
		{"two at one place", []slot{{50, 10, 1}, {50, 10, 1}}, []vg.Length{45, 55}},
		{"order of wishes", []slot{{51, 10, 1}, {49, 10, 1}}, []vg.Length{55, 45}},
		{"at the bottom", []slot{{0, 10, 1}, {0, 10, 1}}, []vg.Length{5, 15}},
		{"at the top", []slot{{100, 10, 1}, {99, 20, 1}}, []vg.Length{95, 80}},
		{"a heavy one stays", []slot{{50, 10, 1e9}, {51, 10, 1}}, []vg.Length{50, 60}},
	}
	for _, tt := range tests {
		for i, got := range arrange(tt.slots, 0, 100) {
			if math.Abs(float64(got-tt.want[i])) > 1e-6 {
				t.Errorf("%s: slot %d at %g, want %g", tt.name, i, got, tt.want[i])
			}
		}
	}
}

func TestArrangedLabelsNeverOverlap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) slot {
			return slot{
				want:   vg.Length(rapid.Float64Range(-50, 250).Draw(t, "want")),
				height: vg.Length(rapid.Float64Range(1, 20).Draw(t, "height")),
				weight: rapid.SampledFrom([]float64{1, boundWeight}).Draw(t, "weight"),
			}
		}), 1, 10).Draw(t, "slots")
		const room = 200
		centres := arrange(slots, 0, room)
		for i, a := range slots {
			if bottom, top := centres[i]-a.height/2, centres[i]+a.height/2; bottom < -1e-6 || top > room+1e-6 {
				t.Fatalf("slot %d reaches from %g to %g", i, bottom, top)
			}
			for j, b := range slots[:i] {
				apart := math.Abs(float64(centres[i] - centres[j]))
				if apart < float64(a.height+b.height)/2-1e-6 {
					t.Fatalf("slots %d and %d overlap at %g and %g", j, i, centres[j], centres[i])
				}
			}
		}
	})
}

func TestPlaceKeepsClear(t *testing.T) {
	room := &clutter{bounds: vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}}
	room.addLine([]vg.Point{{X: 0, Y: 0}, {X: 200, Y: 100}}, 2)
	dot := vg.Point{X: 100, Y: 50}
	room.addDot(dot, 4)
	for i := range 4 {
		r, collision := room.freest(dot, vg.Point{X: 20, Y: 10}, []vg.Length{6, 11, 17}, aroundDot)
		if collision != 0 {
			t.Fatalf("label %d collides by %g", i, collision)
		}
		for j, box := range room.boxes {
			if overlap(r, box) {
				t.Fatalf("label %d at %v lies on box %d at %v", i, r, j, box)
			}
		}
		room.boxes = append(room.boxes, r)
	}
}

func TestPlaceStaysInBounds(t *testing.T) {
	room := &clutter{bounds: vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}}
	r, collision := room.freest(vg.Point{X: 199, Y: 99}, vg.Point{X: 30, Y: 10}, []vg.Length{3}, aroundDot)
	if collision != 0 || r.Max.X > 200 || r.Max.Y > 100 {
		t.Errorf("label in the corner at %v collides by %g", r, collision)
	}
}

func TestWrap(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[0], nil)
	style := s.Text(1, s.Ink)
	room := style.Width("with-chunked-prefill")
	for _, text := range []string{"static", "continuous-with-chunked-prefill", "one two three four five six seven eight",
		"unbreakablenamethatislongerthanthewholecolumnhas"} {
		lines := wrap(text, style, room, 2)
		for _, line := range lines {
			if len(lines) > 2 || style.Width(line) > room {
				t.Errorf("%q becomes %q, wider than %g", text, lines, room)
			}
		}
	}
	if lines := wrap("outputs exponential 3,740 tok", style, style.Width("outputs exponential 3,740")*0.95, 2); lines[1] != "3,740 tok" {
		t.Errorf("a number is broken: %q", lines)
	}
	a := shorten("the-same-long-beginning-a", style, room/2)
	b := shorten("the-same-long-beginning-b", style, room/2)
	if a == b {
		t.Errorf("two names are both shortened to %q", a)
	}
}
