package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"kneepoint/plots/chart"
	"kneepoint/units"
)

// Roofline is the operators of steps under what one accelerator can do: FLOP/s against
// FLOPs per byte (Williams, Waterman and Patterson, CACM 2009).
type Roofline struct {
	Bandwidth float64 // bytes per second
	Peaks     []Peak  // of the types that operators compute in, the usual one first
	Phases    []Phase
}

// Peak is the FLOP/s of a type.
type Peak struct {
	Type  string
	FLOPS float64
}

// Phase is the steps of a prompt, or a decode step.
type Phase struct {
	Name      string // "prefill"
	What      string // "prefill of 1,024 tokens"
	Operators []Operator
}

// Operator is a part of a phase, as the busiest accelerator has it.
type Operator struct {
	Name  string
	Share float64 // of the phase's time
	Bound string  // what it waits for most
	FLOPs float64
	Bytes float64 // read and written
	FLOPS float64 // FLOPs over the time that they take
}

// intensity is the operator's FLOPs per byte; 0 where it computes nothing.
func (o *Operator) intensity() float64 {
	if o.FLOPs == 0 || o.Bytes == 0 || o.FLOPS == 0 {
		return 0
	}
	return o.FLOPs / o.Bytes
}

// bound is what the phase waits for longest, and for which share of its time.
func (p *Phase) bound() (what string, share float64) {
	shares := map[string]float64{}
	for _, o := range p.Operators {
		shares[o.Bound] += o.Share
		if s := shares[o.Bound]; s > share {
			what, share = o.Bound, s
		}
	}
	return what, share
}

// waits are what a phase waits for, by the bounds of its operators.
var waits = map[string]string{"link": "the link", "latency": "kernel latency", "CPU": "the CPU", "stage": "other stages"}

func (r *Roofline) title() string {
	title := ""
	for i, p := range r.Phases {
		what, share := p.bound()
		what = cmp.Or(waits[what], what)
		if i == 0 {
			title = fmt.Sprintf("%s waits for %s in %s of its time", capitalise(p.Name), what, shareOf(share))
		} else {
			title += fmt.Sprintf(", %s for %s in %s", p.Name, what, shareOf(share))
		}
	}
	return title
}

// shareOf writes a share with two digits.
func shareOf(v float64) string { return percent(units.Round(v, 2)) }

// notes say what a dot is, and which parts of the time have none.
func (r *Roofline) notes() []string {
	notes := []string{"area of a dot: its share of the phase's time"}
	for _, p := range r.Phases {
		rest := ""
		for _, o := range p.byShare() {
			if o.intensity() == 0 && o.Share >= smallShare {
				rest = joinWith(", ", rest, o.Name+" "+shareOf(o.Share))
			}
		}
		if rest != "" {
			notes = append(notes, p.Name+" without FLOPs: "+rest)
		}
	}
	return notes
}

// byShare is the operators, the longest first.
func (p *Phase) byShare() []Operator {
	return slices.SortedStableFunc(slices.Values(p.Operators), func(a, b Operator) int { return cmp.Compare(b.Share, a.Share) })
}

func (r *Roofline) table() Table {
	t := Table{Header: []string{"phase", "operator", "share", "bound", "flops", "bytes", "flops_per_byte", "flops_per_second"}}
	for _, p := range r.Phases {
		for _, o := range p.Operators {
			t.add(p.Name, o.Name, number(o.Share), o.Bound, number(o.FLOPs), number(o.Bytes), number(o.FLOPs/o.Bytes), number(o.FLOPS))
		}
	}
	return t
}

const (
	smallShare = 0.005 // of the time: it rounds to 0 %
	namedShare = 0.02  // from which an operator is always named
	fullDot    = 1.3   // radius of a dot that is all of the time, in sizes of tick labels
	leastDot   = 0.2
	oneCluster = 0.07 // of the axes: dots of a phase that are nearer share a label
)

