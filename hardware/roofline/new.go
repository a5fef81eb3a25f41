package roofline

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kneepoint/hardware"
)

// New returns the cost model of a deployment. What cannot be deployed is a
// *badinput.Error whose key is relative to the experiment file's root: a
// precision that the accelerator does not compute in, a parallelism that does
// not divide the model or that no link joins, a model that does not fit.
//
// A deployment without constants is resolved first; one with constants that lack
// what its steps launch is an error.
func New(d Deployment) (*Model, error) {
	d, err := d.Resolve()
	if err != nil {
		return nil, err
	}
	m, err := assemble(d, &d.Constants)
	if err != nil {
		return nil, err
	}
	m.memoise()
	return m, nil
}

// assemble makes the cost model of a deployment, its defaults filled in, with the
// constants of a source. It does without memos.
func assemble(d Deployment, constants constantSource) (*Model, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	if err := d.checkWeightOffload(); err != nil {
		return nil, err
	}
	if err := d.checkOverlap(); err != nil {
		return nil, err
	}
	if err := d.checkMemory(); err != nil {
		return nil, err
	}
	m := &Model{
		deployment: d,
		constants:  constants,
		memory:     d.budget(),
		machine: machine{
			bandwidth: d.Accelerator.Bandwidth,
			compute:   d.Accelerator.Peak(d.Activations),
			wide:      d.Accelerator.Peak(d.wideType()),
			wideBytes: d.wideType().Bytes(),
		},
		power: d.Accelerator.Power(d.Activations),
	}
	for _, n := range d.stageLayers() {
		m.shares = append(m.shares, float64(n)/float64(d.Architecture.Layers))
	}
	if err := m.buildOperators(); err != nil {
		return nil, err
	}
	if err := m.buildExchanges(); err != nil {
		return nil, err
	}
	m.buildTotals()
	m.buildWeightOffload()
	if d.Speculation != nil {
		if err := m.buildProposer(); err != nil {
			return nil, err
		}
	}
	if err := m.buildRested(); err != nil {
		return nil, err
	}
	if d.overlaps() {
		m.estimate("micro-batches: what runs at the same time does not slow each other down")
	}
	if d.fusesSums() {
		m.estimate("sums within products: neither slows the other down")
	}
	if t := d.Accelerator.Throttle; t != nil {
		least, most := t.Range()
		m.estimate(fmt.Sprintf("rates of %s before its cooling limits them: %.2g to %.2g of them are left after %s at full load", d.Accelerator.Name, least, most, t.After))
	}
	if assumed := d.assumed(); len(assumed) > 0 {
		m.estimate("engine " + d.Engine.Name + ": " + strings.Join(assumed, ", "))
	}
	return m, nil
}

// assumed lists the parameters of the engine that the deployment uses and that
// rest on no measurement.
func (d *Deployment) assumed() []string {
	return slices.DeleteFunc(slices.Clone(d.Engine.Estimated), func(key string) bool {
		return d.Speculation == nil && strings.HasPrefix(key, "speculation_")
	})
}

// buildOperators looks up the kernels of the layers and of the LM head.
func (m *Model) buildOperators() error {
	d, s := &m.deployment, m.deployment.shard()
	a := &d.Architecture
	common, projected, wide := d.common(), d.projected(), d.wide()
	output := len(s.attention) - d.outputProducts()
	for _, part := range []struct {
		name     string
		count    int
		matrices []widths
		format   format
		summed   bool
	}{
		{"QKV projection", a.AttentionLayers(), s.attention[:output], projected, false},
		{"indexer projections", a.IndexLayers(), s.index, projected, false},
		{"output projection", a.AttentionLayers(), s.attention[output:], projected, true},
		{"linear attention projections", a.LinearLayers(), s.linear, projected, false},
		{"MLP", a.DenseLayers(), s.dense, common, true},
		{"shared experts", a.ExpertLayers(), s.shared, common, false},
		{"router", a.ExpertLayers(), s.router, wide, false},
	} {
		products, err := m.products(part.matrices, part.format)
		if err != nil {
			return err
		}
		m.layers = append(m.layers, layers{part.name, float64(part.count), products, part.summed})
	}
	head, err := m.products([]widths{{s.hidden, d.paddedVocab() / float64(d.TP)}}, wide)
	if err != nil {
		return err
	}
	m.head = head[0]
	if err := m.buildExperts(&s); err != nil {
		return err
	}
	if err := m.buildElementwise(&s); err != nil {
		return err
	}
	return m.buildAttention(&s)
}

// products looks up the kernels of matrix products in a format.
func (m *Model) products(matrices []widths, f format) ([]product, error) {
	if len(matrices) == 0 {
		return nil, nil
	}
	e, err := m.efficiency(hardware.GEMM, f.gemm(m.deployment.Architecture.FP8Block))
	if err != nil {
		return nil, err
	}
	if e, err = m.fused(e, f); err != nil {
		return nil, err
	}
	m.estimate(f.standIn())
	products := make([]product, len(matrices))
	for i, w := range matrices {
		products[i] = product{inner: w.inner, outer: w.outer, weightBytes: f.weightBytes(),
			activationBytes: f.activations.Bytes(), peak: m.deployment.Accelerator.Peak(f.activations),
			efficiency: e, quantizePerInput: quantizePass(e, m.machine.bandwidth), vectorPerWeight: m.scaling(f)}
	}
	return products, nil
}

// fused is the constants of a product of a format where the engine quantizes its input
// in the kernel before.
func (m *Model) fused(e hardware.Efficiency, f format) (hardware.Efficiency, error) {
	if f.gemm(m.deployment.Architecture.FP8Block) != string(hardware.FP8) || !m.deployment.Engine.FusedQuantization {
		return e, nil
	}
	wide, err := m.efficiency(hardware.GEMM, string(hardware.BF16))
	e.Latency, e.Quantize = min(e.Latency, wide.Latency), 0
	return e, err
}

// efficiency looks up an operator's constants, scaled by the engine's, and
// keeps the reason why they are estimated.
func (m *Model) efficiency(op hardware.Operator, format string) (hardware.Efficiency, error) {
	d := &m.deployment
	k, err := m.constants.kernel(op, format)
	if err != nil {
		return hardware.Efficiency{}, err
	}
	m.estimate(k.Estimated)
	return k.Efficiency.Scaled(d.Engine.ComputeEfficiency, d.Engine.MemoryEfficiency), nil
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

// paddedVocab is the vocabulary padded to a multiple of 64 per accelerator.
func (d *Deployment) paddedVocab() float64 {
	unit := 64 * float64(d.TP)
	return math.Ceil(float64(d.Architecture.Vocab)/unit) * unit
}
