package svgtext

import (
	"fmt"
	"strings"
	"testing"
)

// page is an SVG of 100 by 50 points with texts at places from the lower left corner, as
// gonum draws them.
func page(texts ...string) string {
	return `<svg viewBox="0 0 100 50">` + strings.Join(texts, "") + `</svg>`
}

func text(x, y float64, letters string) string {
	return fmt.Sprintf(`<text x="%g" y="%g" transform="scale(1, -1)" style="font-weight:normal;font-size:10px;fill:#000000">%s</text>`, x, -y, letters)
}

func TestFaults(t *testing.T) {
	for name, tt := range map[string]struct {
		svg    string
		faults int
	}{
		"apart":           {page(text(10, 10, "one"), text(40, 10, "two"), text(10, 22, "three")), 0},
		"on each other":   {page(text(10, 10, "one"), text(20, 12, "two")), 1},
		"beyond the edge": {page(text(90, 10, "one")), 1},
		"above the page":  {page(text(10, 45, "one")), 1},
		"upwards":         {page(`<g transform="rotate(90)">` + text(10, -20, "one") + `</g>`), 0},
		"upwards, on one": {page(`<g transform="rotate(90)">`+text(10, -20, "one")+`</g>`, text(15, 15, "two")), 1},
		"nothing":         {page(), 0},
	} {
		faults, err := Faults(tt.svg)
		if err != nil || len(faults) != tt.faults {
			t.Errorf("%s: %q, %v; want %d faults", name, faults, err, tt.faults)
		}
	}
	for _, svg := range []string{"<svg", `<svg viewBox="x"></svg>`, page(`<text x="a"></text>`)} {
		if _, err := Faults(svg); err == nil {
			t.Errorf("%s is read", svg)
		}
	}
}
