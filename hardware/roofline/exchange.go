package roofline

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/units"
)

// exchange is one kind of communication between a replica's accelerators: how
// often a step does it, and its transfers, one after another.
type exchange struct {
	name      string
	times     float64
	first     float64 // of times, in the first stage of a pipeline whatever its layers
	transfers []transfer
	fused     []fusedSum // of times, those that are one kernel with a product
}

// transfer is what goes over one link: the bytes that each accelerator sends, per
// token of its data-parallel group.
type transfer struct {
	bytesPerSlot units.Bytes
	collective   hardware.Collective
	link         hardware.Link
}

// once is the duration of one exchange.
func (e *exchange) once(tokens float64) units.Seconds {
	var total units.Seconds
	for i := range e.transfers {
		t := &e.transfers[i]
		total += t.collective.Time(units.Bytes(tokens)*t.bytesPerSlot, t.link)
	}
	return total
}

// time is how much longer a step takes for all of its exchanges of this kind.
func (e *exchange) time(tokens float64) units.Seconds {
	return units.Seconds(e.times)*e.once(tokens) - e.hidden(tokens)
}

// latency is the part of once that faster links would not shorten.
func (e *exchange) latency(tokens float64) units.Seconds {
	var total units.Seconds
	for i := range e.transfers {
		t := &e.transfers[i]
		total += t.collective.LatencyOf(units.Bytes(tokens) * t.bytesPerSlot)
	}
	return total
}

// bytesPerSlot is what each accelerator sends in one exchange, per token of its
// group.
func (e *exchange) bytesPerSlot() units.Bytes {
	var total units.Bytes
	for i := range e.transfers {
		total += e.transfers[i].bytesPerSlot
	}
	return total
}

// buildExchanges lists what a step sends:
//
//   - tensor parallelism: an all-reduce of the hidden states after attention,
//     after the MLP, and after the embedding; and of the sums of norms over the
//     queries and keys of all heads, where a model has such norms;
//   - data parallelism with experts: before the experts the tokens go to where
//     the experts are, and after them the results come back; by all-gather and
//     reduce-scatter over the data-parallel groups, or by all-to-all over the
//     expert-parallel groups, as the engine does it;
//   - pipeline parallelism: the hand-over from stage to stage.
func (m *Model) buildExchanges() error {
	d := &m.deployment
	hidden := float64(d.Architecture.Hidden) * m.machine.wideBytes
	if d.TP > 1 {
		reduce, err := m.transfers(hardware.AllReduce, d.tensorGroup(), hidden)
		if err != nil {
			return err
		}
		m.exchanges = append(m.exchanges, exchange{name: hardware.AllReduce.Words(),
			times: 2*float64(d.Architecture.Layers) + 1, first: 1, transfers: reduce, fused: m.fusedSums()})
		if m.gather, err = m.logitGather(); err != nil {
			return err
		}
		if err := m.addNormSums(); err != nil {
			return err
		}
	}
	if d.DP > 1 {
		if err := m.addExpertExchanges(hidden); err != nil {
			return err
		}
	}
	return m.buildHandOvers(hidden)
}

// normSums is a sum of squares of a token's queries and one of its keys, in 32 bits, which
// vLLM reduces in one go (model_executor/layers/mamba/linear_attn.py, MiniMaxText01RMSNormTP.forward_qk).
const normSums = 2 * 4

// addNormSums adds the all-reduce of a layer whose norms go over the queries and keys of all ranks.
func (m *Model) addNormSums() error {
	a := &m.deployment.Architecture
	if !a.QKNormAcross {
		return nil
	}
	sums, err := m.transfers(hardware.AllReduce, m.deployment.tensorGroup(), normSums)
	m.exchanges = append(m.exchanges, exchange{name: "sums of norms", times: float64(a.Layers), transfers: sums})
	return err
}

// logitGather collects the accelerators' parts of the logits. Within a server
// the constants are those of the engine's all-reduce.
func (m *Model) logitGather() (*exchange, error) {
	d, g := &m.deployment, m.deployment.tensorGroup()
	logits := float64(d.Architecture.Vocab) * m.machine.wideBytes
	e := exchange{name: "gather of logits", times: 1}
	var err error
	if d.servers(g) > 1 {
		e.transfers, err = m.transfers(hardware.AllGather, g, logits)
	} else {
		e.transfers, err = m.within(hardware.AllReduce, d.TP, hardware.AllGather.Sent(d.TP)*logits)
	}
	return &e, err
}

func (m *Model) addExpertExchanges(hidden float64) error {
	d := &m.deployment
	layers := float64(d.Architecture.ExpertLayers())
	add := func(op hardware.Operation, transfers []transfer, err error) error {
		m.exchanges = append(m.exchanges, exchange{name: op.Words(), times: layers, transfers: transfers})
		return err
	}
	if d.Engine.Dispatch == "alltoall" && d.EP > 1 {
		part := float64(d.Architecture.Hidden) / float64(d.TP)
		out, err := m.scatter(part * d.routed().activations.Bytes())
		if err := add(hardware.AllToAll, out, err); err != nil {
			return err
		}
		back, err := m.scatter(part * m.machine.wideBytes)
		return add(hardware.AllToAll, back, err)
	}
	all := float64(d.DP) * hidden
	gather, err := m.transfers(hardware.AllGather, d.dataGroup(), all)
	if err := add(hardware.AllGather, gather, err); err != nil {
		return err
	}
	scatter, err := m.transfers(hardware.ReduceScatter, d.dataGroup(), all)
	return add(hardware.ReduceScatter, scatter, err)
}

// reached is the expected number of n equal shares of the experts, its own included, that a token is sent to, when each of its
// experts is in any of them with equal probability: n*(1 - (1-1/n)^active).
func (e *experts) reached(n float64) float64 {
	return n * (1 - math.Pow(1-1/n, float64(e.mixture.Active)))
}
