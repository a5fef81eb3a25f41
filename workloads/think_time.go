package workloads

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kneepoint/internal/strict"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// ThinkTime is how long a client waits after an answer before it sends its next request:
// the law of a time in seconds, or one duration, like "2s". Zero: it does not wait.
//
// Times are not rounded; Min and Max bound them, and none is negative.
//
//	fixed          Mean
//	uniform        Mean·(1-RangeRatio) to Mean·(1+RangeRatio); without Mean, Min to Max
//	normal         Mean, Std
//	lognormal      Mean, Std of the time, not of its logarithm
//	lognormal_mix  Mix, of the time's logarithm
//	exponential    Mean
//	gamma          Mean, Std
//	weibull        Mean, Std
//	empirical      Quantiles, linear between them
type ThinkTime struct {
	Type string `toml:"type" required:"true" oneof:"fixed uniform normal lognormal lognormal_mix gamma weibull exponential empirical"`

	Mean       float64 `toml:"mean" check:"nonnegative" most:"31536000" only:"type=fixed,uniform,normal,lognormal,gamma,weibull,exponential"`
	Std        float64 `toml:"std" check:"positive" most:"31536000" only:"type=normal,lognormal,gamma,weibull"`
	RangeRatio float64 `toml:"range_ratio" check:"fraction" only:"type=uniform"`

	Min float64 `toml:"min" check:"nonnegative" most:"31536000"`
	Max float64 `toml:"max" check:"positive" most:"31536000"` // no limit when not given

	Mix []LognormalPart `toml:"mix" only:"type=lognormal_mix"`

	Quantiles   []float64 `toml:"quantiles" check:"nonnegative" only:"type=empirical"`
	Percentiles []float64 `toml:"percentiles" check:"nonnegative" only:"type=empirical"`
}

// Thinking is the law that is always the same time; none at all is the zero ThinkTime, as where no
// law is given.
func Thinking(t units.Seconds) ThinkTime {
	if t == 0 {
		return ThinkTime{}
	}
	return ThinkTime{Type: "fixed", Mean: float64(t)}
}

// thinkTable is a ThinkTime as a table, without the form of a single duration.
type thinkTable ThinkTime

// DecodeTOML reads a duration, or the table of a law.
func (t *ThinkTime) DecodeTOML(v any) error {
	switch v := v.(type) {
	case string:
		s, err := units.ParseSeconds(v)
		if err == nil && s < 0 {
			err = fmt.Errorf("must not be negative")
		}
		*t = Thinking(s)
		return err
	case map[string]any:
		if err := strict.Decode(v, (*thinkTable)(t)); err != nil {
			return err
		}
		return t.Validate()
	}
	return fmt.Errorf(`not a duration: write a number and a unit in quotes, like "2s", or the table of a law in seconds`)
}

// EncodeTOML is the inverse of DecodeTOML.
func (t ThinkTime) EncodeTOML() any {
	if t.Constant() && t.Min == 0 && t.Max == 0 {
		text, _ := units.Seconds(t.Mean).MarshalText()
		return string(text)
	}
	return strict.Encode((*thinkTable)(&t))
}

// Validate reports what is missing or contradictory.
func (t *ThinkTime) Validate() error {
	bad := func(key, problem string) error { return &badinput.Error{Key: key, Problem: problem} }
	needsMean := fmt.Sprintf("missing with type = %q", t.Type)
	switch {
	case t.Max > 0 && t.Max < t.Min:
		return bad("max", fmt.Sprintf("is less than min = %v", t.Min))
	case t.Type == "uniform" && t.Mean == 0 && (t.Max == 0 || t.RangeRatio > 0):
		return bad("mean", needsMean)
	case t.Type == "lognormal_mix" || t.Type == "empirical":
		return t.lengths().Validate()
	case t.Type == "" || t.Type == "fixed" || t.Type == "uniform":
		return nil
	case t.Mean == 0:
		return bad("mean", needsMean)
	case t.Type == "exponential":
		return nil
	case t.Std == 0:
		return bad("std", needsMean)
	case t.Std/t.Mean < 1e-3 || t.Std/t.Mean > 100:
		return &badinput.Error{Key: "std", Value: t.Std, Problem: "out of range", Allowed: `0.001 to 100 times the mean, or type = "fixed"`}
	}
	return nil
}

