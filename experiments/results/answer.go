package results

import (
	"encoding/json"
	"io"
	"math"
	"strings"

	"kneepoint/sim/metrics"
)

// Judgement is what simulations say of a fleet under a load: how many of the requests meet
// their objective.
type Judgement struct {
	Attainment float64 `json:"attainment"`       // mean over the replications
	Half       float64 `json:"half"`             // of its 95 % interval
	Surer      float64 `json:"half_99"`          // of its 99 % interval
	Enough     float64 `json:"enough"`           // probability that it is at least the target
	Saturated  bool    `json:"saturated"`        // the backlog grew until the end
	Unsettled  bool    `json:"unsettled"`        // the runs were too short to tell: it counts as not enough
	Needed     int     `json:"needed,omitempty"` // requests, about, that it takes to tell on which side of the target it is; 0: it is told, or no number tells
	Lasting    float64 `json:"lasting"`          // requests that tell as much of misses as one independent one, at most; 0: that was not asked
	Length     int     `json:"length"`           // requests of a run
	WarmUp     int     `json:"warm_up"`          // of these, at its start, that do not count
	Runs       int     `json:"runs"`
	Requests   int     `json:"requests"` // simulated in all
}

// Shows tells whether it is shown that a share of the requests meets its objective, for sure. The mean decides where no more requests may
// tell, as of a trace that is replayed whole.
func (j *Judgement) Shows(target float64) bool { return j.Meets(target) && j.Needed == 0 }

// Meets tells whether a share of the requests meets its objective, by the mean where the
// interval holds that share. What has not settled is not known to.
func (j *Judgement) Meets(target float64) bool {
	return !j.Saturated && !j.Unsettled && j.Attainment >= target
}

// Clear tells whether it is settled on which side of a target the attainment is: the 99 % interval excludes it, since it is asked of many
// candidates, and of several numbers of each.
func (j *Judgement) Clear(target float64) bool {
	return j.Saturated || !j.Unsettled && math.Abs(j.Attainment-target) > j.Surer
}

// Answer is what a plan found: how many of which candidate serve the demand.
type Answer struct {
	SchemaVersion int            `json:"schema_version"`
	Version       string         `json:"kneepoint"`
	Name          string         `json:"name"`
	Title         string         `json:"title"`
	Experiment    map[string]any `json:"experiment"`

	Prices  *Prices  `json:"prices,omitempty"` // what costs rest on; absent where no accelerator has a price
	Demand  Demand   `json:"demand"`
	SLO     SLO      `json:"slo"`
	Target  float64  `json:"target"`           // share of the requests that is to meet the objective
	Least   string   `json:"objective"`        // cost or accelerators: what is to be least
	Options []Option `json:"options"`          // that serve the demand, best first
	Pruned  []Option `json:"pruned,omitempty"` // in the order of the file
	Fronts  []Front  `json:"fronts,omitempty"` // of the options

	Uncertainty *Uncertainty `json:"uncertainty,omitempty"` // where it was asked for

	Runs       int       `json:"runs"`
	Requests   int       `json:"requests"`
	Warnings   []Warning `json:"warnings,omitempty"`
	Incomplete bool      `json:"incomplete,omitempty"` // it was interrupted

	WhatIf []WhatIf `json:"what_if,omitempty"` // where that was asked for

	Unlimited *WhatIf `json:"unlimited,omitempty"` // what would serve the demand beyond the limits, where nothing does within

	Expectations []Expectation `json:"expectations,omitempty"` // what came of the [[expect]] tables; none of what was interrupted
}

// Demand is the load that a plan is for.
type Demand struct {
	Load   float64 `json:"load"`   // that the workload states; the mean of a rate that changes by design; 0 of a trace
	Unit   string  `json:"unit"`   // req/s, conv/s, users or clients
	Factor float64 `json:"factor"` // times growth and headroom
	Spare  int     `json:"spare"`  // units on top that may fail

	Peak   *Peak   `json:"peak,omitempty"`   // of a rate that changes by design
	Levels []Level `json:"levels,omitempty"` // of its rate over the time, the lowest first
}

// Peak is when a rate that changes by design is highest; a plan is for its steady state.
type Peak struct {
	Load    float64 `json:"load"`    // then
	From    float64 `json:"from_s"`  // seconds after the profile begins
	Until   float64 `json:"until_s"` //
	Profile string  `json:"profile"` // hourly, stages or ramp
}

// Level is a part of the time of a profile.
type Level struct {
	Factor float64 `json:"factor"` // of the peak, rounded up to 24ths
	Share  float64 `json:"share"`  // of the time
}

// Planned is the load that fleets are simulated under: of users and clients a whole number.
func (d *Demand) Planned() float64 {
	switch {
	case d.Peak != nil:
		return d.Peak.Load * d.Factor
	case !strings.Contains(d.Unit, "/"):
		return math.Ceil(d.Load * d.Factor * (1 - rounding))
	}
	return d.Load * d.Factor
}

