package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// renderService compares the batch that was asked for with the largest one, which is
// what the hardware could earn at best. Without a price there are no columns of it.
func renderService(w io.Writer, e *estimate.Report) {
	services := []*estimate.Service{&e.Service}
	if e.Largest != nil && e.Largest.Batch != e.Batch {
		services = append(services, e.Largest)
	}
	ttft, tpot, e2el := serviceTimes(services)
	titles := []string{ttft.title("TTFT"), tpot.title("TPOT"), e2el.title("E2EL"), "req/s", "output\ntok/s", "output\nJ/tok"}
	if e.Service.Price != nil {
		titles = append(titles, "output\n$/Mtok", "or prompts + output\n$/Mtok")
	}
	t := named("always in work", titles...)
	for _, s := range services {
		row := table.Row{batchName(s.Batch), ttft.write(s.TTFTMS), known(tpotOf(s), tpot.write), e2el.write(s.E2ELMS),
			units.Significant(s.RequestThroughput), units.Significant(s.OutputThroughput), units.Significant(s.EnergyJPerToken)}
		if p := s.Price; p != nil {
			row = append(row, units.Significant(p.PerOutput), units.Significant(p.Prompts)+" + "+units.Significant(p.Generated))
		}
		t.AppendRow(row)
	}
	fmt.Fprintln(w)
	t.print(page{Writer: w})
	fmt.Fprintln(w, largestBatch(e))
	renderSLO(w, e)
}

// largestBatch says what keeps the batch from being larger; Largest is nil where not
// even one request meets the objectives.
func largestBatch(e *estimate.Report) string {
	if e.Largest == nil {
		return "largest batch: none; " + e.Limit
	}
	return fmt.Sprintf("largest batch: %d, limited by %s", e.Largest.Batch, e.Limit)
}

// batchName says how many requests are always in work.
func batchName(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

// serviceTimes are the scales of the latencies of some batches.
func serviceTimes(services []*estimate.Service) (ttft, tpot, e2el scale) {
	var all [3]float64
	for _, s := range services {
		all[0], all[1], all[2] = max(all[0], s.TTFTMS), largest([]float64{all[1], tpotOf(s)}), max(all[2], s.E2ELMS)
	}
	return times(all[0]), times(all[1]), times(all[2])
}

// tpotOf is the TPOT of a batch in ms; NaN of an output of one token.
func tpotOf(s *estimate.Service) float64 {
	if s.TPOTMS == nil {
		return math.NaN()
	}
	return *s.TPOTMS
}

// renderSLO says whether the batch that was asked for meets the objectives; nothing
// where none was given.
func renderSLO(w io.Writer, e *estimate.Report) {
	if e.SLO == nil {
		return
	}
	var parts []string
	for _, o := range []struct {
		name string
		ms   float64
		met  bool
	}{{"TTFT", e.SLO.TTFTMS, e.SLO.TTFTMet}, {"TPOT", e.SLO.TPOTMS, e.SLO.TPOTMet}} {
		if o.ms > 0 {
			parts = append(parts, fmt.Sprintf("%s of %s %s", o.name, span(o.ms), metOrMissed(o.met)))
		}
	}
	fmt.Fprintf(w, "SLO with %s: %s\n", batchName(e.Batch), strings.Join(parts, ", "))
}

func metOrMissed(met bool) string {
	if met {
		return "met"
	}
	return "missed"
}

// renderChat says how one person finds it, and what a second one changes: on a
// machine of one's own that counts more than throughput. The rule of thumb is
// printed, so that who disagrees can judge by the numbers.
func renderChat(w io.Writer, e *estimate.Report) {
	c := e.Chat
	if c == nil {
		return
	}
	verdict := "feels instant"
	if !c.FeelsInstant {
		verdict = "does not feel instant"
	}
	fmt.Fprintf(w, "a chat alone: first token after %s, then %s tok/s; %s (rule of thumb: 1 s, 10 tok/s)\n",
		span(c.TTFTMS), units.Significant(c.TokensPerSecond), verdict)
	if c.WithSecond == nil {
		fmt.Fprintln(w, "a second chat beside it does not fit in the KV cache")
		return
	}
	fmt.Fprintf(w, "a second chat beside it: %s tok/s each\n", units.Significant(*c.WithSecond))
}
