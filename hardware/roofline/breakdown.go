package roofline

import (
	"kneepoint/hardware"
	"kneepoint/units"
)

// Bound is what an operator waits for most.
type Bound string

// What an operator can wait for.
const (
	ComputeBound Bound = "compute"
	MemoryBound  Bound = "memory"
	LinkBound    Bound = "link"
	LatencyBound Bound = "latency" // of its kernels and collectives, whatever their size
	HostBound    Bound = "CPU"
)

// Operator is one kind of kernel, exchange or host work in a step: its time in
// all layers, and what the busiest accelerator does in it; in a pipeline, the
// busiest of every stage together.
type Operator struct {
	Name      string
	Time      units.Seconds
	Bound     Bound
	FLOPs     units.FLOPs
	Bytes     units.Bytes // read and written, activations included
	LinkBytes units.Bytes // sent

	sides sides // of all layers
}

// Breakdown says where the time of a step goes, in the order of the forward
// pass. The operators' times add up to that of Step: both are sums over the
// same functions.
func (m *Model) Breakdown(w *hardware.Work) []Operator {
	if w.Tokens() == 0 {
		return nil
	}
	k := m.kernelsOf(w)
	list := m.hastened(m.kernelOperators(w, k.tokens), &k, w)
	if k.capped > 0 {
		list = append(list, Operator{Name: "slower clock under the power cap", Time: k.capped, Bound: ComputeBound})
	}
	list = append(list, m.hostOperators(&k)...)
	if m.proposer != nil {
		list = append(list, m.proposer.operator(w))
	}
	return list
}

// kernelOperators is the kernels and exchanges of a step, of the tokens of a data-parallel group.
func (m *Model) kernelOperators(w *hardware.Work, tokens int) []Operator {
	var list []Operator
	add := func(o Operator) { list = append(list, o) }
	if m.splits(tokens) {
		list = m.overlapped(w, tokens)
	} else {
		m.layerOperators(w, tokens, add)
	}
	if w.LogitRows > 0 {
		m.logitOperators(float64(m.groupShare(w.LogitRows)), add)
	}
	if m.weightsFromHost > 0 {
		add(m.weightsOperator(Total(list)))
	}
	return list
}

// layerOperators visits the embedding, and the kernels and exchanges of the layers.
func (m *Model) layerOperators(w *hardware.Work, tokens int, visit func(Operator)) {
	m.tokenOperators(float64(tokens), visit)
	for i := range m.handOvers {
		visit(m.handOvers[i].operator(float64(tokens)))
	}
	if m.experts != nil {
		visit(m.expertOperator(float64(w.Tokens())))
	}
	m.contextOperators(w, visit)
}

// contextOperators visits the operators whose work depends on what tokens attend to.
func (m *Model) contextOperators(w *hardware.Work, visit func(Operator)) {
	if w.DecodeRows > 0 {
		visit(m.decodeOperator(w))
	}
	if len(w.Prefill) > 0 {
		visit(m.prefillOperator(w.Prefill))
	}
	attends := w.DecodeRows > 0 || len(w.Prefill) > 0 // rows of padding alone do not
	if m.indexer != nil && attends {
		visit(m.indexOperator(w))
	}
	if m.linear != nil && attends {
		visit(m.linear.operator(m, w))
	}
}

// tokenOperators visits the operators that depend on the number of a group's
// tokens alone: the embedding, the layers' matrix products, elementwise kernels
// and exchanges.
func (m *Model) tokenOperators(tokens float64, visit func(Operator)) {
	visit(m.embedding(tokens))
	for i := range m.layers {
		if l := &m.layers[i]; len(l.products) > 0 && l.count > 0 {
			visit(m.productsOperator(l, tokens))
		}
	}
	visit(m.passes("norms, rotary, activations", m.latencies, units.Bytes(tokens*m.elementwiseBytes)))
	for i := range m.exchanges {
		visit(m.exchanges[i].operator(tokens))
	}
}

// embedding reads and writes the rows of the table, and adds positions.
func (m *Model) embedding(tokens float64) Operator {
	return m.passes("embedding", 2*m.elementwise.Latency, units.Bytes(4*tokens)*m.totals.rowBytes)
}

// logitBytes is what sampling moves per logit: the 16-bit logit and its 32-bit
// copy.
const logitBytes = 6

// samplerLaunches is the number of kernels of a sampler: about 20 us in all.
const samplerLaunches = 10

// logitOperators visits the LM head for the rows, the sampler, and the
// gathering of the accelerators' parts of the logits.
func (m *Model) logitOperators(rows float64, visit func(Operator)) {
	visit(m.productsOperator(&layers{name: "LM head", count: 1, products: []product{m.head}}, rows))
	logits := units.Bytes(rows * float64(m.deployment.Architecture.Vocab) * logitBytes)
	visit(m.passes("sampling", samplerLaunches*m.elementwise.Latency, logits))
	if m.gather != nil {
		visit(m.gather.operator(rows))
	}
}

// productsOperator is the matrix products of all layers of a kind.
func (m *Model) productsOperator(l *layers, rows float64) Operator {
	o := Operator{Name: l.name}
	var s sides
	for i := range l.products {
		p := &l.products[i]
		flops, bytes := p.work(rows)
		o.Time += units.Seconds(l.count) * p.time(rows, m.machine.bandwidth)
		o.FLOPs += units.FLOPs(l.count) * flops
		o.Bytes += units.Bytes(l.count) * bytes
		s.add(&p.efficiency, beside(flops.At(p.peak), p.vectorTime(rows), &p.efficiency), bytes.At(m.machine.bandwidth))
		s.memory += p.quantizePerInput * units.Seconds(rows*p.inner)
	}
	return o.waitingFor(s.times(l.count))
}

