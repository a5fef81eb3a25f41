package scenario

import (
	"math"
	"strings"

	"kneepoint/policies"
	"kneepoint/sim"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// Transfer is how keys and values come from pools that prefill to those that decode, see
// sim.Transfer.
type Transfer struct {
	Bandwidth units.BytesPerSecond // of the link of each accelerator; 0: there is nothing to send, since the model is not known
	Latency   units.Seconds
	Shared    bool   // one link for all, not one of each replica
	Mode      string // pull, push or reserve
	LayerWise bool   // sent as they are computed
	MinTokens int    // prompts from this length on are prefilled apart

	MaxPendingTokens, MaxPendingRequests int // from which on the queue of a replica is long; 0: none is
}

// transferModes are when the replica that decodes is chosen, by their name.
var transferModes = map[string]sim.TransferMode{"pull": sim.Pull, "push": sim.Push, "reserve": sim.Reserve}

// configureTransfer sets how keys and values come from one pool to another.
func (b *Simulation) configureTransfer() {
	t := b.scenario.Fleet.Transfer
	if t == nil {
		return
	}
	transfer := &sim.Transfer{Bandwidth: t.Bandwidth, Latency: t.Latency, Shared: t.Shared,
		Mode: transferModes[t.Mode], MinTokens: t.MinTokens,
		MaxPendingTokens: t.MaxPendingTokens, MaxPendingRequests: t.MaxPendingRequests}
	if t.Bandwidth == 0 {
		transfer.Bandwidth = units.BytesPerSecond(math.Inf(1))
	}
	if t.LayerWise {
		for i, p := range b.scenario.Pools {
			if p.Role == "prefill" {
				transfer.Layers = b.servers[i].layers
			}
		}
	}
	b.Config.Transfer = transfer
}

// roles are the parts of requests that a pool's replicas can do, by their name.
var roles = map[string]sim.Role{"": sim.Both, "prefill": sim.PrefillOnly, "decode": sim.DecodeOnly}

// setRole gives the engine's pool its part of requests, of which keys and values are sent.
func (p *Pool) setRole(pool *sim.Pool, server *server) {
	pool.Role = roles[p.Role]
	if p.Role == "" || server.deployment == nil {
		return
	}
	pool.Sent = sim.Sent{Bytes: server.kvPerToken - server.draftKV, State: server.state, Lanes: server.deployment.DP}
	if s := server.deployment.Speculation; s != nil {
		pool.Sent.DraftBytes, pool.Sent.Drafter = server.draftKV, s.Method+" "+s.Draft.Name
	}
}

// checkRole refuses policies whose replicas cannot do a part of requests.
func (p *Pool) checkRole() error {
	s := &p.Strategy
	scheduler, _ := policies.Find(policies.Schedulers, s.Scheduler)
	if p.Role == "" {
		return nil
	}
	wrong := func(key string, value any, allowed string) error {
		return &badinput.Error{Key: key, Value: value, Problem: "not supported yet in a pool with role = \"" + p.Role + "\"", Allowed: allowed}
	}
	switch {
	case scheduler.WholeRequests:
		names := policies.Names(policies.Where(policies.Schedulers, func(s policies.Scheduler) bool { return !s.WholeRequests }))
		return wrong("strategy."+scheduler.Key, s.Scheduler, "one of "+strings.Join(names, ", "))
	case s.Offload != "none":
		return wrong("strategy.kv.offload", s.Offload, "none")
	case !s.Frontend.Stream:
		return wrong("strategy.frontend.stream", false, "true")
	}
	return nil
}
