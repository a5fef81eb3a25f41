package hardware

import "strings"

// unsupported are chips that people ask for by name and that the cost model does not describe, and why.
var unsupported = []struct{ prefix, why string }{
	{"groq", onChip}, {"cerebras", onChip}, {"wse", onChip},
}

const onChip = "keeps weights in on-chip memory and moves activations between chips by a fixed schedule, " +
	"so that no bandwidth of a memory, which times here rest on, bounds a step, and its vendor publishes no kernels' times"

// whyUnsupported is why a chip is not in the catalog; empty where nothing is known of it.
func whyUnsupported(name string) string {
	for _, u := range unsupported {
		if strings.HasPrefix(name, u.prefix) {
			return u.why
		}
	}
	return ""
}
