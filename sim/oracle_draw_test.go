package sim_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/workloads"
)

// oracleCase is a random run: traffic, rules, and the policy that claims to follow
// these rules.
type oracleCase struct {
	short      bool // of memory
	rules      oracleRules
	cost       oracleCost
	requests   []workloads.Request
	policy     func() policies.Batching
	reserve    policies.Reservation
	eviction   policies.Eviction
	gap        float64       // share of the gaps between tokens that are shorter than the bound
	bound      units.Seconds // that they are held against
	acceptance *workloads.Acceptance
}

// oracleEngines draw the rules of each kind of engine.
var oracleEngines = map[string]func(*oracleCase, *rapid.T){
	"vllm-v1": (*oracleCase).drawV1,
	"vllm-v0": func(c *oracleCase, t *rapid.T) {
		c.rules.scheduler, c.rules.eager = oracleV0, true
		c.rules.tokens = c.longest() + rapid.IntRange(0, 30).Draw(t, "budget")
		c.policy = func() policies.Batching {
			return &policies.PrefillFirst{MaxNumSeqs: c.rules.seqs, MaxNumBatchedTokens: c.rules.tokens}
		}
	},
	"sarathi": func(c *oracleCase, t *rapid.T) {
		c.rules.scheduler = oracleSarathi
		c.rules.tokens = min(c.rules.seqs, len(c.requests)) + rapid.IntRange(0, 40).Draw(t, "budget") // all may decode
		c.policy = func() policies.Batching {
			return &policies.Sarathi{MaxNumSeqs: c.rules.seqs, MaxNumBatchedTokens: c.rules.tokens}
		}
	},
	"orca": func(c *oracleCase, t *rapid.T) {
		c.rules.scheduler = oracleOrca
		c.drawReservation(t)
		c.policy = func() policies.Batching { return &policies.Orca{MaxNumSeqs: c.rules.seqs} }
	},
	"static": func(c *oracleCase, t *rapid.T) {
		c.rules.scheduler = oracleStatic
		c.drawReservation(t)
		c.rules.maxWait = rapid.SampledFrom([]float64{0, 0.5, 3, 1000}).Draw(t, "max wait")
		c.rules.padded = rapid.Bool().Draw(t, "padded")
		c.rules.whole = c.rules.padded || rapid.Bool().Draw(t, "whole")
		c.policy = func() policies.Batching {
			reads := policies.ReadOwn
			if c.rules.padded {
				reads = policies.ReadRows
			}
			return &policies.Static{BatchSize: c.rules.seqs, Padded: c.rules.padded, Reads: reads, MaxWait: units.Seconds(c.rules.maxWait)}
		}
	},
}

// drawOracleCase draws a case; half of them are short of memory.
func drawOracleCase(t *rapid.T, draw func(*oracleCase, *rapid.T)) *oracleCase {
	c := &oracleCase{reserve: policies.ReservePaged, short: rapid.Bool().Draw(t, "short of memory"), gap: rapid.Float64Range(0, 1).Draw(t, "shorter gaps")}
	c.drawTraffic(t)
	c.rules.size = rapid.SampledFrom([]int{1, 2, 4, 16}).Draw(t, "block size")
	c.rules.maxLen = 1 << 30
	need := (c.longest()+c.rules.size-1)/c.rules.size + 1
	c.rules.seqs = rapid.SampledFrom([]int{1, 3, 8, 100}).Draw(t, "max_num_seqs")
	c.rules.blocks = need * rapid.SampledFrom([]int{2, 5, 30, 1000}).Draw(t, "memory")
	if c.short {
		c.rules.seqs = rapid.SampledFrom([]int{3, 8, 100, 100}).Draw(t, "max_num_seqs in short memory")
		c.rules.blocks = need + rapid.IntRange(0, need).Draw(t, "spare blocks")
	}
	c.rules.blocks += c.rules.blocks / 99 // the longest request is below any watermark
	draw(c, t)
	return c
}

