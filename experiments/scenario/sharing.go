package scenario

import (
	"math"

	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Sharing is what replicas share of the prompts that they have computed, see sim.Sharing.
type Sharing struct {
	Peers     bool        // from each other; else in a store
	Size      units.Bytes // of the store
	Bandwidth units.BytesPerSecond
	Latency   units.Seconds
	Shared    bool // one link for all, not one of each replica
	Threshold float64
}

// configureSharing sets what replicas share, in pools that compute prompts.
func (b *Simulation) configureSharing() error {
	s := b.scenario.Fleet.Sharing
	if s == nil {
		return nil
	}
	several, largest := false, units.Bytes(0)
	for i := range b.scenario.Pools {
		p, server := &b.scenario.Pools[i], b.servers[i]
		if p.Role == "decode" {
			continue
		}
		if err := p.checkSharing(); err != nil {
			return b.scenario.inPool(i, err)
		}
		block := server.kvPerToken * units.Bytes(p.Strategy.BlockSize*server.resources.Accelerators)
		b.Config.Pools[i].SharedBytes = block
		b.Config.Pools[i].SharedState = server.state * units.Bytes(server.resources.Accelerators)
		several, largest = several || p.Replicas > 1 || p.Scaling != nil, max(largest, block)
	}
	blocks := math.Floor(float64(s.Size) / float64(largest))
	switch {
	case s.Peers && !several:
		return &badinput.Error{Key: "fleet.kv_sharing.from", Value: "peers", Problem: "has no effect: no pool has another replica",
			Allowed: "store, or more replicas"}
	case !s.Peers && blocks < 1:
		return &badinput.Error{Key: "fleet.kv_sharing.size", Value: s.Size.String(), Problem: "does not hold one KV block",
			Allowed: "at least " + largest.String()}
	}
	b.Config.Sharing = &sim.Sharing{Peers: s.Peers, Blocks: int(min(blocks, 1<<40)), Bandwidth: s.Bandwidth, Latency: s.Latency,
		Shared: s.Shared, Threshold: s.Threshold}
	return nil
}

// checkSharing refuses deployments and policies that cannot fetch what others have computed.
func (p *Pool) checkSharing() error {
	s, d := &p.Strategy, &p.Deployment
	scheduler, _ := policies.Find(policies.Schedulers, s.Scheduler)
	wrong := func(key string, value any, allowed string) error {
		return &badinput.Error{Key: key, Value: value, Problem: "not supported yet with fleet.kv_sharing", Allowed: allowed}
	}
	switch {
	case scheduler.WholeRequests:
		return wrong("strategy."+scheduler.Key, s.Scheduler, "another one")
	case s.Offload == "layerwise":
		return wrong("strategy.kv.offload", s.Offload, "none or swap")
	case s.SerialTransfers:
		return wrong("strategy.kv.transfers", "serial", "async")
	case d.stages() > 1:
		return wrong("hardware.pp", d.stages(), "1")
	case d.Roofline == nil:
		return &badinput.Error{Key: "hardware.cost_model", Value: d.source(),
			Problem: "fleet.kv_sharing needs the size of keys and values, which the model and the accelerator tell",
			Allowed: "roofline, or measured with both named"}
	case d.Roofline.DP > 1:
		return wrong("hardware.dp", d.Roofline.DP, "1")
	}
	return nil
}
