package sim

import (
	"math"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/units"
	"kneepoint/units/paging"
	"kneepoint/workloads"
)

// scene is a small run with everything that can go wrong: hardly any memory,
// requests that are too long, simultaneous events, an early end.
type scene struct {
	traffic *scripted
	config  Config // but for its traffic and policies, which are used up by a run
	policy  func() policies.Batching
	size    int               // of a batch, where the policy takes memory as it goes
	budget  int               // of tokens, of the policy that moves; 0: none
	chunk   int               // tokens of a sequence in a step at most; 0: a whole prompt
	count   int               // of replicas
	counts  bool              // the scheduler plans guesses itself
	guesses *policies.Guesses // that it plans
}

func drawScene(t *rapid.T) scene {
	s := scene{traffic: &scripted{}, count: rapid.IntRange(1, 3).Draw(t, "replicas")}
	pool := Pool{
		Blocks:    rapid.IntRange(0, 12).Draw(t, "blocks"),
		BlockSize: rapid.IntRange(1, 6).Draw(t, "block size"),
		MaxTokens: rapid.SampledFrom([]int{math.MaxInt, 20}).Draw(t, "context"),
		FrontEnd:  drawFrontEnd(t),
		Cost:      drawCost(t),
		// Both change when tokens come, and no invariant.
		AsyncScheduling: rapid.Bool().Draw(t, "async scheduling"),
		Eviction:        rapid.SampledFrom([]policies.Eviction{nil, policies.LRU{}, policies.LFU{}, policies.LengthAware{}}).Draw(t, "eviction"),
		WholeAnswers:    rapid.IntRange(0, 3).Draw(t, "whole answers") == 0,
		MaxWaiting:      rapid.SampledFrom([]int{0, 0, 0, 1, 3}).Draw(t, "max waiting"),
	}
	if pool.Eviction == (policies.LRU{}) { // no time of a run is as uneven
		pool.CacheTTL = rapid.SampledFrom([]units.Seconds{0, 0.7717, 3.2923, 12.0377}).Draw(t, "cache TTL")
	}
	drawSurroundings(t, &pool)
	s.config = Config{
		Pools:    []Pool{pool},
		TooLong:  rapid.SampledFrom([]TooLong{Reject, Truncate}).Draw(t, "too long"),
		MaxTime:  rapid.SampledFrom([]units.Seconds{0, 0, 7, 30.5}).Draw(t, "max time"),
		Drain:    true,
		InWindow: func(r workloads.Request) bool { return r.ID%2 == 0 },
	}
	if rapid.Bool().Draw(t, "ranked") { // few ranks, so that many are equal
		s.config.Rank = rapid.SampledFrom([]func(workloads.Request) float64{
			func(r workloads.Request) float64 { return float64(r.Output % 3) },
			func(r workloads.Request) float64 { return float64(-r.Class) },
			func(r workloads.Request) float64 { return float64(r.Arrival) + 3*float64(r.Class) },
		}).Draw(t, "rank")
		s.config.LeastUrgentFirst = rapid.Bool().Draw(t, "least urgent first")
	} else if rapid.IntRange(0, 3).Draw(t, "by service") == 0 {
		s.config.Served = &ServedOrder{Weight: 2, Foreseen: rapid.Bool().Draw(t, "foreseen")}
	}
	s.config.Router = always(rapid.SampledFrom([]routing.Router{nil, nil, fewest{}, roomiest{}, looking{}}).Draw(t, "router"))
	if rapid.IntRange(0, 3).Draw(t, "counting") == 0 {
		s.config.Router = func() routing.Router { return countless{rand.New(rand.NewPCG(1, 2))} }
	}
	s.drawQueue(t)
	s.config.Signals = Signals{
		Interval:         rapid.SampledFrom([]units.Seconds{0, 0, 0, 0.5, 3}).Draw(t, "signal interval"),
		Delay:            rapid.SampledFrom([]units.Seconds{0, 0, 0, 0.25, 7}).Draw(t, "signal delay"),
		IgnoreDispatches: rapid.IntRange(0, 3).Draw(t, "ignore dispatches") == 0,
	}
	s.drawTraffic(t)
	if s.traffic.clients == 0 {
		s.config.Drain = rapid.Bool().Draw(t, "drain")
	}
	s.drawPolicy(t)
	s.drawTiers(t)
	s.drawGuesses(t)
	s.drawWindows(t)
	s.drawScaling(t)
	s.drawFailures(t)
	return s
}

