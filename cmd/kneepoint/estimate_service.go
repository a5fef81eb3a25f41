package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/hardware/estimate"
	"kneepoint/units"
)

// renderService compares the batch that was asked for with the largest one, which is
// what the hardware could earn at best. Without a price there are no columns of it.
func renderService(w io.Writer, e *estimate.Report) {
	t := newTable()
	header := table.Row{"always in work", "TTFT", "TPOT", "E2E latency", "req/s", "output tok/s", "J/token"}
	if e.Service.Price != nil {
		header = append(header, "$/Mtok output", "or prompts + output apart")
	}
	t.AppendHeader(header)
	addService(t, batchName(e.Batch), &e.Service)
	if e.Largest != nil && e.Largest.Batch != e.Batch {
		addService(t, batchName(e.Largest.Batch), e.Largest)
	}
	fmt.Fprintln(w)
	renderNamed(w, t, len(header))
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

// addService adds the row of one batch. An output of one token has no TPOT.
func addService(t table.Writer, name string, s *estimate.Service) {
	tpot := "–"
	if s.TPOTMS != nil {
		tpot = span(*s.TPOTMS)
	}
	row := table.Row{name, span(s.TTFTMS), tpot, span(s.E2ELMS), units.Significant(s.RequestThroughput), units.Significant(s.OutputThroughput),
		units.Significant(s.EnergyJPerToken)}
	if p := s.Price; p != nil {
		row = append(row, units.Significant(p.PerOutput), units.Significant(p.Prompts)+" + "+units.Significant(p.Generated))
	}
	t.AppendRow(row)
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
