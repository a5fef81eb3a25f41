package experiments_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"
)

// table is a table of an experiment file.
type table = map[string]any

// drawer draws the tables of a valid experiment, one after the other: what a later one may
// say depends on those before it.
type drawer struct {
	t   *rapid.T
	dir string // has traces, see writeTraces

	measuredSteps bool // cost_model = "measured"

	roofline bool    // the cost model knows model and accelerator
	floor    float64 // least duration of a step in seconds, from what the file says alone
	experts  bool
	pp       bool
	closed   bool // arrivals depend on the run
	urgent   bool // clients have priorities
	strands  bool // requests may wait for a replica for ever
	rate     bool // workload.arrival.rate is given
	clients  []string
	names    []string // of strategies
	guesses  int      // at most, in a row
}

// drawExperiment draws the text of an experiment that is small enough to be simulated
// at once.
func drawExperiment(t *rapid.T, dir string) (string, *drawer) {
	tree, d := drawTree(t, dir)
	if plots := d.plots(tree); len(plots) > 0 {
		tree["plot"] = plots
	}
	var text strings.Builder
	if err := toml.NewEncoder(&text).Encode(tree); err != nil {
		t.Fatal(err)
	}
	return text.String(), d
}

// drawTree draws the tables of an experiment, without those of figures.
func drawTree(t *rapid.T, dir string) (table, *drawer) {
	d := &drawer{t: t, dir: dir}
	tree := table{"title": "drawn", "model": table{}, "hardware": table{}}
	d.optional(tree, "seed", func() any { return d.whole(0, 99) })
	if d.odds(4) {
		tree["replications"] = 2
	}
	d.deployment(tree)
	tree["workload"] = d.workload()
	d.optional(tree, "slo", func() any { return d.objective("attainment") })
	d.optional(tree, "measure", func() any { return d.measure(tree["workload"].(table)) })
	var strategies []table
	for i := range d.whole(1, 2) {
		strategies = append(strategies, d.strategy(fmt.Sprint("s", i), tree))
	}
	tree["strategy"] = strategies
	d.settle(tree, strategies)
	d.fleet(tree, strategies)
	d.optional(tree, "prices", func() any { return d.prices(tree) })
	d.judgements(tree)
	for _, name := range []string{"model", "hardware"} {
		if len(tree[name].(table)) == 0 {
			delete(tree, name)
		}
	}
	return tree, d
}

// settle gives the tables that all have in common what a strategy needs of them.
func (d *drawer) settle(tree table, strategies []table) {
	for _, s := range strategies {
		if s["order"] == "deadline" {
			slo, _ := tree["slo"].(table)
			if slo == nil {
				slo = table{}
				tree["slo"] = slo
			}
			slo["ttft_ms"] = d.number(1, 2000)
		}
		if s["reserve"] == "max" || s["scheduler"] == "orca" && s["reserve"] == nil {
			tree["model"].(table)["max_model_len"] = d.whole(100, 256)
		}
	}
}

// objective is an [slo] table, or that of a client, which has no attainment.
func (d *drawer) objective(more ...string) table {
	slo := table{}
	for _, key := range append([]string{"ttft_ms", "tpot_ms", "e2el_ms", "itl_p99_ms"}, more...) {
		d.optional(slo, key, func() any {
			if key == "attainment" {
				return d.number(0.1, 1)
			}
			return d.number(1, 2000)
		})
	}
	return slo
}

// measure is a [measure] table. Where arrivals depend on the run, it is drained, unless it ends
// at a time, and nobody knows beforehand who is the last.
func (d *drawer) measure(w table) table {
	m := table{}
	n, _ := w["num_requests"].(int)
	many := n >= 10 && w["duration"] == nil && d.rate && !d.closed && w["client"] == nil
	if many || d.closed {
		d.optional(m, "warmup", func() any {
			if many && d.bool() {
				return d.number(0, 0.3)
			}
			return "0s"
		})
	}
	if many {
		d.optional(m, "cooldown", func() any { return d.one(d.number(0, 0.3), "1us") })
	}
	if !d.closed {
		d.optional(m, "drain", func() any { return d.bool() })
	}
	if d.odds(4) {
		m["max_time"] = d.seconds(0.01, 20)
	}
	return m
}

// judgements are the sweep, and what is expected and claimed of it.
func (d *drawer) judgements(tree table) {
	sweep, at := table{}, []any{"lowest", "highest"}
	rate, seqs := "workload.arrival.rate", "strategy.s0.max_num_seqs"
	if d.rate && d.odds(2) {
		sweep[rate] = []any{d.number(1, 30), d.number(31, 90)}
	}
	if d.odds(4) {
		sweep[seqs] = []any{d.whole(1, 8), d.whole(9, 64)}
	}
	switch {
	case len(sweep) == 2 && d.bool():
		sweep["mode"] = "zip"
	case len(sweep) == 2:
		at = []any{table{rate: sweep[rate].([]any)[0], seqs: sweep[seqs].([]any)[1]}}
	case len(sweep) == 0:
		at = nil
	}
	if at != nil {
		tree["sweep"] = sweep
	}
	if sweep[rate] != nil && len(sweep) == 1 {
		d.optional(tree, "search", func() any { return d.search(rate) })
	}
	d.optional(tree, "expect", func() any { return []table{d.expectation(tree, at)} })
	if len(d.names) > 1 {
		d.optional(tree, "claim", func() any { return []table{d.claim(at)} })
	}
	if values, ok := sweep[rate].([]any); ok && sweep["mode"] == nil {
		d.optional(tree, "curve", func() any { return []table{d.published(values[0], sweep), d.published(values[1], sweep)} })
	}
	if tree["curve"] != nil {
		d.optional(tree, "paper", func() any { return d.paper() })
	}
}

