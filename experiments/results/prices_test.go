package results

import "testing"

// TestPricesText: basis and date where a price is of it; what was stated is marked, or all of it.
func TestPricesText(t *testing.T) {
	h100, l40s := AcceleratorPrice{"h100-sxm", 6.88, false}, AcceleratorPrice{"l40s", 1.1, true}
	for want, all := range map[string][]AcceleratorPrice{
		"prices in $/h, aws, 2026-08: h100-sxm 6.88":                   {h100},
		"prices in $/h, aws, 2026-08: h100-sxm 6.88, l40s 1.1 (given)": {h100, l40s},
		"prices in $/h, given: l40s 1.1":                               {l40s},
		"prices in $/h, given: custom 2.2, custom 4.75":                {{"custom", 2.2, true}, {"custom", 4.75, true}},
	} {
		p := Prices{Basis: "aws", Date: "2026-08", Accelerators: all}
		if got := p.Text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