// drawSuiting draws scenes until one suits. One scene in ten does for the narrowest tests,
// and rapid gives up on a test that passes over nine draws of ten.
func drawSuiting(t *rapid.T, suits func(s *scene) bool) scene {
	for range 30 {
		if s := drawScene(t); suits(&s) {
			return s
		}
	}
	t.Skip("no scene suits")
	return scene{}
}

// drawQueue draws a queue at the router, in one scene of four.
func (s *scene) drawQueue(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "router queue") > 0 {
		return
	}
	s.config.Queue = &RouterQueue{
		MaxInFlight: rapid.IntRange(0, 3).Draw(t, "in flight"),
		Rank:        s.config.Rank,
		Rate:        rapid.SampledFrom([]float64{0, 0, 0.25, 2}).Draw(t, "tokens"),
		Burst:       rapid.IntRange(1, 3).Draw(t, "burst"),
		Timeout:     rapid.SampledFrom([]units.Seconds{0, 0.5, 7}).Draw(t, "timeout"),
		Retries:     rapid.IntRange(0, 2).Draw(t, "retries"),
		Backoff:     rapid.SampledFrom([]units.Seconds{0, 1.5}).Draw(t, "backoff"),
	}
}

func drawFrontEnd(t *rapid.T) func(int) units.Seconds {
	fixed := units.Seconds(rapid.SampledFrom([]float64{0, 0, 0.5, 3}).Draw(t, "front end"))
	perToken := units.Seconds(rapid.SampledFrom([]float64{0, 0.125}).Draw(t, "front end per token"))
	return func(prompt int) units.Seconds { return fixed + perToken*units.Seconds(prompt) }
}

// drawSurroundings draws what surrounds the model besides.
func drawSurroundings(t *rapid.T, p *Pool) {
	if p.Sequential = rapid.IntRange(0, 3).Draw(t, "sequential") == 0; !p.Sequential {
		p.Threads = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "threads")
	}
	if ratio := rapid.SampledFrom([]float64{0, 0, 1, 1.5, 4}).Draw(t, "compression"); ratio > 0 {
		p.Compression = &Compression{Ratio: ratio, TokensPerSecond: rapid.SampledFrom([]float64{2, 1e4}).Draw(t, "compressor")}
	}
}

// drawCost prefers whole seconds, with which things happen at the same time.
func drawCost(t *rapid.T) hardware.CostModel {
	part := func(name string) units.Seconds {
		return units.Seconds(rapid.SampledFrom([]float64{0, 0, 1, 0.25, 0.1}).Draw(t, name))
	}
	var cost hardware.CostModel = &hardware.Synthetic{
		StepFixed:       units.Seconds(rapid.SampledFrom([]float64{1, 0.5, 0.3}).Draw(t, "step")),
		PerDecodeRow:    part("per row"),
		PerContextToken: part("per context token"),
		PerPrefillToken: part("per prompt token"),
	}
	if rapid.IntRange(0, 2).Draw(t, "tires") == 0 {
		cost = tiring{cost}
	}
	switch stages := rapid.SampledFrom([]int{1, 1, 2, 3}).Draw(t, "stages"); {
	case stages == 1:
		return cost
	case rapid.Bool().Draw(t, "even"):
		return hardware.EvenStages{CostModel: cost, N: stages}
	default:
		return unevenStages{cost, stages}
	}
}

// tiring takes longer for prompts within a second of others.
type tiring struct{ hardware.CostModel }

// Step implements hardware.CostModel.
func (c tiring) Step(w *hardware.Work) hardware.Cost {
	cost := c.CostModel.Step(w)
	if len(w.Prefill) > 0 && w.Rested < 1 {
		cost.Time += 0.25
	}
	return cost
}

// unevenStages gives the last stage half of a step and shares out the rest.
type unevenStages struct {
	hardware.CostModel
	n int
}

// Pipeline implements hardware.CostModel.
func (u unevenStages) Pipeline() hardware.Pipeline { return u }

// Stages implements hardware.Pipeline.
func (u unevenStages) Stages() int { return u.n }

