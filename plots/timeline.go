package plots

import (
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// timelinePlot is a column for each run of panels below each other, which share the time.
type timelinePlot struct {
	runs   []timelineRun
	tracks []track
	apart  bool // the runs are under different loads, and have scales of their own
}

// timelineRun is the window of a run.
type timelineRun struct {
	name string
	results.Timeline
}

// track is what one panel shows over the time.
type track struct {
	title  string
	format format
	lines  []trackLine
}

// trackLine is one of its lines.
type trackLine struct {
	name string // "" where the panel says it
	look int
	of   func(*results.Timeline) []float64
}

// mostRuns is how many runs a figure of windows shows.
const mostRuns = 3

var tracks = []track{
	{"Requests", exact, []trackLine{
		{"batch", 0, func(t *results.Timeline) []float64 { return t.Running }},
		{"queue", 1, func(t *results.Timeline) []float64 { return t.Waiting }},
		{"front end", 2, func(t *results.Timeline) []float64 { return t.FrontEnd }},
	}},
	{"KV cache in use", percent, []trackLine{{"", 3, func(t *results.Timeline) []float64 { return t.KVUtilization }}}},
	{"Preemptions per second", exact, []trackLine{{"", 1, func(t *results.Timeline) []float64 { return ratesOf(t, t.Preemptions) }}}},
	{"Prompt tokens per second", exact, []trackLine{{"", 2, func(t *results.Timeline) []float64 { return t.PromptThroughput }}}},
	{"Output tokens per second", exact, []trackLine{{"", 0, func(t *results.Timeline) []float64 { return t.OutputThroughput }}}},
}

// ratesOf divides numbers of events in buckets by their length.
func ratesOf(t *results.Timeline, counts []float64) []float64 {
	rates := make([]float64, len(counts))
	for i, n := range counts {
		rates[i] = n / t.Bucket
	}
	return rates
}

// timelineFigure draws what happens in a window of a run: of the first replication of every
// strategy, at one place. Lines that nobody would see are left away.
func timelineFigure(r *request) (Figure, bool) {
	body := &timelinePlot{}
	data := Table{Header: []string{"strategy", "seconds", "front_end", "waiting", "running", "kv_utilization", "arrivals", "preemptions",
		"prompt_throughput", "output_throughput"}}
	left := make([]*results.Series, len(r.res.Series)) // curves of which no run is shown
	for i := range left {
		left[i] = &r.res.Series[i]
	}
	for i := range r.res.Timelines {
		t := &r.res.Timelines[i]
		s, p := r.runOf(t)
		if p == nil || len(body.runs) == mostRuns {
			continue
		}
		left = slices.DeleteFunc(left, func(other *results.Series) bool { return other == s })
		body.runs = append(body.runs, timelineRun{r.nameAt(s, p), *t})
		for k, at := range timesOf(t) {
			data.add(t.Strategy, number(at), number(t.FrontEnd[k]), number(t.Waiting[k]), number(t.Running[k]), number(t.KVUtilization[k]),
				number(t.Arrivals[k]), number(t.Preemptions[k]), number(t.PromptThroughput[k]), number(t.OutputThroughput[k]))
		}
	}
	if len(body.runs) == 0 {
		return Figure{}, false
	}
	body.tracks, body.apart = body.seen(), r.At.Word == results.AtKnee || r.At.Word == results.Saturation
	marks := []string{"one run of each, its first replication: means over buckets of " + latency(1e3*body.runs[0].Bucket)}
	if len(left) > 0 {
		names := make([]string, len(left))
		for i, s := range left {
			names[i] = seriesName(*s)
		}
		marks = append(marks, "not shown: "+strings.Join(names, "; "))
	}
	title := "A window of a run" + r.where()
	return Figure{Title: title, Subtitle: subtitle(r.res, ""), Data: data, body: body,
		Notes: ofOneRun(notes(r.res, "", marks...), r.res)}, true
}

// runOf is the curve and the point that a timeline is of; nil where the figure does not show
// it.
func (r *request) runOf(t *results.Timeline) (*results.Series, *results.Point) {
	for i := range r.res.Series {
		s := &r.res.Series[i]
		if s.Strategy != t.Strategy {
			continue
		}
		if p := r.res.PointAt(s, r.At); p != nil && sameSetting(r.res.SettingOf(s, p), t.Point) {
			return s, p
		}
	}
	return nil, nil
}

func sameSetting(a, b results.Setting) bool {
	for path, v := range a {
		if !v.Same(b[path]) {
			return false
		}
	}
	return len(a) == len(b)
}

// timesOf are the middles of the buckets, in seconds.
func timesOf(t *results.Timeline) []float64 {
	times := make([]float64, len(t.Running))
	for i := range times {
		times[i] = t.From + (float64(i)+0.5)*t.Bucket
	}
	return times
}

// seen are the tracks that are more than zero in some run, and of each the lines that are
// not next to nothing beside the others.
func (p *timelinePlot) seen() []track {
	const least = 0.02
	var kept []track
	for _, t := range tracks {
		t.lines = slices.DeleteFunc(slices.Clone(t.lines), func(l trackLine) bool {
			return !slices.ContainsFunc(p.runs, func(r timelineRun) bool {
				most := slices.Max(l.of(&r.Timeline))
				return most > 0 && most >= least*t.most([]timelineRun{r})
			})
		})
		if len(t.lines) > 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

func (p *timelinePlot) draw(s *chart.Style) drawing {
	columns := max(1, min(len(p.runs), int(s.Width/s.Em(26))))
	d := drawing{rowHeight: 8.5}
	for first := 0; first < len(p.runs); first += columns {
		some := p.runs[first:min(first+columns, len(p.runs))]
		for k := range p.tracks {
			d.panels = append(d.panels, p.row(s, k, some, columns))
		}
	}
	for _, t := range p.tracks {
		for _, l := range t.lines {
			if l.name != "" {
				d.key = append(d.key, chart.Entry{Name: l.name, Swatch: s.AreaSwatch(s.Look(l.look))})
			}
		}
	}
	return d
}

// row is a track of some runs beside each other. The first one names them, the last one has
// the times.
func (p *timelinePlot) row(s *chart.Style, number int, runs []timelineRun, columns int) []*plot.Plot {
	row, t := make([]*plot.Plot, columns), &p.tracks[number]
	for i, r := range runs {
		scaled := p.runs
		if p.apart {
			scaled = runs[i : i+1]
		}
		row[i] = t.panel(s, &r, t.most(scaled))
		if number == 0 {
			row[i].Title.Text = s.Fit(r.name, row[i].Title.TextStyle, s.Width*0.8/vg.Length(columns))
		}
		if number == len(p.tracks)-1 {
			row[i].X.Label.Text = "Time after the first arrival (s)"
		} else {
			row[i].X.Tick.Marker = plot.ConstantTicks{}
		}
	}
	return row
}

// most is the greatest value of any run.
func (t *track) most(runs []timelineRun) float64 {
	most := 0.0
	for _, r := range runs {
		for _, l := range t.lines {
			most = max(most, slices.Max(l.of(&r.Timeline)))
		}
	}
	return most
}

// panel draws the track of one run.
func (t *track) panel(s *chart.Style, r *timelineRun, most float64) *plot.Plot {
	p := s.NewPlot()
	times := timesOf(&r.Timeline)
	chart.Linear(&p.X, r.From, r.From+r.Bucket*float64(len(times)), exact)
	chart.FromZero(&p.Y, []float64{most}, t.format)
	p.Add(s.YTitle(t.title))
	defer fixed(p)()
	for _, l := range t.lines {
		look, values := s.Look(l.look), l.of(&r.Timeline)
		line := make(plotter.XYs, len(values))
		for i, v := range values {
			line[i] = plotter.XY{X: times[i], Y: v}
		}
		p.Add(&plotter.Line{XYs: line, LineStyle: s.Stroke(timelineWidth, look.Line)})
	}
	return p
}

// timelineWidth is that of a line through many values, in hundredths of tick labels.
const timelineWidth = 12
