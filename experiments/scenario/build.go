package scenario

import (
	"errors"

	"kneepoint/sim"
	"kneepoint/sim/metrics"
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

// Simulation is a scenario ready for the engine, for one run.
type Simulation struct {
	Config      sim.Config
	Assumptions Assumptions

	scenario *Scenario
	server   *server
}

// mostExpected bounds the memory that is set aside for requests that may never
// come.
const mostExpected = 10_000_000

// Build makes the engine's configuration of a scenario. What its parts ask of each
// other and cannot have is a *badinput.Error whose key is that of the experiment
// file.
func (b *Builder) Build(s Scenario) (*Simulation, error) {
	if len(s.Pools) != 1 {
		return nil, errors.New("scenario: replicas of different kinds are not simulated yet")
	}
	pool := &s.Pools[0]
	server, err := b.serve(pool)
	if err != nil {
		return nil, err
	}
	built := &Simulation{scenario: &s, server: server, Assumptions: server.rests}
	if err := b.configure(&built.Config, &s); err != nil {
		return nil, err
	}
	if err := pool.configure(&built.Config, &s, server); err != nil {
		return nil, err
	}
	if !s.Measure.Drain && !built.Config.Traffic.OpenLoop() {
		return nil, &badinput.Error{Key: "measure.drain", Value: false, Problem: "in a closed loop the last arrival depends on the end of others; drain it, or set max_time"}
	}
	return built, nil
}

// serve makes the server of a pool, or finds that of an equal deployment.
func (b *Builder) serve(pool *Pool) (*server, error) {
	if err := pool.checkSpeculation(); err != nil {
		return nil, err
	}
	if err := pool.checkOffload(); err != nil {
		return nil, err
	}
	server, err := b.servers.get(&pool.Deployment)
	if err != nil {
		return nil, err
	}
	return server, pool.checkBlock(server.resources.Capacity.KVTokens)
}

// configure sets what all pools share.
func (b *Builder) configure(c *sim.Config, s *Scenario) error {
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
	if c.Rank, err = s.rank(); err != nil {
		return err
	}
	c.Expected = min(b.traces.requests(s), mostExpected)
	if s.Traffic.TooLong == "truncate" {
		c.TooLong = sim.Truncate
	}
	c.Drain, c.MaxTime, c.Reference = s.Measure.Drain, s.Measure.MaxTime, s.Measure.Reference
	if s.Measure.Streaming {
		c.Stream = metrics.NewStream(s.Objectives.All, s.Objectives.Classes...)
	}
	return nil
}

// configure sets what belongs to a pool.
func (p *Pool) configure(c *sim.Config, s *Scenario, server *server) error {
	strategy := &p.Strategy
	entries, err := strategy.lookup()
	if err != nil {
		return err
	}
	c.Cost, c.FrontEnd, c.AsyncScheduling, c.MaxTokens = server.cost, server.frontEnd, server.asyncScheduling, server.context
	c.BlockSize, c.Blocks = strategy.BlockSize, server.resources.Capacity.KVTokens/strategy.BlockSize
	c.Eviction, c.MaxWaiting = entries.eviction, strategy.MaxWaiting
	strategy.surround(c)
	memory := c.Blocks * c.BlockSize
	if c.Reserve, err = entries.reserve(server.context, memory); err != nil {
		return err
	}
	var acceptance *workloads.Acceptance
	if strategy.Speculation != nil {
		acceptance = workloads.NewAcceptance(strategy.Speculation.Acceptance, s.Seed, s.Replication)
		c.Accepted = acceptance.Accepted
	}
	for range p.Replicas {
		batching := strategy.batching(&entries, min(server.context, memory), server.layers)
		c.Batching = append(c.Batching, strategy.speculating(batching, acceptance, server.cost))
	}
	return strategy.addTiers(c, server)
}

// surround sets up what surrounds the model.
func (s *Strategy) surround(c *sim.Config) {
	c.Threads = s.Frontend.Threads
	c.Sequential = !s.Frontend.Pipelined
	c.WholeAnswers = !s.Frontend.Stream
	if s.Compression != nil {
		c.Compression = &sim.Compression{Ratio: s.Compression.Ratio, TokensPerSecond: s.Compression.TokensPerSecond}
	}
}

// Requests is about how many requests a scenario has, which is about how long it
// takes.
func (b *Builder) Requests(s *Scenario) int { return b.traces.requests(s) }
