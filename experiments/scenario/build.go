package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// Builder makes simulations of scenarios. Those with equal deployments share a
// cost model. It is safe for concurrent use.
type Builder struct {
	traces  *Traces
	servers servers
}

// NewBuilder is a builder of scenarios that replay traces.
func NewBuilder(traces *Traces) *Builder { return &Builder{traces: traces} }

// Simulation is a scenario ready for the engine, for one run: its traffic is used up by
// the run, and its stream, where it has one, belongs to it.
type Simulation struct {
	Config sim.Config

	scenario *Scenario
	servers  []*server // of the pools

	// keepsWindows says that layers with a window keep more than that in some pool.
	keepsWindows bool
	steady       *metrics.SteadyState // of a closed loop, once it is known; its requests are the measuring window
}

// mostExpected bounds the number of requests that memory is set aside for: they may
// never arrive.
const mostExpected = 10_000_000

// Build makes the engine's configuration of a scenario. Parts that do not go together
// are a *badinput.Error whose key is that of the experiment file, which is what a
// user can change; a scenario without pools is an error of its maker.
func (b *Builder) Build(s Scenario) (*Simulation, error) {
	if len(s.Pools) == 0 {
		return nil, errors.New("scenario: there are no replicas to simulate")
	}
	built := &Simulation{scenario: &s}
	for i := range s.Pools {
		server, err := b.serve(&s.Pools[i])
		if err != nil {
			return nil, s.inPool(i, err)
		}
		built.servers = append(built.servers, server)
	}
	if err := b.configureRun(&built.Config, &s); err != nil {
		return nil, err
	}
	for i := range s.Pools {
		pool, err := s.Pools[i].enginePool(&s, built.servers[i], s.Traffic.Shares(b.traces.trace(&s.Traffic)))
		if err == nil {
			err = s.Pools[i].setScaling(&pool, &s, i, built.servers[i])
		}
		if err != nil {
			return nil, s.inPool(i, err)
		}
		s.Pools[i].setFailures(&pool, &s, i)
		built.keepsWindows = built.keepsWindows || built.servers[i].outgrowsWindow() && pool.Windows.Groups == 0
		built.Config.Pools = append(built.Config.Pools, pool)
	}
	built.configureTransfer()
	if err := built.configureSharing(); err != nil {
		return nil, err
	}
	if !s.Measure.Drain && !built.Config.Traffic.OpenLoop() {
		return nil, &badinput.Error{
			Key:     "measure.drain",
			Value:   false,
			Problem: "in a closed loop the last arrival depends on the end of others; drain it, or set max_time",
		}
	}
	return built, nil
}

// inPool says which of several pools wrong input concerns.
func (s *Scenario) inPool(i int, err error) error {
	var bad *badinput.Error
	if len(s.Pools) == 1 || !errors.As(err, &bad) {
		return err
	}
	c := *bad
	c.Problem += fmt.Sprintf(" (pool %q)", s.Pools[i].Name)
	return &c
}

// serve makes the server of a pool, or finds that of an equal deployment. What does not
// go together is refused first: a cost model may be slow to make.
func (b *Builder) serve(pool *Pool) (*server, error) {
	if err := pool.checkSpeculation(); err != nil {
		return nil, err
	}
	if err := pool.checkOffload(); err != nil {
		return nil, err
	}
	if err := pool.checkRole(); err != nil {
		return nil, err
	}
	server, err := b.servers.get(&pool.Deployment)
	if err != nil {
		return nil, err
	}
	if err := checkPace(server.cost); err != nil {
		return nil, err
	}
	return server, pool.checkBlock(server.resources.Capacity.KVTokens)
}

