package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// stageLayers is the number of layers of each pipeline stage: equal parts, and
// one more for as many stages before the last as there are layers left over.
//
// Source: vllm/distributed/utils.py, get_pp_indices.
func (d *Deployment) stageLayers() []int {
	stages := make([]int, d.PP)
	for i := range stages {
		stages[i] = d.Architecture.Layers / d.PP
	}
	left := d.Architecture.Layers % d.PP
	for i := range left {
		stages[d.PP-2-i]++
	}
	return stages
}

// expertLayers is how many of a stage's layers have experts. Layers without are
// taken to be spread evenly; of a broken number the larger one counts.
func (d *Deployment) expertLayers(layers int) int {
	a := &d.Architecture
	return (layers*a.ExpertLayers() + a.Layers - 1) / a.Layers
}

// firstAccelerator is that of a stage. A server takes whole stages, or a
// stage whole servers.
func (d *Deployment) firstAccelerator(stage int) int {
	server := d.Accelerator.Server()
	if fit := server / d.ranks(); fit > 0 {
		return stage/fit*server + stage%fit*d.ranks()
	}
	return stage * d.servers(d.stageGroup()) * server
}

// messages is what a stage hands over to the next one: the hidden states, and
// the residual that is added to them.
const messages = 2

// handOver is the name of the exchange between stages.
const handOver = "hand-over"

// buildHandOvers lists what each stage but the last sends. Every accelerator of
// a tensor-parallel group has all of a message; it sends its part to its
// counterpart in the next stage, where they gather the whole. What the hosts tell
// each other of the messages is not counted.
//
// Source: vllm/distributed/parallel_state.py, send_tensor_dict.
func (m *Model) buildHandOvers(hidden float64) error {
	d := &m.deployment
	var gather []transfer
	if d.TP > 1 && d.PP > 1 {
		var err error
		if gather, err = m.transfers(hardware.AllGather, d.tensorGroup(), hidden); err != nil {
			return err
		}
	}
	for i := range d.PP - 1 {
		send, err := m.send(i, hidden/float64(d.TP))
		if err != nil {
			return err
		}
		m.handOvers = append(m.handOvers, exchange{name: handOver, times: messages, transfers: append(send, gather...)})
	}
	return nil
}

// send is a message from each accelerator of a stage to one of the next: as in an
// all-to-all between two.
func (m *Model) send(stage int, bytes float64) ([]transfer, error) {
	d := &m.deployment
	from, to := d.firstAccelerator(stage), d.firstAccelerator(stage+1)
	if server := d.Accelerator.Server(); from/server != to/server {
		return m.between(handOver, hardware.AllToAll, bytes)
	}
	send, err := m.within(hardware.AllToAll, 2, bytes)
	if err != nil {
		return nil, err
	}
	send[0].link, _ = d.Accelerator.Between(from, to+d.ranks()-1)
	m.estimate(handOver + " between pipeline stages: as an all-to-all between two")
	return send, nil
}

// Pipeline is the model's own stages.
func (m *Model) Pipeline() hardware.Pipeline { return m }

// Stages is the number of pipeline stages.
func (m *Model) Stages() int { return len(m.shares) }

// StageTimes fills times with how long the work occupies each stage. A stage has
// its share of the time of all layers, as if they were alike. The embedding is
// the first one's, and so is the host's share of the step: the workers of the
// others prepare while they wait. The logits are the last one's. A stage waits for
// the launches of its layers, and hands over to the next one.
func (m *Model) StageTimes(w *hardware.Work, times []units.Seconds) {
	if w.Tokens() == 0 {
		clear(times)
		return
	}
	k := m.kernelsOf(w)
	for i := range times {
		times[i] = m.stageTime(i, &k)
	}
}

// stageTime is the time of a stage, with its launches and the host.
func (m *Model) stageTime(i int, k *kernels) units.Seconds {
	return m.withHost(i, m.stageKernels(i, k), k)
}

// stageKernels is the time of a stage's kernels and exchanges.
func (m *Model) stageKernels(i int, k *kernels) units.Seconds {
	if len(m.shares) == 1 {
		return k.all
	}
	return m.stageShare(i, k)
}

// stageShare is a stage's part of the kernels, and its hand-over.
func (m *Model) stageShare(i int, k *kernels) units.Seconds {
	last := len(m.shares) - 1
	first := m.firstTimes.get(k.tokens, m.firstTime)
	t := units.Seconds(m.shares[i]) * (k.all - first - k.logits)
	if i == 0 {
		t += first
	}
	if i == last {
		return t + k.logits
	}
	return t + m.handOvers[i].time(float64(k.tokens))
}

// firstTime is the time of what belongs to the first stage whatever its layers:
// the embedding and the exchange after it.
func (m *Model) firstTime(tokens int) units.Seconds {
	t := m.embedding(float64(tokens)).Time
	for i := range m.exchanges {
		if e := &m.exchanges[i]; e.first > 0 {
			t += units.Seconds(e.first) * e.once(float64(tokens))
		}
	}
	return t
}
