package main

import (
	"fmt"
	"math"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// shownOptions is how many candidates a table has unless all are asked for.
const shownOptions = 10

// renderPlan writes what is asked for, the candidates that do it, what is left out, and what
// follows.
func renderPlan(p page, a *results.Answer, all bool) {
	p.paragraph(p.bold(a.Title))
	p.paragraph(demandText(a))
	if len(a.Options) > 0 {
		fmt.Fprintln(p)
		sheet := optionSheet(a, all)
		sheet.keep = min(sheet.keep, hidden-1)
		sheet.print(p)
		if n := len(a.Options) - shownOptions; n > 0 && !all {
			p.paragraph(fmt.Sprintf("and %d more, which tables.txt has", n))
		}
	}
	if a.Demand.Spare > 0 && len(a.Options) > 0 {
		p.paragraph("share that meets the SLO: of the units without the spare; latencies, goodput and energy: of all")
	}
	if a.Prices != nil {
		p.paragraph(a.Prices.Text())
	}
	renderPruned(p, a, all)
	renderWhatIf(p, a)
	renderExpectations(p, a.Expectations)
	renderUncertainty(p, a)
	p.heading("in words")
	for _, sentence := range planWords(a) {
		p.paragraph(sentence)
	}
}

// optionSheet is the table of the candidates that serve the demand, best first.
func optionSheet(a *results.Answer, all bool) *sheet {
	shown := a.Options
	if len(shown) > shownOptions && !all {
		shown = shown[:shownOptions]
	}
	most := func(metric string) float64 {
		most := 0.0
		for i := range shown {
			if e, ok := shown[i].Metric(metric); ok {
				most = math.Max(most, e.Mean)
			}
		}
		return most
	}
	pace := a.SLO.Pace()
	ttft, between := times(most(metrics.P99TTFT)), times(most(pace.Tail))
	t := newSheet(head{title: "candidate", name: isName}, head{title: unitsTitle(a)}, head{title: "accel-\nerators", spare: 3},
		head{title: "price\n$/h", spare: unlessPriced(a, 1)}, head{title: "goodput\n$/Mtok", spare: unlessPriced(a, 2)},
		head{title: "meet\nthe SLO"}, head{title: "with one\nless", spare: 5},
		head{title: "head-\nroom", spare: 5},
		head{title: ttft.title("p99 TTFT")}, head{title: between.title(columnTitle(pace.Tail))},
		head{title: "power\nkW", spare: 6}, head{title: "energy\nJ/tok", spare: 6},
		head{title: "CO2 at\ngoodput\ng/Mtok", spare: whereKnown(most(metrics.CarbonPerMillionGoodTokens), 6)}, head{title: "bottleneck", spare: 4})
	for i := range shown {
		o := &shown[i]
		value := func(metric string, write func(float64) string) string {
			if e, ok := o.Metric(metric); ok {
				return write(e.Mean)
			}
			return ""
		}
		bottleneck := ""
		if o.Fleet != nil {
			bottleneck = string(o.Fleet.Bottleneck)
		}
		t.AppendRow(table.Row{o.Name, unitsText(o.Units, a.Demand.Spare), o.Unit.Accelerators * (o.Units + a.Demand.Spare),
			known(hourly(a, o), units.Significant), value(metrics.CostPerMillionGoodTokens, units.Significant),
			attainedText(o.Judged), attainedText(o.Fewer), roomText(o.Headroom), value(metrics.P99TTFT, ttft.write), value(pace.Tail, between.write),
			value(metrics.MeanPower, func(w float64) string { return units.Significant(w / 1e3) }),
			value(metrics.EnergyPerToken, units.Significant), value(metrics.CarbonPerMillionGoodTokens, units.Significant), bottleneck})
	}
	return t
}

// headroomText says how much more load than planned so many units bear; nothing where that is not known.
func headroomText(h *results.Headroom, n int) string {
	bear, miss := "They bear", "they miss"
	if n == 1 {
		bear, miss = "It bears", "it misses"
	}
	switch {
	case h == nil || *h == results.Headroom{Met: 1}: // nothing is told
		return ""
	case h.Missed == 0:
		return fmt.Sprintf(" %s over %s more load.", bear, units.Percent(h.Met-1))
	case units.Percent(h.Met-1) == units.Percent(0):
		return fmt.Sprintf(" %s no more load: at %s more %s the objective.", bear, units.Percent(h.Missed-1), miss)
	}
	return fmt.Sprintf(" %s %s more load; at %s more %s the objective.", bear, units.Percent(h.Met-1), units.Percent(h.Missed-1), miss)
}

// roomText is how much more load than planned the units bear; nothing where that is not known.
func roomText(h *results.Headroom) string {
	switch {
	case h == nil || *h == results.Headroom{Met: 1}: // nothing is told
		return ""
	case h.Missed == 0:
		return "> " + units.Percent(h.Met-1)
	}
	return units.Percent(h.Met - 1)
}

// hidden is the number of a spare column that no page has.
const hidden = 99

// unlessPriced is the number of a spare column with prices, where there are any.
func unlessPriced(a *results.Answer, spare int) int {
	if a.Prices == nil {
		return hidden
	}
	return spare
}

// whereKnown is the number of a spare column whose values are not known in every plan.
func whereKnown(most float64, spare int) int {
	if most == 0 {
		return hidden
	}
	return spare
}

// unitsTitle is the head of the numbers of units.
func unitsTitle(a *results.Answer) string {
	if a.Demand.Spare > 0 {
		return "units\n+ spare"
	}
	return "units"
}

func unitsText(n, spare int) string {
	if spare > 0 {
		return fmt.Sprintf("%d + %d", n, spare)
	}
	return fmt.Sprint(n)
}

// attainedText is a share of requests with its interval; nothing of what was not judged.
func attainedText(j *results.Judgement) string {
	switch {
	case j == nil:
		return ""
	case j.Saturated:
		return "overload"
	}
	return percentText(j)
}

// percentText writes a share as closely as its interval allows, of which nothing is below 0 or above 100 %.
func percentText(j *results.Judgement) string {
	digits := 1
	for half := 100 * j.Half; half < 0.1 && digits < 4; half *= 10 {
		digits++
	}
	text := fmt.Sprintf("%.*f%%", digits, 100*j.Attainment)
	if j.Attainment-j.Half >= 0 && j.Attainment+j.Half <= 1 {
		return text + fmt.Sprintf(" ±%.*f", digits, 100*j.Half)
	}
	none := fmt.Sprintf("%.*f", digits, 0.)
	if below := fmt.Sprintf("%.*f", digits, 100*min(j.Half, j.Attainment)); below != none {
		text += " −" + below
	}
	if above := fmt.Sprintf("%.*f", digits, 100*min(j.Half, 1-j.Attainment)); above != none {
		text += " +" + above
	}
	return text
}

// hourly is the price of a fleet with its spares; NaN where there is none.
func hourly(a *results.Answer, o *results.Option) float64 {
	if o.Unit.USDPerHour == nil {
		return math.NaN()
	}
	return *o.Unit.USDPerHour * float64(o.Units+a.Demand.Spare)
}

// renderPruned says which candidates are no answer, and why.
func renderPruned(p page, a *results.Answer, all bool) {
	if len(a.Pruned) == 0 {
		return
	}
	p.heading(fmt.Sprintf("not among them: %d of %d candidates", len(a.Pruned), len(a.Pruned)+len(a.Options)))
	if !all {
		for _, line := range prunedSummary(a) {
			p.paragraph(line)
		}
		return
	}
	t := newSheet(head{title: "candidate", name: isName}, head{title: "why", name: isName})
	for i := range a.Pruned {
		t.AppendRow(table.Row{a.Pruned[i].Name, outText(a, &a.Pruned[i])})
	}
	t.print(p)
}
