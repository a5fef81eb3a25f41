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

// timeUnit is what times are told in.
type timeUnit struct {
	name    string
	seconds float64
}

// longInSeconds is from when on a window is told in hours, in seconds.
const longInSeconds = 3 * 3600

func (r *timelineRun) timeUnit() timeUnit {
	if r.Bucket*float64(len(r.Arrivals)) < longInSeconds {
		return timeUnit{"s", 1}
	}
	return timeUnit{"h", 3600}
}

// mostRuns is how many runs a figure of windows shows.
const mostRuns = 3

// timelineFigure draws what happens in a window of a run: of the first replication of every
// strategy, at one place. Lines that nobody would see are left away.
func timelineFigure(r *request) (Figure, bool) {
	body := &timelinePlot{}
	data := Table{Header: []string{"strategy", "pool", "seconds", "front_end", "waiting", "running", "kv_utilization", "preemptions",
		"prompt_throughput", "output_throughput", "replicas", "starting", "arrivals", "met", "router", "kv_transfer"}}
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
		addTimeline(&data, t)
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
	if r.Window == results.WindowRun {
		title = "A run" + r.where()
	}
	return Figure{Title: title, Subtitle: subtitle(r.res, ""), Data: data, body: body,
		Notes: ofOneRun(notes(r.res, "", marks...), r.res)}, true
}

// addTimeline adds the values of a timeline, and behind them those of its pools.
func addTimeline(data *Table, t *results.Timeline) {
	add := func(pool string, l *results.ReplicaLists, others ...[]float64) {
		for k, at := range timesOf(t) {
			row := []string{t.Strategy, pool, number(at)}
			for _, list := range append([][]float64{l.FrontEnd, l.Waiting, l.Running, l.KVUtilization, l.Preemptions, l.PromptThroughput,
				l.OutputThroughput, l.Replicas, l.Starting}, others...) {
				cell := ""
				if list != nil {
					cell = number(list[k])
				}
				row = append(row, cell)
			}
			data.add(row...)
		}
	}
	add("", &t.ReplicaLists, t.Arrivals, t.Met, t.Router, t.KVTransfer)
	for i := range t.Pools {
		add(t.Pools[i].Name, &t.Pools[i].ReplicaLists, nil, nil, nil, nil)
	}
}

// runOf is the curve and the point that a timeline is of; nil where the figure does not show
// it.
func (r *request) runOf(t *results.Timeline) (*results.Series, *results.Point) {
	for i := range r.res.Series {
		s := &r.res.Series[i]
		if s.Strategy != t.Strategy || t.Window != r.Window {
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

// seen are the tracks that are more than zero in some run, or are seen in any case, and of each the lines that are
// not next to nothing beside the others.
func (p *timelinePlot) seen() []track {
	const least = 0.02
	var kept []track
	for _, t := range slices.Concat(tracks, tracksByPool(p.runs)) {
		if !t.tellsOf(p.runs) {
			continue
		}
		t.lines = slices.DeleteFunc(slices.Clone(t.lines), func(l trackLine) bool {
			return !slices.ContainsFunc(p.runs, func(r timelineRun) bool {
				values := l.of(&r.Timeline)
				most := largestOf(values)
				return t.title == attainedTitle && len(values) > 0 || most > 0 && most >= least*t.most([]timelineRun{r})
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
			if l.name != "" && !slices.ContainsFunc(d.key, func(e chart.Entry) bool { return e.Name == l.name }) {
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
			row[i].X.Label.Text = "Time after the first arrival (" + r.timeUnit().name + ")"
		} else {
			row[i].X.Tick.Marker = plot.ConstantTicks{}
		}
	}
	return row
}

// panel draws the track of one run.
func (t *track) panel(s *chart.Style, r *timelineRun, most float64) *plot.Plot {
	p := s.NewPlot()
	times, unit := timesOf(&r.Timeline), r.timeUnit().seconds
	for i := range times {
		times[i] /= unit
	}
	chart.Linear(&p.X, r.From/unit, (r.From+r.Bucket*float64(len(times)))/unit, exact)
	chart.FromZero(&p.Y, []float64{most}, t.format)
	p.Add(s.YTitle(t.title))
	defer fixed(p)()
	for _, l := range t.lines {
		for _, line := range unbroken(times, l.of(&r.Timeline), r.Bucket/unit) {
			p.Add(&plotter.Line{XYs: line, LineStyle: s.Stroke(timelineWidth, s.Look(l.look).Line)})
		}
	}
	return p
}

// unbroken are the parts of a line between the buckets that have no value, such as an
// attainment where nothing arrives. A bucket by itself is drawn over its length.
func unbroken(times, values []float64, bucket float64) []plotter.XYs {
	var parts []plotter.XYs
	open := false
	for i, v := range values {
		if !finite(v) {
			open = false
			continue
		}
		if !open {
			parts = append(parts, nil)
		}
		open = true
		last := len(parts) - 1
		parts[last] = append(parts[last], plotter.XY{X: times[i], Y: v})
	}
	for i, line := range parts {
		if len(line) == 1 {
			at := line[0]
			parts[i] = plotter.XYs{{X: at.X - bucket/2, Y: at.Y}, {X: at.X + bucket/2, Y: at.Y}}
		}
	}
	return parts
}

// timelineWidth is that of a line through many values, in hundredths of tick labels.
const timelineWidth = 12