// StageTimes implements hardware.Pipeline.
func (u unevenStages) StageTimes(w *hardware.Work, times []units.Seconds) {
	total := u.Step(w).Time
	for i := range times {
		times[i] = total / 2 / units.Seconds(u.n-1)
	}
	times[u.n-1] = total / 2
}

func (s *scene) drawTraffic(t *rapid.T) {
	s.traffic.clients = rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "clients")
	gaps := rapid.SampledFrom([][]float64{{0}, {1}, {0, 0.5, 1, 4, 0.37}}).Draw(t, "gaps")
	longest := rapid.IntRange(2, s.config.Pools[0].Blocks*s.config.Pools[0].BlockSize+2).Draw(t, "longest")
	span := rapid.IntRange(1, 9).Draw(t, "span")
	at := units.Seconds(0)
	for range rapid.IntRange(0, 60).Draw(t, "requests") {
		at += units.Seconds(rapid.SampledFrom(gaps).Draw(t, "gap"))
		input := rapid.IntRange(1, longest-1).Draw(t, "input")
		output := rapid.IntRange(1, longest-input).Draw(t, "output")
		s.traffic.add(at, input, output)
		r := &s.traffic.requests[len(s.traffic.requests)-1]
		r.Class = rapid.IntRange(0, 2).Draw(t, "class")
		if depth := rapid.IntRange(0, 3).Draw(t, "depth"); depth > 0 {
			r.Content = drawContent(t, depth, span)
			r.Named = rapid.SampledFrom([]int{1, input, input + output, (input + 1) / 2}).Draw(t, "named")
		}
	}
}

// drawContent is a path in a tree: an ID is alike only where all before it are.
func drawContent(t *rapid.T, depth, span int) *workloads.Content {
	c := &workloads.Content{Span: span}
	id := 1
	for range depth {
		id = 2*id + rapid.IntRange(0, 1).Draw(t, "branch")
		c.IDs = append(c.IDs, id)
	}
	return c
}

func (s *scene) drawPolicy(t *rapid.T) {
	size := rapid.SampledFrom([]int{1, 2, 5, 100}).Draw(t, "batch size")
	if rapid.Bool().Draw(t, "static") {
		padded := rapid.Bool().Draw(t, "padded")
		wait := units.Seconds(rapid.SampledFrom([]float64{0, 2, 100}).Draw(t, "max wait"))
		s.config.Pools[0].Reserve = policies.ReserveDeclared
		s.policy = func() policies.Batching {
			return &policies.Static{BatchSize: size, Padded: padded, MaxWait: wait}
		}
		s.config.Pools[0].WholeBatches = s.config.Pools[0].WholeAnswers && rapid.Bool().Draw(t, "whole batches")
		return
	}
	budget := rapid.SampledFrom([]int{1, 3, 10, 1000}).Draw(t, "budget")
	threshold := rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "threshold")
	scheduler := rapid.SampledFrom(schedulers).Draw(t, "scheduler")
	if scheduler.Chunks {
		s.chunk = budget
	}
	s.budget = rapid.SampledFrom([]int{0, budget}).Draw(t, "budget of moves")
	s.counts = scheduler.CountsGuesses
	s.policy = func() policies.Batching {
		return scheduler.New(policies.Parameters{MaxNumSeqs: size, MaxNumBatchedTokens: budget, LongPrefillTokenThreshold: threshold,
			Guesses: s.guesses})
	}
	reservations := map[string]policies.Reservation{"oracle": policies.ReserveDeclared,
		"max": policies.ReserveMax(s.config.Pools[0].longest()), "pow2": policies.ReservePow2(s.config.Pools[0].longest())}
	names := []string{"max", "oracle", "pow2"}
	if scheduler.NeverPreempts == "" {
		reservations["paged"] = policies.ReservePaged
		names = append(names, "paged", "paged", "paged", "paged", "paged", "paged")
	}
	reserve := rapid.SampledFrom(names).Draw(t, "reserve")
	if s.config.Pools[0].Reserve = reservations[reserve]; reserve == "paged" {
		s.size = size
	}
}

