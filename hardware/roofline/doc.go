// Package roofline is the cost model that needs no measurements of the very
// deployment: it sums, over the operators of a step, what each takes given the
// hardware's peaks and how close its kernels come to them,
//
//	t_op = t0 + ((FLOPs/(peak*ec))^q + (bytes/(bandwidth*em))^q)^(1/q)
//
// and adds collectives, within servers and between them, and the host's share.
// A Deployment is plain data. Resolve fills in its defaults and the constants
// above; from then on the cost model depends on that value alone.
//
// It tells the stages of a pipeline apart, and says what fits
// in memory.
//
// It knows accelerators and engine profiles (package hardware) and the
// dimensions of models (package hardware/model). It must not know requests,
// policies or the clock: a step is a Work, and its cost depends on nothing else.
//
// Not modelled: kernels that slow each other down, layers that differ between
// the stages of a pipeline, and experts placed by their load.
//
// No step is faster than the bytes that it must move divided by the bandwidth,
// or than its FLOPs divided by the dense peak.
package roofline
