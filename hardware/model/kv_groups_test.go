package model

import (
	"testing"

	"kneepoint/units/paging"
)

// TestKVGroups: the groups of published models, as vLLM forms them. Those of Gemma 3
// 27B are padded: 70 places for 62 layers.
func TestKVGroups(t *testing.T) {
	for _, c := range []struct {
		name   string
		a      Architecture
		want   paging.Windows
		layers int
	}{
		{"mistral-7b-v0.1", Architecture{Layers: 32, Window: 4096, WindowLayers: 32}, paging.Windows{Tokens: 4096, Groups: 1}, 32},
		{"gemma-3-27b", Architecture{Layers: 62, Window: 1024, WindowLayers: 52}, paging.Windows{Tokens: 1024, Groups: 6, Full: 1}, 10},
		{"gpt-oss-20b", Architecture{Layers: 24, Window: 128, WindowLayers: 12}, paging.Windows{Tokens: 128, Groups: 1, Full: 1}, 12},
		{"12 of 25", Architecture{Layers: 25, Window: 128, WindowLayers: 12}, paging.Windows{Tokens: 128, Groups: 1, Full: 1}, 13},
		{"none", Architecture{Layers: 32}, paging.Windows{}, 32},
	} {
		if w, layers := c.a.KVGroups(); w != c.want || layers != c.layers {
			t.Errorf("%s: %+v of %d layers, want %+v of %d", c.name, w, layers, c.want, c.layers)
		}
	}
}
