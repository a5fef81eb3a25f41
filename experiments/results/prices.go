package results

import (
	"fmt"
	"slices"
	"strings"
)

// Prices are what costs rest on: one basis for all strategies.
type Prices struct {
	Basis  string `json:"basis"` // its name
	Title  string `json:"title"`
	Date   string `json:"date"`
	Source string `json:"source"`

	Accelerators []AcceleratorPrice `json:"accelerators"` // that have a price, at the first point
}

// AcceleratorPrice is what an hour of an accelerator costs. Custom ones of one name may have
// several.
type AcceleratorPrice struct {
	Name       string  `json:"name"`
	USDPerHour float64 `json:"usd_per_hour"`
	Given      bool    `json:"given,omitempty"` // stated, instead of the basis's
}

// Text says in a line what the prices are, and from where and when.
func (p *Prices) Text() string {
	var all []string
	allGiven := !slices.ContainsFunc(p.Accelerators, func(a AcceleratorPrice) bool { return !a.Given })
	for _, a := range p.Accelerators {
		text := fmt.Sprintf("%s %.4g", a.Name, a.USDPerHour)
		if a.Given && !allGiven {
			text += " (given)"
		}
		all = append(all, text)
	}
	if allGiven {
		return "prices in $/h, given: " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("prices in $/h, %s, %s: %s", p.Basis, p.Date, strings.Join(all, ", "))
}
