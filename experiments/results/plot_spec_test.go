package results

import "testing"

// TestPlotName: dots are part of a name, but for the three endings.
func TestPlotName(t *testing.T) {
	for file, want := range map[string][2]string{
		"a":          {"a", ""},
		"a.png":      {"a", ".png"},
		"a.svg":      {"a", ".svg"},
		"a.b.pdf":    {"a.b", ".pdf"},
		"llama-3.1":  {"llama-3.1", ""},
		"a.png.v2":   {"a.png.v2", ""},
		"a.png.svg":  {"a.png", ".svg"},
		"qwen2.5.7b": {"qwen2.5.7b", ""},
	} {
		s := PlotSpec{File: file}
		if name, ending := s.Name(); name != want[0] || ending != want[1] {
			t.Errorf("%s is %q with %q, want %q", file, name, ending, want)
		}
	}
}

// TestPlotNameIsTaken: a figure has a table and a caption beside it, with other endings.
func TestPlotNameIsTaken(t *testing.T) {
	for file, want := range map[string]bool{"results": true, "Results.svg": true, "runs.png": true, "requests": true, "points.pdf": true, "results.v2": false, "my-runs": false} {
		s := PlotSpec{File: file}
		if s.IsTaken() != want {
			t.Errorf("%s is taken: %v, want %v", file, !want, want)
		}
	}
}

// TestPlotKindsDiffer: no kind stands twice in the list.
func TestPlotKindsDiffer(t *testing.T) {
	known := map[string]bool{}
	for _, kind := range PlotKinds {
		if known[kind] {
			t.Errorf("%s stands twice", kind)
		}
		known[kind] = true
	}
}
