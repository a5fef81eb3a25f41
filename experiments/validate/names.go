package validate

import (
	"regexp"
	"slices"
	"strings"

	"kneepoint/hardware"
)

// accelerator finds the accelerator of the catalog that a measurement calls
// something like "H100-SXM5-80GB" or "h200_sxm": the one with the most words in
// its name, of those whose words are all there. A form factor that is not there
// is taken to be SXM, and memory the larger one.
func accelerator(written string) (*hardware.Accelerator, bool) {
	there := words(written)
	for _, assumed := range [][]string{nil, {"sxm"}, {"sxm", "80"}} {
		best := ""
		for _, name := range hardware.Accelerators() {
			wanted := words(name)
			if len(wanted) > len(words(best)) && subset(wanted, slices.Concat(there, assumed)) {
				best = name
			}
		}
		if a, err := hardware.LookupAccelerator(best); best != "" && err == nil {
			return &a, true
		}
	}
	return nil, false
}

var (
	wordOf   = regexp.MustCompile(`[a-z0-9]+`)
	memoryOf = regexp.MustCompile(`^(\d+)gb$`)
	socketOf = regexp.MustCompile(`^sxm\d$`)
)

// words splits a name; "80GB" is 80 and "SXM5" is sxm.
func words(name string) []string {
	all := wordOf.FindAllString(strings.ToLower(name), -1)
	for i, w := range all {
		all[i] = socketOf.ReplaceAllString(memoryOf.ReplaceAllString(w, "$1"), "sxm")
	}
	return all
}

// subset reports whether all wanted words are there.
func subset(wanted, there []string) bool {
	return !slices.ContainsFunc(wanted, func(w string) bool { return !slices.Contains(there, w) })
}

// engineProfile is the name of the profile for an engine that a measurement names, by
// how the name and the version begin; empty when there is none.
func engineProfile(written, version string) string {
	for _, known := range []struct{ word, version, profile string }{
		{"vllm", "", "vllm-v1"},
		{"sglang", "", "sglang"},
		{"trtllm", "1.0", "trtllm-1.0"},
		{"trtllm", "", "trtllm"},
		{"tensorrt", "", "trtllm"},
	} {
		if strings.HasPrefix(strings.ToLower(written), known.word) && strings.HasPrefix(version, known.version) {
			return known.profile
		}
	}
	return ""
}

var versionOf = regexp.MustCompile(`\d+\.\d+[.\w]*`)

// version names the version of an engine, as the first number in a text; empty where it has none.
func version(engine, text string) string {
	if number := versionOf.FindString(text); number != "" {
		return wordOf.FindString(strings.ToLower(engine)) + " " + number
	}
	return ""
}

// activations are the precision that an accelerator computes in when weights
// have the given one: 16 bits where it has no arithmetic for that, and with
// weights of 4-bit integers, which engines expand.
func activations(a *hardware.Accelerator, weights string) string {
	precision, err := hardware.ParsePrecision(weights)
	if err == nil && (precision == hardware.INT4 || a.Peak(precision) == 0) {
		return "bf16"
	}
	return weights
}
