package roofline

import (
	"math"
	"strings"

	"kneepoint/hardware"
	"kneepoint/internal/units"
)

// New returns the cost model of a deployment. What cannot be deployed is a
// *badinput.Error whose key is relative to the experiment file's root: a
// precision that the accelerator does not compute in, a tensor parallelism that
// does not divide the model or that no link joins, a model that does not fit.
func New(d Deployment) (*Model, error) {
	d = d.withDefaults()
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := d.checkMemory(); err != nil {
		return nil, err
	}
	m := &Model{
		deployment: d,
		memory:     d.budget(),
		layers:     units.Seconds(d.Architecture.Layers),
		tokenTimes: make(memo, memoTokens),
		logitTimes: make(memo, memoLogits),
		machine: machine{
			bandwidth: d.Accelerator.Bandwidth,
			compute:   d.Accelerator.Peak(d.Activations),
			wide:      d.Accelerator.Peak(d.wideType()),
			wideBytes: d.wideType().Bytes(),
		},
	}
	if err := m.buildOperators(); err != nil {
		return nil, err
	}
	if err := m.buildCollectives(); err != nil {
		return nil, err
	}
	m.buildTotals()
	if len(d.Engine.Estimated) > 0 {
		m.estimate("engine " + d.Engine.Name + ": " + strings.Join(d.Engine.Estimated, ", "))
	}
	return m, nil
}

// buildOperators looks up the kernels of a layer and of the LM head.
func (m *Model) buildOperators() error {
	d, s := &m.deployment, m.deployment.shard()
	gemm, err := m.efficiency(hardware.GEMM, gemmFormat(d.Weights, d.Activations))
	if err != nil {
		return err
	}
	for i, p := range s.products() {
		m.products[i] = product{inner: p[0], outer: p[1], weightBytes: d.Weights.WeightBytes(),
			activationBytes: d.Activations.Bytes(), peak: m.machine.compute, efficiency: gemm,
			quantizePerInput: quantizePass(gemm, m.machine.bandwidth)}
	}
	wide, err := m.efficiency(hardware.GEMM, string(hardware.BF16))
	if err != nil {
		return err
	}
	m.head = product{inner: s.hidden, outer: d.paddedVocab() / float64(d.TP), weightBytes: m.machine.wideBytes,
		activationBytes: m.machine.wideBytes, peak: m.machine.wide, efficiency: wide}
	if m.elementwise, err = m.efficiency(hardware.Elementwise, string(hardware.BF16)); err != nil {
		return err
	}
	m.elementwiseBytes = d.Engine.UnfusedPasses * m.machine.wideBytes * elementwisePerToken(&s, d.Architecture.Gated)
	m.latencies = units.Seconds(d.Engine.ElementwiseKernels) * m.elementwise.Latency
	m.floor = m.layers * d.Engine.LaunchFloorOn(&d.Accelerator)
	return m.buildAttention(&s)
}

// elementwisePerToken is the number of elements that the elementwise kernels of
// a layer read and write for a token: two norms with their residual additions
// (two in, two out each), the rotary embedding and the write into the KV cache,
// the activation function.
func elementwisePerToken(s *shard, gated bool) float64 {
	activation := s.up + s.down
	if !gated {
		activation = 2 * s.down
	}
	return 8*s.hidden + 2*(s.queryWidth+s.kvWidth) + 2*s.kvWidth + activation
}

func (m *Model) buildAttention(s *shard) error {
	d := &m.deployment
	kvFormat := string(hardware.BF16)
	if d.KV.Bytes() < 2 {
		kvFormat = string(hardware.FP8)
	}
	decode, err := m.efficiency(hardware.AttentionDecode, kvFormat)
	if err != nil {
		return err
	}
	prefill, err := m.efficiency(hardware.AttentionPrefill, string(hardware.BF16))
	if err != nil {
		return err
	}
	m.decode = newDecodeAttention(s, d.KV.Bytes(), &m.machine, decode)
	m.prefill = newPrefillAttention(s, d.KV.Bytes(), &m.machine, prefill)
	return nil
}

// efficiency looks up an operator's constants, scaled by the engine's, and
// keeps the reason why they are estimated.
func (m *Model) efficiency(op hardware.Operator, format string) (hardware.Efficiency, error) {
	d := &m.deployment
	e, estimated, err := hardware.LookupEfficiency(op, &d.Accelerator, d.Engine.Backend, format)
	if err != nil {
		return e, err
	}
	m.estimate(estimated)
	return e.Scaled(d.Engine.ComputeEfficiency, d.Engine.MemoryEfficiency), nil
}

func (m *Model) estimate(reason string) {
	for _, r := range m.estimated {
		if r == reason {
			return
		}
	}
	if reason != "" {
		m.estimated = append(m.estimated, reason)
	}
}

func (m *Model) buildCollectives() error {
	d := &m.deployment
	if d.TP == 1 {
		return nil
	}
	c, estimated, err := hardware.LookupAllReduce(&d.Accelerator, d.Engine.AllReduce, d.TP)
	if err != nil {
		return err
	}
	m.estimate(estimated)
	m.allReduce = c
	m.link, _ = d.Accelerator.Interconnect(d.TP)
	others := float64(d.TP - 1)
	m.linkPerToken = units.Bytes((2*float64(d.Architecture.Layers) + 1) * 2 * others * float64(d.Architecture.Hidden) * m.machine.wideBytes)
	m.linkPerLogits = units.Bytes(others * float64(d.Architecture.Vocab) * m.machine.wideBytes)
	return nil
}

// buildTotals computes the replica's least bytes and FLOPs per token.
func (m *Model) buildTotals() {
	d, a := &m.deployment, &m.deployment.Architecture
	m.weightBytes = units.Bytes(float64(a.Layers) * a.LayerWeights() * d.Weights.WeightBytes())
	m.headBytes = units.Bytes(a.EmbeddingWeights() * m.machine.wideBytes)
	m.rowBytes = units.Bytes(float64(a.Hidden) * m.machine.wideBytes)
	m.kvBytes = a.KVBytesPerToken(d.KV)
	m.tokenFLOPs = a.MatrixFLOPsPerToken()
	m.pairFLOPs = a.AttentionFLOPsPerPair()
	m.headFLOPs = a.HeadFLOPs()
}

// paddedVocab is the vocabulary padded to a multiple of 64 per accelerator.
func (d *Deployment) paddedVocab() float64 {
	unit := 64 * float64(d.TP)
	return math.Ceil(float64(d.Architecture.Vocab)/unit) * unit
}