// drawV1 draws prefix caching, asynchronous scheduling and speculation alone and together.
// Not drawn is what neither the oracle nor the engines do: that a lookup leaves out the last
// block found where EAGLE guesses, and asynchronous scheduling of pipelines.
func (c *oracleCase) drawV1(t *rapid.T) {
	c.rules.scheduler = oracleV1
	c.rules.tokens = rapid.SampledFrom([]int{1, 8, 50, 200, 1000}).Draw(t, "budget")
	c.rules.threshold = rapid.SampledFrom([]int{0, 0, 1, 5, 20}).Draw(t, "long prefill token threshold")
	if rapid.Bool().Draw(t, "prefix caching") {
		c.rules.caching, c.eviction = true, policies.LRU{}
	}
	c.rules.async = rapid.Bool().Draw(t, "asynchronous scheduling")
	if rapid.Bool().Draw(t, "speculation") {
		c.drawGuesses(t)
	}
	var guesses *policies.Guesses
	if c.rules.guesses > 0 {
		guesses = &policies.Guesses{Proposals: &policies.FixedProposals{Tokens: c.rules.guesses}, Lookahead: c.rules.lookahead}
	}
	c.policy = func() policies.Batching {
		return &policies.Continuous{MaxNumSeqs: c.rules.seqs, MaxNumBatchedTokens: c.rules.tokens, LongPrefillTokenThreshold: c.rules.threshold,
			Guesses: guesses}
	}
}

// drawGuesses draws speculation, by a proposer with keys and values of its own or
// without, and a context that bounds it.
func (c *oracleCase) drawGuesses(t *rapid.T) {
	c.rules.guesses = rapid.SampledFrom([]int{1, 2, 3, 7}).Draw(t, "guesses")
	c.rules.lookahead = rapid.SampledFrom([]int{0, c.rules.guesses}).Draw(t, "lookahead")
	c.rules.maxLen = min(c.longest()+rapid.IntRange(0, 40).Draw(t, "context"), c.rules.blocks*c.rules.size)
	acceptance := rapid.SampledFrom([][]float64{{0}, {0.5}, {1}, {0.9, 0.2}}).Draw(t, "acceptance")
	c.acceptance = workloads.NewAcceptance(acceptance, 1, 0)
}

func (c *oracleCase) drawReservation(t *rapid.T) {
	c.reserve = policies.ReserveDeclared
	c.rules.reserve = func(prompt, output int) int { return prompt + output }
	if longest := c.longest(); rapid.Bool().Draw(t, "reserve max") {
		c.reserve = policies.ReserveMax(longest)
		c.rules.reserve = func(int, int) int { return longest }
	}
}

// drawTraffic draws requests in bursts, and a cost with or without ties: where all
// is whole quarters of a second, requests arrive as steps end.
func (c *oracleCase) drawTraffic(t *rapid.T) {
	gaps := [][]float64{{0}, {0, 0.0317, 0.173}, {0, 0, 0, 1.37, 9.1}}
	c.cost = oracleCost{fixed: 0.0731, row: 0.00913, context: 0.000271, chunk: 0.0117, token: 0.00331, again: 0.000131,
		padding: 0.00711, logit: 0.000913, draft: 0.00173, pass: 0.0093, read: 0.000173, tired: 0.0271}
	if rapid.Bool().Draw(t, "ties") {
		gaps = [][]float64{{0, 0.25}, {0, 0.5, 1.75}, {0, 0, 0, 4, 30}}
		c.cost = oracleCost{fixed: 0.5, row: 0.25, token: 0.25, padding: 0.25, draft: 0.25}
	}
	counts := []int{1, 4, 12, 30}
	if c.short {
		counts, gaps = []int{5, 15, 40}, gaps[:2]
	}
	lengths := []int{3, 12, 60}
	gap := rapid.SampledFrom(rapid.SampledFrom(gaps).Draw(t, "gaps"))
	prompt, output := rapid.SampledFrom(lengths).Draw(t, "longest prompt"), rapid.SampledFrom(lengths).Draw(t, "longest answer")
	span := rapid.SampledFrom([]int{100, 7, 1, 16}).Draw(t, "span")
	branches := rapid.IntRange(0, 1).Draw(t, "branches") // 0: what is named is alike
	at := units.Seconds(0)
	for range rapid.SampledFrom(counts).Draw(t, "requests") {
		at += units.Seconds(gap.Draw(t, "gap"))
		r := workloads.Request{ID: len(c.requests), Planned: at, Arrival: at}
		r.Input, r.Output = rapid.IntRange(1, prompt).Draw(t, "input"), rapid.IntRange(1, output).Draw(t, "output")
		drawContent(t, span, branches, &r)
		if rapid.IntRange(0, 9).Draw(t, "sent") > 0 || len(c.requests) == 0 { // shrinking leaves out what it can
			c.requests = append(c.requests, r)
		}
	}
}

