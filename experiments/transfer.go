package experiments

import (
	"cmp"
	"fmt"

	"kneepoint/experiments/results"
	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// apart tells whether prompts are computed apart from answers.
func (s *Spec) apart() bool {
	for _, pool := range s.Fleet.Pools {
		if pool.Role != "both" {
			return true
		}
	}
	return false
}

// transfer is how keys and values come from pools that prefill to those that decode; nil
// where there are none.
func (s *Spec) transfer() (*scenario.Transfer, error) {
	t := s.Fleet.Transfer
	switch {
	case !s.apart():
		return nil, nil
	case t == nil:
		return nil, &badinput.Error{Key: "fleet.transfer", Problem: `missing: pools with role = "prefill" send keys and values to others`,
			Allowed: `a table, like { link = "infiniband-400g" }`}
	}
	bandwidth, err := t.bandwidth()
	if err != nil {
		return nil, err
	}
	if err := s.checkSent(t); err != nil {
		return nil, err
	}
	return &scenario.Transfer{Bandwidth: bandwidth, Latency: t.Latency, Shared: t.Per == "fleet", Mode: t.Mode,
		LayerWise: t.When == "layerwise", MinTokens: t.MinTokens,
		MaxPendingTokens: t.MaxPendingTokens, MaxPendingRequests: t.MaxPendingRequests}, nil
}

// checkSent refuses pools of which one cannot use the keys and values of another, and a link
// where nobody knows their size, or none where it is known.
func (s *Spec) checkSent(t *TransferSpec) error {
	first, given := -1, t.Link != "" || t.Bandwidth > 0
	for i := range s.pools {
		if s.Fleet.Pools[i].Role == "both" {
			continue
		}
		if first < 0 {
			first = i
		}
		own, other := &s.pools[i], &s.pools[first]
		switch known := own.needsDeployment(); {
		case own.keysAndValues() != other.keysAndValues():
			return &badinput.Error{
				Key:     fmt.Sprintf("fleet.pool %q.model", s.Fleet.Pools[i].Name),
				Problem: fmt.Sprintf("differs from that of pool %q: keys and values are sent between the two", s.Fleet.Pools[first].Name),
				Allowed: "the same name, and the same format of keys and values (kv)",
			}
		case known && !given:
			return &badinput.Error{
				Key:     "fleet.transfer.link",
				Problem: "missing: keys and values are sent from pool to pool",
				Allowed: "link, or bandwidth",
			}
		case !known && (given || t.When == "layerwise"):
			return &badinput.Error{
				Key:     "fleet.transfer",
				Problem: fmt.Sprintf("cost_model = %q does not know how large keys and values are", own.Hardware.CostModel),
				Allowed: "latency alone, or a model and an accelerator",
			}
		}
	}
	return nil
}

// keysAndValues says of which model, and in which format, keys and values are, however the file spells it. What is unknown is
// refused where it is used.
func (s *Spec) keysAndValues() string {
	name, format := s.Model.Name, cmp.Or(s.Model.KV, string(hardware.BF16)) // as a deployment has it
	if a, err := s.architecture(); err == nil {
		name = a.Name
	}
	if p, err := hardware.ParsePrecision(format); err == nil {
		format = string(p)
	}
	return name + " " + format
}

// transferWarnings say that the bandwidth of a link is a class value.
func (s *Spec) transferWarnings() []results.Warning {
	if s.Fleet == nil || s.Fleet.Transfer == nil || !s.apart() {
		return nil
	}
	link, err := hardware.LookupInterconnect(s.Fleet.Transfer.Link)
	if err != nil || !link.Estimated {
		return nil
	}
	return []results.Warning{{Kind: results.Estimated, Text: "bandwidth of " + link.Name}}
}