func (r *Roofline) draw(s *chart.Style) drawing {
	p, labels := s.NewPlot(), s.Labels()
	var xs, ys []float64
	for i := range r.Phases {
		for _, o := range r.Phases[i].dots() {
			xs, ys = append(xs, o.intensity()), append(ys, o.FLOPS)
		}
	}
	for _, peak := range r.Peaks {
		xs, ys = append(xs, 2*peak.FLOPS/r.Bandwidth), append(ys, 1.6*peak.FLOPS)
	}
	chart.Log(&p.X, xs, exact)
	chart.Log(&p.Y, ys, perSecond("FLOP"))
	p.X.Label.Text = "FLOP per byte"
	p.Add(s.YTitle("Rate of one accelerator while an operator runs"))
	defer fixed(p)()
	d := drawing{panels: [][]*plot.Plot{{p}}, labels: []*chart.Labels{labels}}
	for i, phase := range r.Phases {
		look := s.Look(i)
		phase.addDots(s, p, labels, look)
		d.key = append(d.key, chart.Entry{Name: phase.What, Swatch: s.DotSwatch(look)})
	}
	r.addRoof(s, p, labels)
	p.Add(labels)
	return d
}

// dots are the operators that have one, the longest first.
func (p *Phase) dots() []Operator {
	return slices.DeleteFunc(p.byShare(), func(o Operator) bool { return o.intensity() == 0 || o.Share == 0 })
}

// addDots draws the operators, the small ones on the large ones, and names those together
// that lie at one place.
func (p *Phase) addDots(s *chart.Style, panel *plot.Plot, labels *chart.Labels, look chart.Look) {
	var named []chart.Label
	for _, o := range p.dots() {
		at := plotter.XY{X: o.intensity(), Y: o.FLOPS}
		radius := s.Em(math.Max(leastDot, fullDot*math.Sqrt(o.Share)))
		panel.Add(s.Dots(plotter.XYs{at}, look, radius, func(int) chart.Fill { return chart.Filled })...)
		labels.Discs = append(labels.Discs, chart.Disc{At: at, Radius: radius})
		label := chart.Label{Text: o.Name + " " + shareOf(o.Share), At: at, Color: look.Text, Gap: radius}
		i := slices.IndexFunc(named, func(l chart.Label) bool {
			return math.Hypot(panel.X.Norm(l.At.X)-panel.X.Norm(at.X), panel.Y.Norm(l.At.Y)-panel.Y.Norm(at.Y)) < oneCluster
		})
		switch {
		case i >= 0:
			named[i].Text += "\n" + label.Text
		case o.Share >= namedShare:
			named = append(named, label)
		default:
			labels.Hints = append(labels.Hints, label)
		}
	}
	labels.Values = append(labels.Values, named...)
}

// addRoof draws min(peak, bandwidth·intensity), and the lower peaks of other types.
func (r *Roofline) addRoof(s *chart.Style, p *plot.Plot, labels *chart.Labels) {
	hint := func(at plotter.XY, text string) {
		labels.Hints = append(labels.Hints, chart.Label{Text: text, At: at, Color: s.Grey, Gap: s.Em(0.2)})
	}
	for i, peak := range r.Peaks {
		line, ridge := s.Dashed(targetWidth, s.Axis), plotter.XY{X: peak.FLOPS / r.Bandwidth, Y: peak.FLOPS}
		end := plotter.XY{X: p.X.Max, Y: peak.FLOPS}
		roof := plotter.XYs{ridge, end}
		if i == 0 {
			line = s.Stroke(lineWidth, s.Axis)
			left := max(p.X.Min, p.Y.Min/r.Bandwidth)
			roof = plotter.XYs{{X: left, Y: left * r.Bandwidth}, ridge, end}
			middle := math.Sqrt(left * ridge.X)
			hint(plotter.XY{X: middle, Y: middle * r.Bandwidth}, perSecond("B")(r.Bandwidth))
		}
		p.Add(&plotter.Line{XYs: roof, LineStyle: line})
		labels.Lines = append(labels.Lines, roof)
		hint(plotter.XY{X: math.Sqrt(ridge.X * end.X), Y: peak.FLOPS}, perSecond("FLOP")(peak.FLOPS)+" "+peak.Type)
	}
}

// perSecond writes a rate with the prefix that suits its size: "989 TFLOP/s".
func perSecond(what string) format {
	return func(v float64) string {
		for _, unit := range []struct {
			size   float64
			prefix string
		}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
			if v >= 0.9995*unit.size {
				return units.Short(v/unit.size) + " " + unit.prefix + what + "/s"
			}
		}
		return units.Short(v) + " " + what + "/s"
	}
}
