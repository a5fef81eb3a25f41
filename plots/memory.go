package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"kneepoint/plots/chart"
	"kneepoint/units"
)

// Memory is that of one accelerator in bytes, by what it holds: a waterfall as a figure.
type Memory struct {
	Total       float64
	Utilization float64 // share of it that the engine may use
	Weights     float64
	Activations float64 // of the largest step
	Runtime     float64
	States      float64 // of linear attention; 0: the model has none
	KV          float64 // what is left for keys and values; negative: what is lacking
	KVTokens    int     // of the whole replica
}

// usable is the memory that the engine may use.
func (m *Memory) usable() float64 { return m.Total * m.Utilization }

// step is one bar of the waterfall, from one size to another.
type step struct {
	name     string
	from, to float64
	look     int
	hollow   bool // nothing is there, or it should not be
}

// steps are what the memory goes to, one behind the other.
func (m *Memory) steps() []step {
	var all []step
	at := 0.0
	add := func(name string, size float64) {
		all = append(all, step{name: name, from: at, to: at + size, look: len(all)})
		at += size
	}
	add("weights", m.Weights)
	add("activations", m.Activations)
	add("runtime", m.Runtime)
	if m.States > 0 {
		add("states", m.States)
	}
	if m.KV < 0 {
		return append(all, step{"too much", m.usable(), at, 1, true})
	}
	add("KV cache", m.KV)
	if rest := m.Total - at; rest > 0.001*m.Total {
		all = append(all, step{"unused", at, m.Total, 10, true})
	}
	return all
}

func (m *Memory) title(e *Estimate) string {
	each := ""
	if e.Accelerators > 1 {
		each = " on each"
	}
	if m.KV < 0 {
		return fmt.Sprintf("%s does not fit on %s: %s too much%s", e.Model, e.where(), binary(-m.KV), each)
	}
	return fmt.Sprintf("%s on %s leaves %s%s for the KV cache", e.Model, e.where(), binary(m.KV), each)
}

// tokens says how many tokens the KV cache holds; nothing without room for any.
func (m *Memory) tokens() string {
	if m.KV < 0 {
		return ""
	}
	return exact(float64(m.KVTokens)) + " tokens of KV cache per replica"
}

func (m *Memory) table() Table {
	t := Table{Header: []string{"item", "unit", "from", "to"}}
	for _, s := range m.steps() {
		t.add(s.name, "bytes", number(s.from), number(s.to))
	}
	t.add("usable", "bytes", "0", number(m.usable()))
	t.add("total", "bytes", "0", number(m.Total))
	return t
}

// binary writes a size in binary units, in which memory is sold.
func binary(n float64) string { return units.Bytes(n).String() }

const gib = 1 << 30

func (m *Memory) draw(s *chart.Style) drawing {
	p := s.NewPlot()
	steps := m.steps()
	chart.FromZero(&p.X, []float64{max(m.Total, steps[len(steps)-1].to) / gib}, exact)
	p.X.Label.Text = "Memory of one accelerator (GiB)"
	names := make([]string, len(steps))
	for i, st := range steps {
		names[len(names)-1-i] = st.name + ", " + binary(st.to-st.from)
	}
	chart.Categories(&p.Y, names)
	defer fixed(p)()
	for i, st := range steps {
		st.add(s, p, float64(len(steps)-1-i))
	}
	if m.Utilization < 1 {
		addLimit(s, p, m.usable(), " usable", text.XRight)
	}
	addLimit(s, p, m.Total, "", text.XLeft)
	return drawing{panels: [][]*plot.Plot{{p}}, rowHeight: rowHeight*float64(len(steps)) + 7}
}

// add draws the bar, and a line from its end to the next one.
func (t step) add(s *chart.Style, p *plot.Plot, y float64) {
	look := s.Look(t.look)
	before := &plotter.BarChart{Values: plotter.Values{t.from / gib}, XMin: y}
	bar := &plotter.BarChart{Values: plotter.Values{(t.to - t.from) / gib}, Width: s.Em(barWidth), Horizontal: true,
		Color: color.Color(look.Line), LineStyle: s.Stroke(whiskerWidth, look.Line)}
	if t.hollow {
		bar.Color, bar.LineStyle = s.Paper, s.Stroke(whiskerWidth, look.Line, 0.4, 0.3)
	}
	bar.StackOn(before)
	p.Add(bar)
	if y > 0 {
		end := plotter.XYs{{X: t.to / gib, Y: y}, {X: t.to / gib, Y: y - 1}}
		p.Add(&plotter.Line{XYs: end, LineStyle: s.Stroke(6, s.Axis)})
	}
}

// addLimit draws a line across the bars, with its size above, at a side of it.
func addLimit(s *chart.Style, p *plot.Plot, size float64, words string, side text.XAlignment) {
	ends := plotter.XYs{{X: size / gib, Y: p.Y.Min}, {X: size / gib, Y: p.Y.Max}}
	style := s.Text(0.94, s.Ink)
	style.XAlign, style.YAlign = side, text.YCenter
	p.Add(&plotter.Line{XYs: ends, LineStyle: s.Dashed(targetWidth, s.Ink)},
		&plotter.Labels{XYs: ends[1:], Labels: []string{binary(size) + words}, TextStyle: []text.Style{style}, Offset: vg.Point{Y: s.Em(0.8)}})
}