// drawContent lets requests begin alike: an ID names a path in a tree, so that it is
// alike only where all before it are.
func drawContent(t *rapid.T, span, branches int, r *workloads.Request) {
	content, id := &workloads.Content{Span: span}, 1
	for range 3 {
		id = 2*id + rapid.IntRange(0, branches).Draw(t, "branch")
		content.IDs = append(content.IDs, id)
	}
	content.IDs = content.IDs[:rapid.IntRange(1, 3).Draw(t, "depth")]
	r.Named = []int{0, r.Input + r.Output, r.Input, (r.Input + 1) / 2}[rapid.IntRange(0, 3).Draw(t, "named")]
	if r.Named > 0 {
		r.Content = content
	}
}

// longest is the number of tokens of the longest request.
func (c *oracleCase) longest() int {
	n := 0
	for _, r := range c.requests {
		n = max(n, r.Input+r.Output)
	}
	return n
}

func (c *oracleCase) oracle() (*oracle, []*oracleRequest) {
	o := &oracle{rules: c.rules, pool: newOraclePool(c.rules.blocks, c.rules.size, c.rules.caching)}
	for _, r := range c.requests {
		o.arriving = append(o.arriving, &oracleRequest{id: r.ID, prompt: r.Input, output: r.Output, arrival: float64(r.Arrival),
			content: r.Content, named: r.Named, admitted: -1})
	}
	o.cost = c.cost
	o.accepted = func(request, index, guesses int) int { return c.acceptance.Accepted(request, index+1, guesses) } // the engines count the answer's tokens from 1
	return o, slices.Clone(o.arriving)
}

func (c *oracleCase) config(observer sim.Observer, reference bool) sim.Config {
	return sim.Config{
		Traffic:  &oracleTraffic{c.requests},
		Observer: observer, Reference: reference, Drain: true, GapBounds: []units.Seconds{c.bound},
		Pools: []sim.Pool{{
			Replicas: 1, Batching: c.policy, Cost: c.cost, Reserve: c.reserve,
			Blocks: c.rules.blocks, BlockSize: c.rules.size, MaxTokens: c.rules.maxLen, Eviction: c.eviction, Acceptance: c.acceptance, AsyncScheduling: c.rules.async,
			WholeAnswers: c.rules.whole, WholeBatches: c.rules.whole,
			FrontEnd: func(int) units.Seconds { return 0 },
		}},
	}
}

// String is a case as a reader needs it to think it through.
func (c *oracleCase) String() string {
	var b strings.Builder
	r := c.rules
	r.scheduler, r.reserve = nil, nil
	fmt.Fprintf(&b, "%+v\ncost %+v\n", r, c.cost)
	for _, r := range c.requests {
		fmt.Fprintf(&b, "request %d at %v: %d tokens in, %d out", r.ID, r.Arrival, r.Input, r.Output)
		if r.Content != nil {
			fmt.Fprintf(&b, ", the first %d named %v, each for %d", r.Named, r.Content.IDs, r.Content.Span)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
