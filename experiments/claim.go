package experiments

import (
	"cmp"
	"errors"
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// ClaimSpec is one [[claim]] table: by which factor a strategy is said to change
// a metric.
type ClaimSpec struct {
	Strategy string     `toml:"strategy" required:"true"`
	Over     string     `toml:"over"` // the first strategy where it is not given
	Metric   string     `toml:"metric" required:"true"`
	Factor   []float64  `toml:"factor" required:"true"` // [low, high]: the metric of Strategy over that of Over
	At       PlacesSpec `toml:"at"`                     // low load, knee and overload where it is not given
	Source   string     `toml:"source"`                 // who claims it
}

// Validate checks what concerns the table alone. Whether the strategies and places are
// in the experiment is checked once the file is resolved (see checkClaims).
func (s *ClaimSpec) Validate() error {
	if err := knownMetric(s.Metric); err != nil {
		return err
	}
	if len(s.Factor) != 2 || !(s.Factor[0] > 0 && s.Factor[0] <= s.Factor[1]) {
		return &badinput.Error{
			Key:     "factor",
			Value:   s.Factor,
			Problem: "must be two numbers above 0, the lower one first",
			Allowed: "like [0.25, 0.5] for two to four times less",
		}
	}
	return nil
}

// PlacesSpec is one place or a list of them.
type PlacesSpec []PlaceSpec

// DecodeTOML reads what PlaceSpec reads, or a list of that. A list of tables alone has
// another type in TOML than one with other values among them.
func (p *PlacesSpec) DecodeTOML(v any) error {
	list := []any{v}
	switch v := v.(type) {
	case []any:
		list = v
	case []map[string]any:
		list = nil
		for _, table := range v {
			list = append(list, table)
		}
	}
	if len(list) == 0 {
		return errors.New("an empty list is no place on a curve")
	}
	for _, v := range list {
		var place PlaceSpec
		if err := place.DecodeTOML(v); err != nil {
			return err
		}
		*p = append(*p, place)
	}
	return nil
}

// EncodeTOML is the inverse of DecodeTOML: one place as such, others as a list; nil when
// no place is given.
func (p PlacesSpec) EncodeTOML() any {
	if len(p) == 1 {
		return p[0].EncodeTOML()
	}
	var list []any
	for _, place := range p {
		if v := place.EncodeTOML(); v != nil {
			list = append(list, v)
		}
	}
	if list == nil {
		return nil
	}
	return list
}

// checkClaims fills in what claims leave out, and refuses those about strategies
// or places that are not in the experiment: a claim that is never checked would pass
// for one that holds.
func (e *Experiment) checkClaims() error {
	for i := range e.Spec.Claims {
		c := &e.Spec.Claims[i]
		key := fmt.Sprintf("claim[%d]", i)
		c.Over = cmp.Or(c.Over, e.Spec.Strategies[0].Name)
		for _, name := range []string{c.Strategy, c.Over} {
			if err := e.checkStrategy(key, name); err != nil {
				return err
			}
		}
		if c.Strategy == c.Over {
			return &badinput.Error{
				Key:     key + ".over",
				Value:   c.Over,
				Problem: "a strategy is no factor over itself",
				Allowed: "another strategy; the first one where it is left out",
			}
		}
		if c.At == nil {
			c.At = e.defaultPlaces()
		}
		if err := e.checkPlaces(key+".at", c.At); err != nil {
			return err
		}
	}
	return nil
}

// defaultPlaces is where a claim is checked that names no place: all three loads of a
// sweep over load, and the only point, or every point, of others.
func (e *Experiment) defaultPlaces() PlacesSpec {
	plan := results.Plan{Sweep: e.Axes, Zipped: e.zipped()}
	if !plan.OverLoads() {
		return PlacesSpec{{}}
	}
	var loads PlacesSpec
	for _, place := range results.Loads() {
		loads = append(loads, PlaceSpec(place))
	}
	return loads
}
