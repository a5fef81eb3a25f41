package main

import (
	"cmp"
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// renderSearched prints the knees that were searched, a row a curve, and what is to be said of them.
func renderSearched(p page, res *results.Results, clock *kneeClock) {
	p.paragraph(res.Title)
	fmt.Fprintln(p)
	p.paragraph(p.bold(kneeMeaning(res)))
	searchedSheet(res, clock).print(p)
	for i := range res.Series {
		if s := &res.Series[i]; s.Knee != nil && s.Knee.Kind == results.KneeBelow {
			p.paragraph(s.Label + ": " + neverText(res, s))
		}
	}
	p.paragraph(estimatedText(res))
	p.paragraph(notesText(res))
}

// searchedSheet is the table: what was found, what it took, and what the service is like at the knee.
func searchedSheet(res *results.Results, clock *kneeClock) *sheet {
	pace := res.SLO.Pace()
	ttft, between := timesOf(res, metrics.P99TTFT), timesOf(res, pace.Tail)
	heads := []head{{title: "strategy", name: isName}, kneeHead(res)}
	heads = append(heads, values("met", "missed", "runs", "CPU\ns", "bottleneck", "missed\nfirst",
		ttft.title("p99 TTFT"), between.title(columnTitle(pace.Tail)))...)
	t := newSheet(heads...)
	t.Style().Options.SeparateHeader = false
	for i := range res.Series {
		s := &res.Series[i]
		found := res.SearchOf(s)
		if s.Knee == nil || found == nil {
			continue
		}
		at := func(metric string) float64 { return res.MetricAtKnee(s, metric) }
		t.AppendRow(table.Row{s.Label, kneeCell(s), endText(found.Met), endText(found.Missed), found.Runs, cpuText(clock.seconds[s.Label]),
			string(examined(res, s).Why.Bottleneck), cmp.Or(res.LimitingBound(s), "–"),
			known(at(metrics.P99TTFT), ttft.write), known(at(pace.Tail), between.write)})
	}
	return t
}

// endText is an end of the bracket; 0 is none.
func endText(load float64) string {
	if load == 0 {
		return "–"
	}
	return loadText(load)
}

// cpuText is seconds of CPU; 0 is not known, or of a search that was kept.
func cpuText(seconds float64) string {
	if seconds == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", seconds)
}

// neverText says how near a curve comes that meets the objective nowhere, and what keeps it from it.
func neverText(res *results.Results, s *results.Series) string {
	point := examined(res, s)
	text := fmt.Sprintf("%s of requests meet it at %s", units.Percent(point.Metrics[metrics.Attainment].Mean), withUnit(res, s.Knee.Value))
	if bound := res.LimitingBound(s); bound != "" {
		text += ", limited by " + bound
	}
	return text + fmt.Sprintf(" (bottleneck %s); %s are asked for", point.Why.Bottleneck, targetText(s.Knee.Target))
}

// withUnit is a load with its unit.
func withUnit(res *results.Results, load float64) string {
	return loadText(load) + " " + cmp.Or(res.Sweep[0].Unit, res.Sweep[0].Label)
}