// FollowedPrice is the mean $ an hour of an option whose units follow the demand, spares beside them; NaN
// where that was not looked at, or there is no price.
func (d *Demand) FollowedPrice(o *Option) float64 {
	if o.Unit.USDPerHour == nil || len(o.Following) != len(d.Levels) || len(d.Levels) == 0 {
		return math.NaN()
	}
	mean := 0.0
	for i, level := range d.Levels {
		mean += level.Share * float64(o.Following[i]+d.Spare)
	}
	return mean * *o.Unit.USDPerHour
}

// Option is a candidate, and how many units of it serve the demand.
type Option struct {
	Name     string         `json:"name"`
	Strategy string         `json:"strategy"`
	Choices  map[string]any `json:"choices,omitempty"` // of the candidate's lists, by path
	Unit     Unit           `json:"unit"`

	Units  int        `json:"units,omitempty"`  // that are enough; of a pruned one, that are not
	Judged *Judgement `json:"judged,omitempty"` // with so many
	Fewer  *Judgement `json:"fewer,omitempty"`  // with one less; nil: there would be none

	Headroom *Headroom `json:"headroom,omitempty"` // of some of the best

	// Following are the units that would be enough at each level of the demand.
	Following []int `json:"following,omitempty"`

	Out    Out    `json:"out,omitempty"`    // why a pruned one is; empty: it is not
	Detail string `json:"detail,omitempty"` // of that

	Alone *Alone `json:"alone,omitempty"` // of one that is unreachable

	// Fleet is what units and spares do together under the demand; nil of a pruned one.
	Fleet *PlannedFleet `json:"fleet,omitempty"`
}

// Headroom is the load that units bear, without spares, as multiples of the planned one: that they do is shown of one, and that they do not
// of another one, each by a 99 % interval. Between them it is not told.
type Headroom struct {
	Met    float64 `json:"met"`
	Missed float64 `json:"missed,omitempty"` // 0: none was tried that they are shown to miss
}

// Alone is how requests are served that have a unit for themselves: better than with others, by any number of units.
type Alone struct {
	Attainment float64 `json:"attainment"`
	TTFTms     float64 `json:"ttft_ms"` // that the share of the requests has which is to meet the objective, likewise the others
	TPOTms     float64 `json:"tpot_ms"`
	E2ELms     float64 `json:"e2el_ms"`
	ITLp99ms   float64 `json:"itl_p99_ms"` // 99th percentile of all their gaps between tokens
}

// Metric is an estimate of the fleet; false where there is none.
func (o *Option) Metric(key string) (metrics.Estimate, bool) {
	if o.Fleet == nil {
		return metrics.Estimate{}, false
	}
	e, ok := o.Fleet.Metrics[key]
	return e, ok
}

// Out is why a candidate is no answer.
type Out string

const (
	OutUnfit       Out = "unfit"       // no replica can be built; Detail says what is wrong
	OutPriceless   Out = "priceless"   // there is no price for the accelerator that Detail names
	OutUnreachable Out = "unreachable" // not even requests that have a unit for themselves meet the objective
	OutLimited     Out = "limited"     // as many units as the limit allows that Detail names are not enough
	OutDearer      Out = "dearer"      // as many units as two others of the accelerator cost at most are not enough
	OutFailed      Out = "failed"      // a simulation failed; Detail is its error
)

// PlannedFleet is units and spares of a candidate under the demand.
type PlannedFleet struct {
	Accelerators int                         `json:"accelerators"`
	Metrics      map[string]metrics.Estimate `json:"metrics"`
	Bottleneck   metrics.Bottleneck          `json:"bottleneck,omitempty"`
}

// NewPlannedFleet makes the metrics of a fleet of what its replications yielded: those of the
// steady state where that has them, and else those of whole runs.
func NewPlannedFleet(accelerators int, outcomes []Outcome) *PlannedFleet {
	f := &PlannedFleet{Accelerators: accelerators, Metrics: map[string]metrics.Estimate{}}
	for _, key := range metrics.Keys() {
		values := make([]float64, len(outcomes))
		for i := range outcomes {
			values[i] = outcomes[i].Metrics.Get(key)
			if steady := outcomes[i].Steady.Get(key); !math.IsNaN(steady) {
				values[i] = steady
			}
		}
		if estimate := metrics.NewEstimate(values); estimate.N > 0 {
			f.Metrics[key] = estimate
		}
	}
	votes := map[metrics.Bottleneck]int{}
	for i := range outcomes {
		why := outcomes[i].Why.Bottleneck
		if votes[why]++; votes[why] > votes[f.Bottleneck] || i == 0 {
			f.Bottleneck = why
		}
	}
	return f
}

// WriteJSON writes the answer. Equal answers give equal bytes.
func (a *Answer) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(a)
}
