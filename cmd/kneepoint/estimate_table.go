package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"kneepoint/hardware/estimate"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
)

// renderEstimate writes an estimate: what was asked, memory, latency, where the
// time goes, service, and what the numbers rest on.
func renderEstimate(w io.Writer, e *estimate.Report, d roofline.Deployment) {
	fmt.Fprintln(w, deploymentLine(e, &d))
	fmt.Fprintln(w, questionLine(e))
	renderMemory(w, e)
	renderLatency(w, e)
	renderBreakdown(w, e)
	renderService(w, e)
	renderChat(w, e)
	renderPortable(w, e)
	renderColdStart(w, e)
	for _, reason := range e.Estimated {
		fmt.Fprintf(w, "estimated: %s\n", reason)
	}
}

func deploymentLine(e *estimate.Report, d *roofline.Deployment) string {
	parts := []string{fmt.Sprintf("%s on %d x %s", e.Model, e.Accelerators, e.Accelerator)}
	for _, p := range []struct {
		name  string
		value int
	}{{"tp", d.TP}, {"pp", d.PP}, {"dp", d.DP}, {"ep", d.EP}} {
		if p.value > 1 {
			parts = append(parts, fmt.Sprintf("%s %d", p.name, p.value))
		}
	}
	return strings.Join(append(parts, fmt.Sprintf("weights %s, activations %s, KV %s", d.Weights, d.Activations, d.KV), e.Engine), ", ")
}

func questionLine(e *estimate.Report) string {
	line := fmt.Sprintf("tokens: prompt %d, output %d", e.Prompt, e.Output)
	if e.Context > 0 {
		line += fmt.Sprintf(", after %d in the KV cache", e.Context)
	}
	if e.Batch > 1 {
		line += fmt.Sprintf("; a batch of %d", e.Batch)
	}
	return line
}

func renderMemory(w io.Writer, e *estimate.Report) {
	m := &e.Memory
	fmt.Fprintf(w, "\nmemory    weights %s + activations %s + runtime %s + KV %s = %s per accelerator (%s of %s)\n",
		size(m.Weights), size(m.Activations), size(m.Reserve), size(m.KV), size(m.Available), units.Percent(m.Utilization), size(m.Total))
	own := e.Concurrency[0]
	fmt.Fprintf(w, "KV cache  %d tokens: %d users of %d tokens at a time", m.KVTokens, own.Users, own.Tokens)
	for _, c := range e.Concurrency[1:] {
		fmt.Fprintf(w, ", %d of %dk", c.Users, c.Tokens/1024)
	}
	fmt.Fprintln(w)
}

// renderLatency compares what physics asks for with what is expected.
func renderLatency(w io.Writer, e *estimate.Report) {
	t := newTable()
	t.AppendHeader(table.Row{"", "floor", "bound by", "expected", "MFU", "MBU", "tok/s", "per accelerator"})
	add := func(name string, p *estimate.Phase) {
		if p != nil {
			t.AppendRow(table.Row{name, span(p.FloorMS), p.FloorBound, span(p.TimeMS), units.Percent(p.MFU), units.Percent(p.MBU),
				units.Significant(p.TokensPerSecond), units.Significant(p.TokensPerSecondPerAccelerator)})
		}
	}
	add("TTFT", &e.Prefill)
	add(fmt.Sprintf("TTFT of the last of %d", e.Batch), e.PrefillBatch)
	name := "TPOT"
	if e.Batch > 1 {
		name = fmt.Sprintf("decode step of %d", e.Batch)
	}
	add(name, e.Decode)
	fmt.Fprintln(w)
	renderNamed(w, t, 8)
}

// renderService compares the batch that was asked for with the largest one.
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
	if e.Largest != nil {
		fmt.Fprintf(w, "largest batch: %d, limited by %s\n", e.Largest.Batch, e.Limit)
	} else {
		fmt.Fprintf(w, "largest batch: none; %s\n", e.Limit)
	}
	renderSLO(w, e)
}

func batchName(n int) string {
	if n == 1 {
		return "1 request"
	}
	return fmt.Sprintf("%d requests", n)
}

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
			verdict := "met"
			if !o.met {
				verdict = "missed"
			}
			parts = append(parts, fmt.Sprintf("%s of %s %s", o.name, span(o.ms), verdict))
		}
	}
	fmt.Fprintf(w, "SLO with %s: %s\n", batchName(e.Batch), strings.Join(parts, ", "))
}

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

// renderNamed writes a table whose first column is names, flush left.
func renderNamed(w io.Writer, t table.Writer, columns int) {
	configs := make([]table.ColumnConfig, columns)
	for i := range configs {
		configs[i] = table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight}
	}
	configs[0].Align, configs[0].AlignHeader = text.AlignLeft, text.AlignLeft
	t.SetColumnConfigs(configs)
	for _, line := range strings.Split(t.Render(), "\n") {
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// span writes milliseconds in the unit that suits them, from µs to hours.
func span(ms float64) string { return units.Seconds(ms / 1e3).String() }

func size(n float64) string { return units.Bytes(n).String() }