// lengths is the law of lengths that is inverted in the same way.
func (t *ThinkTime) lengths() *LengthSpec {
	return &LengthSpec{Type: t.Type, Mean: t.Mean, Std: t.Std, Mix: t.Mix, Quantiles: t.Quantiles, Percentiles: t.Percentiles}
}

// Constant tells whether the time is always the same.
func (t *ThinkTime) Constant() bool { return t.Type == "" || t.Type == "fixed" }

// thinking draws think times.
type thinking struct {
	quantile    func(p float64) float64 // of the law before bounding
	min, max    float64
	constant    bool
	seed        uint64
	replication int
}

func newThinking(t *ThinkTime, seed uint64, replication int) *thinking {
	d := &thinking{min: t.Min, max: math.Inf(1), constant: t.Constant(), seed: seed, replication: replication}
	if t.Max > 0 {
		d.max = t.Max
	}
	switch {
	case t.Type != "uniform":
		d.quantile = t.lengths().quantile()
	case t.Mean > 0:
		d.quantile = func(p float64) float64 { return t.Mean * (1 + t.RangeRatio*(2*p-1)) }
	default:
		d.quantile = func(p float64) float64 { return t.Min + p*(t.Max-t.Min) }
	}
	return d
}

// after is the time that the client thinks after the answer to a request. It depends on
// that request's number alone: answers that come at the same time may be told in any
// order.
func (d *thinking) after(request int) units.Seconds {
	if d.constant {
		return d.at(0)
	}
	return d.at(StreamOf(d.seed, d.replication, StreamThinkTimes, request).Float64())
}

func (d *thinking) at(p float64) units.Seconds {
	return units.Seconds(math.Min(math.Max(d.quantile(p), d.min), d.max))
}

// mean is the mean time, as the average over 10,000 equally likely slices of the law.
func (d *thinking) mean() units.Seconds {
	const slices = 10_000
	var sum units.Seconds
	for i := range slices {
		sum += d.at((float64(i) + 0.5) / slices)
	}
	return sum / slices
}

// joins are the clients of a closed loop, or the users of conversations, that have not
// sent anything yet. They join one by one, by a Poisson process, over about one mean cycle
// of a client: its mean think time and the mean response so far. The first response is
// waited for, and tells the first cycle. So the loop starts at about the rate at which it
// goes on, as load generators ramp up by hand, and clients are at random places of
// their cycles: if all started at once, a burst of prompts would be the worst that the run
// sees, and with equal cycles come again every time.
type joins struct {
	left, clients int
	next          units.Seconds // when the next one joins; +Inf: that is not known yet
	think         units.Seconds // mean
	gaps          *rand.Rand    // nil: all join at 0

	responses int
	total     units.Seconds // of the responses
}

// newJoins is the clients of a loop at its start, at time 0.
func newJoins(clients int, atOnce bool, think *thinking, seed uint64, replication int) *joins {
	j := &joins{left: clients, clients: clients, think: think.mean()}
	if !atOnce {
		j.gaps = Stream(seed, replication, StreamStarts)
	}
	return j
}

// join lets the next one join, at a time.
func (j *joins) join(at units.Seconds) {
	j.left--
	j.plan(at)
}

// answered notes a response that took some time and ended at another.
func (j *joins) answered(took, at units.Seconds) {
	if j.left == 0 {
		return
	}
	j.responses++
	j.total += took
	if math.IsInf(float64(j.next), 1) {
		j.plan(at)
	}
}

// plan sets when the next one joins, after one that joined or was answered at a time.
func (j *joins) plan(at units.Seconds) {
	switch {
	case j.left == 0 || j.gaps != nil && j.responses == 0:
		j.next = units.Seconds(math.Inf(1))
	case j.gaps == nil:
		j.next = at
	default:
		cycle := j.think + j.total/units.Seconds(j.responses)
		j.next = at + units.Seconds(j.gaps.ExpFloat64())*cycle/units.Seconds(j.clients)
	}
}
