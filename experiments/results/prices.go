package results

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Prices are what costs rest on: one basis for all strategies.
type Prices struct {
	Basis  string `json:"basis"` // its name
	Title  string `json:"title"`
	Date   string `json:"date"`
	Source string `json:"source"`

	// USDPerHour is the price of an hour of each accelerator that has one, by name, at the first
	// point; Given are those whose price the file states, instead of the basis.
	USDPerHour map[string]float64 `json:"usd_per_hour"`
	Given      []string           `json:"given,omitempty"`
}

// Text says in a line what the prices are, and from where and when.
func (p *Prices) Text() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(p.USDPerHour)) {
		text := fmt.Sprintf("%s %.4g", name, p.USDPerHour[name])
		if slices.Contains(p.Given, name) {
			text += " (given)"
		}
		all = append(all, text)
	}
	if len(p.Given) == len(p.USDPerHour) {
		return "prices in $/h, given: " + strings.ReplaceAll(strings.Join(all, ", "), " (given)", "")
	}
	return fmt.Sprintf("prices in $/h, %s, %s: %s", p.Basis, p.Date, strings.Join(all, ", "))
}