// configureRun sets what all pools share.
func (b *Builder) configureRun(c *sim.Config, s *Scenario) error {
	window, err := b.traces.window(s)
	if err != nil {
		return err
	}
	if window != nil {
		c.InWindow = window.contains
	}
	if c.Traffic, err = b.traces.traffic(s); err != nil {
		return err
	}
	if c.Rank, err = s.rank(s.Order, "strategy.order"); err != nil {
		return err
	}
	c.Served = s.servedOrder()
	if err := s.configureFleet(c); err != nil {
		return err
	}
	order, _ := policies.Find(policies.Orders, s.Order)
	c.LeastUrgentFirst = order.Priorities
	n, exact := s.Traffic.Requests(b.traces.trace(&s.Traffic))
	c.Expected = min(n, mostExpected)
	if exact {
		c.Requests = n
	}
	if s.Traffic.TooLong == "truncate" {
		c.TooLong = sim.Truncate
	}
	c.Drain, c.MaxTime, c.Reference = s.Measure.Drain, s.Measure.MaxTime, s.Measure.Reference
	c.GapBounds = s.Objectives.gapBounds()
	if s.Measure.Streaming {
		c.Stream = metrics.NewStream(s.Objectives.All, s.Objectives.Classes...)
	}
	return nil
}

// enginePool makes the engine's pool, for requests that may share tokens. Memory is
// counted in whole blocks: what is left of the last one holds nothing.
func (p *Pool) enginePool(s *Scenario, server *server, shared bool) (sim.Pool, error) {
	strategy := &p.Strategy
	entries, err := strategy.lookup()
	if err != nil {
		return sim.Pool{}, err
	}
	blocks := server.resources.Capacity.KVTokens / strategy.BlockSize
	memory := blocks * strategy.BlockSize
	pool := sim.Pool{
		Name: p.Name, Replicas: p.Replicas, Classes: p.Classes, Weight: p.Weight,
		Cost: server.cost, FrontEnd: server.frontEnd, AsyncScheduling: server.asyncScheduling && !strategy.waits(), MaxTokens: server.context,
		BlockSize: strategy.BlockSize, Blocks: blocks, Eviction: entries.eviction, CacheTTL: strategy.PrefixCacheTTL, MaxWaiting: strategy.MaxWaiting,
	}
	p.setRole(&pool, server)
	if server.windowed != nil && p.Role == "" && strategy.freesWindows(&entries, shared) {
		strategy.freeWindows(&pool, &entries, server)
	}
	strategy.setFrontEnd(&pool, entries.scheduler.Static)
	if pool.Reserve, err = entries.reserve(server.context, memory); err != nil {
		return pool, err
	}
	var acceptance *workloads.Acceptance
	if strategy.Speculation != nil {
		acceptance = workloads.NewAcceptance(strategy.Speculation.Acceptance, s.Seed, s.Replication)
		pool.Acceptance = acceptance
	}
	guesses := strategy.guesses(acceptance, server.cost)
	pool.Batching = func() policies.Batching {
		return strategy.batching(&entries, min(server.context, memory), server, guesses)
	}
	return pool, strategy.addTiers(&pool, server)
}

// setFrontEnd sets what happens before the model reads a prompt, and how answers are
// sent: those of static batches all at once, unless tokens are streamed.
func (s *Strategy) setFrontEnd(pool *sim.Pool, static bool) {
	pool.Threads = s.Frontend.Threads
	pool.Sequential = !s.Frontend.Pipelined
	if s.Frontend.TokenIDs {
		fixed := pool.FrontEnd(0)
		pool.FrontEnd = func(int) units.Seconds { return fixed }
	}
	pool.WholeAnswers = !s.Frontend.Stream
	pool.WholeBatches = !s.Frontend.Stream && static
	if s.Compression != nil {
		pool.Compression = &sim.Compression{Ratio: s.Compression.Ratio, TokensPerSecond: s.Compression.TokensPerSecond}
	}
}

// Assumptions are what the numbers of the simulation rest on besides measurements,
// of all pools.
func (s *Simulation) Assumptions() Assumptions {
	var all Assumptions
	var energy []string
	for i, server := range s.servers {
		for _, text := range slices.Concat(server.assumptions.Times, s.scenario.Pools[i].Startup.assumptions(server)) {
			if !slices.Contains(all.Times, text) {
				all.Times = append(all.Times, text)
			}
		}
		if text := server.assumptions.Energy; text != "" && !slices.Contains(energy, text) {
			energy = append(energy, text)
		}
	}
	if s.keepsWindows {
		all.Times = append(all.Times, keptWindows)
	}
	all.Energy = strings.Join(energy, "; ")
	return all
}

// Requests is about how many requests a scenario has, by which the time to simulate it
// can be guessed.
func (b *Builder) Requests(s *Scenario) int { return b.traces.requests(s) }