// passes is elementwise kernels: their launches, and the bytes that they move.
func (m *Model) passes(name string, latency units.Seconds, bytes units.Bytes) Operator {
	moving := m.elementwise.Overlap(0, bytes.At(m.machine.bandwidth))
	s := sides{latency: latency, memory: moving}
	return Operator{Name: name, Time: latency + moving, Bytes: bytes}.waitingFor(s)
}

// operator is all of a step's exchanges of one kind.
func (e *exchange) operator(tokens float64) Operator {
	o := Operator{Name: e.name, Time: e.time(tokens), Bound: LinkBound, LinkBytes: units.Bytes(e.times*tokens) * e.bytesPerSlot()}
	if 2*units.Seconds(e.times)*e.latency(tokens) > o.Time {
		o.Bound = LatencyBound
	}
	return o
}

func (m *Model) expertOperator(tokens float64) Operator {
	layers := float64(m.deployment.Architecture.ExpertLayers())
	flops, bytes := m.experts.work(tokens)
	var s sides
	e := &m.experts.efficiency
	s.add(e, beside(flops.At(m.experts.peak), m.experts.vectorTime(flops), e), bytes.At(m.machine.bandwidth))
	return Operator{Name: "experts", Time: units.Seconds(layers) * m.experts.time(tokens, m.machine.bandwidth),
		FLOPs: units.FLOPs(layers) * flops, Bytes: units.Bytes(layers) * bytes}.waitingFor(s.times(layers))
}

func (m *Model) decodeOperator(w *hardware.Work) Operator {
	a, d := &m.deployment.Architecture, m.decodeKernel(w)
	context, windowed := float64(w.ReadContext()), m.windowContext(w)
	context, windowed = m.keptOf(float64(w.DecodeRows), context, windowed)
	guessed, windowedGuesses := m.keptOf(float64(w.DraftRows), float64(w.DraftContext), m.draftWindowContext(w))
	keys := (float64(a.FullLayers())*context + float64(a.WindowLayers)*windowed) / float64(m.deployment.DP)
	guesses := (float64(a.FullLayers())*guessed + float64(a.WindowLayers)*windowedGuesses) / float64(m.deployment.DP)
	rows := float64(a.AttentionLayers()) * float64(m.groupShare(w.DecodeRows+w.DraftRows))
	o := Operator{Name: "attention (decode)", Time: m.decodeTime(d, w),
		FLOPs: units.FLOPs(keys+guesses) * d.flopsPerContext,
		Bytes: units.Bytes(keys)*d.bytesPerContext + units.Bytes(rows)*d.bytesPerRow}
	s := sides{latency: units.Seconds(a.AttentionLayers()-1) * d.latency} // add counts one more
	s.add(&d.efficiency, o.FLOPs.At(m.machine.wide), o.Bytes.At(m.machine.bandwidth))
	s.compute = max(s.compute, units.Seconds(keys+guesses)*d.vector)
	return o.waitingFor(s)
}

func (m *Model) prefillOperator(chunks []hardware.Chunk) Operator {
	a := &m.deployment.Architecture
	full, windowed := m.keptReach(m.busiestReach(chunks))
	flops, bytes := m.prefill.work(full)
	windowFLOPs, windowBytes := m.prefill.work(windowed)
	o := Operator{Name: "attention (prefill)", Time: m.prefillTime(chunks),
		FLOPs: units.FLOPs(a.FullLayers())*flops + units.FLOPs(a.WindowLayers)*windowFLOPs,
		Bytes: units.Bytes(a.FullLayers())*bytes + units.Bytes(a.WindowLayers)*windowBytes}
	s := sides{latency: units.Seconds(a.AttentionLayers()-1) * m.prefill.efficiency.Latency}
	s.add(&m.prefill.efficiency, o.FLOPs.At(m.machine.wide), o.Bytes.At(m.machine.bandwidth))
	return o.waitingFor(s)
}

// hostOperators is what the host adds to a step of these kernels: the time that
// the accelerators wait for launches, and the host's share beside it. With
// overlap the two hide each other in a stage, and the longer one counts.
func (m *Model) hostOperators(k *kernels) []Operator {
	var launches, scheduler units.Seconds
	for i := range m.shares {
		gpu := m.stageKernels(i, k)
		added := m.withHost(i, gpu, k) - gpu
		launch := max(0, m.launchTime(i, k)-gpu)
		if m.deployment.Engine.Overlap && added > launch {
			launch = 0
		}
		launches += launch
		scheduler += added - launch
	}
	var list []Operator
	if launches > 0 {
		list = append(list, Operator{Name: "waiting for launches", Time: launches, Bound: HostBound})
	}
	if scheduler > 0 {
		list = append(list, Operator{Name: "scheduler", Time: scheduler, Bound: HostBound})
	}
	return list
}

// Total is the operators' time taken together.
func Total(operators []Operator) units.Seconds {
	var total units.Seconds
	for _, o := range operators {
		total += o.Time
	}
	return total
}
