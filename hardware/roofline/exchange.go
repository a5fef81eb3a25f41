package roofline

import (
	"math"

	"kneepoint/hardware"
	"kneepoint/internal/units"
)

// exchange is one kind of communication between a replica's accelerators: how
// often a step does it, and what each accelerator sends for a token of its
// group.
type exchange struct {
	name         string
	times        float64
	bytesPerSlot units.Bytes // sent by each accelerator, per token of its data-parallel group
	collective   hardware.Collective
	link         hardware.Link
}

// volume is what each accelerator sends in one exchange.
func (e *exchange) volume(tokens float64) units.Bytes { return units.Bytes(tokens) * e.bytesPerSlot }

// time is the duration of all of a step's exchanges of this kind.
func (e *exchange) time(tokens float64) units.Seconds {
	return units.Seconds(e.times) * e.collective.Time(e.volume(tokens), e.link)
}

// buildExchanges lists what a step sends:
//
//   - tensor parallelism: an all-reduce of the hidden states after attention,
//     after the MLP, and after the embedding;
//   - data parallelism with experts: before the experts the tokens go to where
//     the experts are, and after them the results come back; by all-gather and
//     reduce-scatter over the data-parallel groups, or by all-to-all over the
//     expert-parallel groups, as the engine does it;
//   - pipeline parallelism: the hidden states go from stage to stage. A step's
//     latency is the sum over the stages; that different steps are in different
//     stages at a time is not modelled.
func (m *Model) buildExchanges() error {
	d := &m.deployment
	hidden := float64(d.Architecture.Hidden) * m.machine.wideBytes
	if tp := float64(d.TP); d.TP > 1 {
		times := 2*float64(d.Architecture.Layers) + 1
		if err := m.addExchange(hardware.AllReduce, d.TP, times, 2*(tp-1)/tp*hidden); err != nil {
			return err
		}
		m.gather = &exchange{name: "gather of logits", times: 1, bytesPerSlot: units.Bytes((tp - 1) / tp * float64(d.Architecture.Vocab) * m.machine.wideBytes),
			collective: m.exchanges[0].collective, link: m.exchanges[0].link}
	}
	if d.DP > 1 {
		if err := m.addExpertExchanges(hidden); err != nil {
			return err
		}
	}
	if d.PP > 1 {
		m.estimate("hand-over between pipeline stages: as an all-to-all")
		if err := m.addExchange(hardware.AllToAll, d.Accelerators(), float64(d.PP-1), hidden); err != nil {
			return err
		}
	}
	return nil
}

func (m *Model) addExpertExchanges(hidden float64) error {
	d := &m.deployment
	layers := float64(d.Architecture.ExpertLayers())
	if d.Engine.Dispatch == "alltoall" && d.EP > 1 {
		sent := m.experts.copies() * float64(d.Architecture.Hidden) / float64(d.TP)
		out := sent * d.routed().activations.Bytes()
		back := sent * m.machine.wideBytes
		if err := m.addExchange(hardware.AllToAll, d.ranks(), layers, out); err != nil {
			return err
		}
		return m.addExchange(hardware.AllToAll, d.ranks(), layers, back)
	}
	others := float64(d.DP - 1)
	if err := m.addExchange(hardware.AllGather, d.ranks(), layers, others*hidden); err != nil {
		return err
	}
	return m.addExchange(hardware.ReduceScatter, d.ranks(), layers, others*hidden)
}

// copies is the expected number of other groups that a token is sent to, when
// each of its experts is in any of the groups with equal probability:
// (groups-1)*(1 - (1-1/groups)^active).
func (e *experts) copies() float64 {
	return (e.groups - 1) * (1 - math.Pow(1-1/e.groups, float64(e.mixture.Active)))
}

func (m *Model) addExchange(op hardware.Operation, n int, times, bytesPerSlot float64) error {
	d := &m.deployment
	library := d.Engine.AllReduce
	if op != hardware.AllReduce && library != hardware.IdealLibrary {
		library = hardware.NCCL
	}
	c, estimated, err := hardware.LookupCollective(op, &d.Accelerator, library, n)
	if err != nil {
		return err
	}
	m.estimate(estimated)
	link, _ := d.Accelerator.Interconnect(n)
	m.exchanges = append(m.exchanges, exchange{name: op.Words(), times: times, bytesPerSlot: units.Bytes(bytesPerSlot), collective: c, link: link})
	return nil
}