// drawTiers may let a policy that takes memory as it goes move keys and values to
// a tier below.
func (s *scene) drawTiers(t *rapid.T) {
	offload := rapid.SampledFrom([]string{"none", "none", "copies", "swap", "layerwise"}).Draw(t, "offload")
	if offload == "none" || s.size == 0 || hardware.PipelineOf(s.config.Pools[0].Cost).Stages() > 1 {
		return
	}
	s.config.Pools[0].Tiers = []Tier{{Blocks: rapid.SampledFrom([]int{0, 3, 20, 1000}).Draw(t, "below"),
		Bandwidth: units.BytesPerSecond(rapid.SampledFrom([]float64{0.5, 4, math.Inf(1)}).Draw(t, "bandwidth")),
		Latency:   units.Seconds(rapid.SampledFrom([]float64{0, 0.25}).Draw(t, "latency"))}, {Blocks: 10, Bandwidth: 2}}
	s.config.Pools[0].BlockBytes, s.config.Pools[0].SerialMoves = 1, rapid.Bool().Draw(t, "serial moves")
	s.config.Pools[0].StateBytes = rapid.SampledFrom([]units.Bytes{0, 0, 3}).Draw(t, "state")
	s.config.Pools[0].Tiers[0].BandwidthOut = units.BytesPerSecond(rapid.SampledFrom([]float64{0, 0.3, 8}).Draw(t, "bandwidth out"))
	if offload == "copies" {
		return
	}
	inner, swapping := s.policy, policies.Swapping{MaxNumSeqs: s.size, MaxNumBatchedTokens: s.budget}
	s.policy = func() policies.Batching { p := swapping; p.Batching = inner(); return &p }
	if offload == "layerwise" {
		s.config.Pools[0].Layers = rapid.SampledFrom([]int{2, 5}).Draw(t, "layers")
		s.config.Pools[0].Streamed = rapid.IntRange(0, s.config.Pools[0].Blocks).Draw(t, "streamed")
		s.policy = func() policies.Batching {
			p := swapping
			p.Batching = inner()
			return &policies.LayerWise{Swapping: p, Layers: s.config.Pools[0].Layers}
		}
	}
}

// drawGuesses may add proposals to the policy of a replica with one stage.
func (s *scene) drawGuesses(t *rapid.T) {
	guesses := rapid.SampledFrom([]int{0, 0, 1, 3}).Draw(t, "guesses")
	if guesses == 0 || hardware.PipelineOf(s.config.Pools[0].Cost).Stages() > 1 {
		return
	}
	inner := s.policy
	tree := rapid.SampledFrom([]policies.Tree{nil, nil, {2, 1, 3}}).Draw(t, "tree")
	acceptance := rapid.SampledFrom([][]float64{{0}, {0.5}, {1}, {0.9, 0.2}}).Draw(t, "acceptance")
	s.config.Pools[0].Acceptance = workloads.NewAcceptance(acceptance, 1, 0)
	proposals := s.drawProposals(t, guesses)
	if s.counts {
		s.guesses = &policies.Guesses{Proposals: proposals, Tree: tree, Lookahead: rapid.SampledFrom([]int{0, guesses}).Draw(t, "lookahead")}
	} else {
		s.policy = func() policies.Batching {
			return &policies.Speculative{Batching: inner(), Proposals: proposals, Tree: tree}
		}
	}
}

// drawWindows may let blocks behind a window come free, where memory is taken as tokens
// come and nobody else wants it.
func (s *scene) drawWindows(t *rapid.T) {
	p := &s.config.Pools[0]
	if s.size == 0 || p.Acceptance != nil || p.Tiers != nil || rapid.Bool().Draw(t, "all attend to all") {
		return
	}
	p.Eviction = nil
	p.Windows = paging.Windows{Tokens: rapid.IntRange(1, 9).Draw(t, "window"), Groups: rapid.IntRange(1, 3).Draw(t, "groups with it"),
		Full: rapid.IntRange(0, 2).Draw(t, "groups without")}
	p.Blocks *= rapid.IntRange(1, 4).Draw(t, "blocks for groups")
	p.Chunk = s.chunk
}

// fresh is the run's configuration, ready to run.
func (s *scene) fresh() Config {
	c := s.config
	c.Traffic = s.traffic.again()
	c.Pools = slices.Clone(c.Pools)
	c.Pools[0].Replicas, c.Pools[0].Batching = s.count, s.policy
	return c
}
