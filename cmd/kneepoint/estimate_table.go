package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/hardware/estimate"
	"kneepoint/hardware/roofline"
	"kneepoint/units"
)

// renderEstimate writes an estimate in the order in which people ask: does it fit,
// how fast is it, why, how many can it serve at what cost. What the numbers rest on
// comes last, where it is read after them.
func renderEstimate(w io.Writer, e *estimate.Report, d roofline.Deployment) {
	fmt.Fprintln(w, deploymentLine(&d))
	fmt.Fprintln(w, questionLine(&e.Question))
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
	if e.Spread != nil {
		fmt.Fprintf(w, "estimated: %s, as near as half of the accelerators were whose own kernels were left out\n", spreadWords(e.Spread))
	}
}

// spreadWords are the times that estimated kernels may give.
func spreadWords(s *estimate.Spread) string {
	words := fmt.Sprintf("TTFT of %s to %s ms", units.Significant(s.TTFTMS[0]), units.Significant(s.TTFTMS[1]))
	if s.TPOTMS != nil {
		words += fmt.Sprintf(", TPOT of %s to %s ms", units.Significant(s.TPOTMS[0]), units.Significant(s.TPOTMS[1]))
	}
	return words
}

// deploymentLine names what was estimated.
func deploymentLine(d *roofline.Deployment) string {
	return fmt.Sprintf("%s on %d x %s, %s", d.Architecture.Name, d.Accelerators(), d.Accelerator.Name, deploymentWords(d))
}

// deploymentWords say how a model is deployed. Parallelism of 1 is the usual case, and goes
// without saying.
func deploymentWords(d *roofline.Deployment) string {
	var parts []string
	for _, p := range []struct {
		name  string
		value int
	}{{"tp", d.TP}, {"pp", d.PP}, {"dp", d.DP}, {"ep", d.EP}} {
		if p.value > 1 {
			parts = append(parts, fmt.Sprintf("%s %d", p.name, p.value))
		}
	}
	if w := d.Accelerator.PowerCapWatts; w > 0 {
		parts = append(parts, fmt.Sprintf("up to %v W each", w))
	}
	return strings.Join(append(parts, fmt.Sprintf("weights %s, activations %s, KV %s", d.Weights, d.Activations, d.KV), d.Engine.Name), ", ")
}

// questionLine names the lengths, in tokens, and the batch where it is not 1.
func questionLine(q *estimate.Question) string {
	line := fmt.Sprintf("tokens: prompt %d, output %d", q.Prompt, q.Output)
	if q.Context > 0 {
		line += fmt.Sprintf(", after %d in the KV cache", q.Context)
	}
	if q.Batch > 1 {
		line += fmt.Sprintf("; a batch of %d", q.Batch)
	}
	return line
}

// renderMemory shows where an accelerator's memory goes as a sum that can be checked,
// and how many users the rest holds: of the length asked for, then of lengths in
// which context windows are sold.
func renderMemory(w io.Writer, e *estimate.Report) {
	m := &e.Memory
	states := ""
	if m.States > 0 {
		states = " + states " + size(m.States)
	}
	fmt.Fprintf(w, "\nmemory    weights %s + activations %s + runtime %s%s + KV %s = %s per accelerator (%s of %s)\n", size(m.Weights),
		size(m.Activations), size(m.Reserve), states, size(m.KV), size(m.Available), units.Percent(m.Utilization), size(m.Total))
	own := e.Concurrency[0]
	fmt.Fprintf(w, "KV cache  %d tokens: %d users of %d tokens at a time", m.KVTokens, own.Users, own.Tokens)
	for _, c := range e.Concurrency[1:] {
		fmt.Fprintf(w, ", %d of %dk", c.Users, c.Tokens/1024)
	}
	fmt.Fprintln(w)
}

// renderLatency compares what physics asks for with what is expected: the distance
// says how much better software could be. Without a decode phase, of an output of one
// token, or a batch, their rows are absent.
func renderLatency(w io.Writer, e *estimate.Report) {
	most := 0.0
	for _, p := range []*estimate.Phase{&e.Prefill, e.PrefillBatch, e.Decode} {
		if p != nil {
			most = max(most, p.TimeMS)
		}
	}
	time := times(most)
	t := named("", time.title("floor"), "bound by", time.title("expected"), "MFU", "MBU", "tok/s", "per\naccelerator")
	addPhase(t, time, "TTFT", &e.Prefill)
	addPhase(t, time, fmt.Sprintf("TTFT of the last of %d", e.Batch), e.PrefillBatch)
	name := "TPOT"
	if e.Batch > 1 {
		name = fmt.Sprintf("decode step of %d", e.Batch)
	}
	addPhase(t, time, name, e.Decode)
	fmt.Fprintln(w)
	t.print(page{Writer: w})
}

// addPhase adds the row of a phase, nothing where p is nil.
func addPhase(t *sheet, time scale, name string, p *estimate.Phase) {
	if p == nil {
		return
	}
	t.AppendRow(table.Row{name, time.write(p.FloorMS), p.FloorBound, time.write(p.TimeMS), units.Percent(p.MFU), units.Percent(p.MBU),
		units.Significant(p.TokensPerSecond), units.Significant(p.TokensPerSecondPerAccelerator)})
}
