package results

import (
	"fmt"
	"strings"
)

// Unit is the smallest fleet of a candidate, of which a plan has a number.
type Unit struct {
	Replicas     int      `json:"replicas"`
	Accelerators int      `json:"accelerators"`
	Accelerator  string   `json:"accelerator"` // names, joined by +
	USDPerHour   *float64 `json:"usd_per_hour,omitempty"`

	Of []Part `json:"of,omitempty"` // the accelerators in the order of their names, where there are several
}

// Part is the accelerators of one name in a unit.
type Part struct {
	Accelerator  string  `json:"accelerator"`
	Accelerators int     `json:"accelerators"`
	USDPerHour   float64 `json:"usd_per_hour"` // of all of them; 0: there is no price
}

// Parts are the accelerators by their names; none where they have no name.
func (u *Unit) Parts() []Part {
	switch {
	case len(u.Of) > 0:
		return u.Of
	case u.Accelerator == "":
		return nil
	}
	whole := Part{Accelerator: u.Accelerator, Accelerators: u.Accelerators}
	if u.USDPerHour != nil {
		whole.USDPerHour = *u.USDPerHour
	}
	return []Part{whole}
}

// price is that of the accelerators of a name; 0 where there are none.
func (u *Unit) price(accelerator string) float64 {
	for _, part := range u.Parts() {
		if part.Accelerator == accelerator {
			return part.USDPerHour
		}
	}
	return 0
}

// Mix is which accelerators there are in which proportions. Of units of one mix the cheaper one stays that at all prices.
func (u *Unit) Mix() string {
	if len(u.Of) == 0 {
		return u.Accelerator
	}
	divisor := 0
	for _, part := range u.Of {
		divisor = commonDivisor(part.Accelerators, divisor)
	}
	var all []string
	for _, part := range u.Of {
		all = append(all, fmt.Sprintf("%d %s", part.Accelerators/divisor, part.Accelerator))
	}
	return strings.Join(all, " + ")
}

// commonDivisor is the greatest one.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