// paper is the table [paper].
func (d *drawer) paper() table {
	p := table{"name": "Drawn et al."}
	d.optional(p, "url", func() any { return "https://example.org" })
	d.optional(p, "unknown", func() any { return []any{"the weather"} })
	d.optional(p, "chosen", func() any { return []any{"the day"} })
	if len(d.names) > 1 {
		d.optional(p, "witness", func() any { return table{d.names[0]: d.names[1]} })
	}
	return p
}

// published is a [[curve]] table of a point at a rate of the sweep.
func (d *drawer) published(rate any, sweep table) table {
	c := table{"figure": d.word("F G"), "strategy": d.names[0], "metric": d.word(metricNames), "points": []any{[]any{rate, d.number(0.1, 1e3)}}}
	if len(d.names) > 1 {
		d.optional(c, "over", func() any { return d.names[1] })
	}
	if seqs := "strategy.s0.max_num_seqs"; sweep[seqs] != nil { // the first axis is the first in the alphabet
		c["points"].([]any)[0].([]any)[0], c["where"] = d.one(sweep[seqs].([]any)...), table{"workload.arrival.rate": rate}
		c["x"] = seqs
	}
	d.optional(c, "within", func() any { return d.number(0.3, 0.9) })
	d.optional(c, "reading", func() any { return d.number(0, 0.05) })
	d.optional(c, "why", func() any { return "drawn" })
	if sweep["strategy.s0.max_num_seqs"] == nil {
		d.optional(c, "x", func() any { return "workload.arrival.rate" })
	}
	return c
}

// search is the table [search] beside a sweep of the load.
func (d *drawer) search(load string) table {
	s := table{}
	d.optional(s, "load", func() any { return load })
	d.optional(s, "target", func() any { return d.number(0.1, 0.99) })
	d.optional(s, "tolerance", func() any { return d.number(0.01, 0.5) })
	d.optional(s, "min", func() any { return d.number(1, 10) })
	d.optional(s, "max", func() any { return d.number(11, 90) })
	d.optional(s, "max_requests", func() any { return d.whole(1, 60_000) })
	return s
}

const metricNames = "mean_ttft_ms p99_tpot_ms output_throughput slo_attainment cost_usd"

func (d *drawer) expectation(tree table, at []any) table {
	x := table{"metric": d.word(metricNames), "between": []any{0, d.number(1, 1e6)}}
	if len(d.names) > 1 && d.bool() {
		x["ratio"] = []any{d.names[1], d.names[0]}
	} else {
		x["strategy"] = d.names[0]
	}
	if at != nil {
		x["at"] = d.one(at...)
	}
	if m, _ := tree["measure"].(table); m["cooldown"] == "1us" && x["at"] != "knee" {
		d.optional(x, "window", func() any { return d.word("run steady") })
	}
	d.optional(x, "source", func() any { return "drawn" })
	return x
}

func (d *drawer) claim(at []any) table {
	c := table{"strategy": d.names[1], "metric": d.word(metricNames), "factor": []any{d.number(0.1, 1), d.number(1, 10)}}
	d.optional(c, "over", func() any { return d.names[0] })
	d.optional(c, "source", func() any { return "drawn" })
	if at != nil {
		c["at"] = d.one(at[0], at)
	}
	return c
}

// optional sets a key in half of the draws.
func (d *drawer) optional(in table, key string, value func() any) {
	if d.bool() {
		in[key] = value()
	}
}

func (d *drawer) bool() bool { return rapid.Bool().Draw(d.t, "yes") }

// odds is true once in n draws.
func (d *drawer) odds(n int) bool { return d.below(n) == n-1 }

// below is a number from 0 to n-1, each alike: rapid's own ranges prefer small ones, which
// would leave most replicas idle.
func (d *drawer) below(n int) int {
	bits := 0
	for range 10 {
		bits *= 2
		if d.bool() {
			bits++
		}
	}
	return bits * n >> 10
}

func (d *drawer) one(of ...any) any { return of[d.below(len(of))] }

// word is one of several words.
func (d *drawer) word(of string) string {
	words := strings.Fields(of)
	return words[d.below(len(words))]
}

func (d *drawer) whole(low, high int) int { return low + d.below(high-low+1) }

// number is one of a thousand and one between two bounds, the bounds among them.
func (d *drawer) number(low, high float64) float64 {
	x := low + (high-low)*float64(d.below(1001))/1000
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return math.Min(math.Max(rounded, low), high)
}

// amount is a number with a unit.
func (d *drawer) amount(low, high float64, unit string) string {
	return fmt.Sprint(d.number(low, high), unit)
}

func (d *drawer) seconds(low, high float64) string { return d.amount(low, high, "s") }
