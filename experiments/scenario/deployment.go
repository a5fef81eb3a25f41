package scenario

import (
	"cmp"
	"math"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/units/paging"
)

// Deployment is what a replica runs on, and how long its steps take: a Roofline of
// model, accelerators and engine; step times that were Measured, beside a roofline
// or a Bare replica; or Synthetic ones, with a Bare replica.
type Deployment struct {
	Roofline  *roofline.Deployment
	Measured  *hardware.Measured
	Synthetic *hardware.Synthetic
	Bare      *Bare
}

// Bare is a replica of which neither the model nor the accelerator is known.
type Bare struct {
	KVTokens     int             // that the KV cache holds
	MaxModelLen  int             // tokens of prompt and output; 0: no limit
	Stages       int             // of the pipeline, each as long as the others
	Accelerators int             // of the replica
	Engine       hardware.Engine // for its front end and scheduling; the zero Engine has neither
}

// stages is the number of pipeline stages.
func (d *Deployment) stages() int {
	if d.Roofline != nil {
		return d.Roofline.PP
	}
	return d.Bare.Stages
}

// source names how step times are known, as hardware.cost_model does.
func (d *Deployment) source() string {
	switch {
	case d.Synthetic != nil:
		return "synthetic"
	case d.Measured != nil:
		return "measured"
	}
	return "roofline"
}

// server is the cost model of a replica and what follows from its deployment alone. It
// does not change, and simulations share it: making one costs more than a short run.
type server struct {
	cost            hardware.CostModel
	frontEnd        func(prompt int) units.Seconds // by tokens of prompt
	asyncScheduling bool                           // see sim.Pool
	context         int                            // tokens of a sequence at most
	resources       metrics.Deployment             // what metrics need to know of the hardware
	kvPerToken      units.Bytes                    // on each accelerator; 0 where the model is not known
	draftKV         units.Bytes                    // of these, a proposer's
	state           units.Bytes                    // of a sequence on each accelerator, of linear attention
	layers          int
	deployment      *roofline.Deployment                   // nil where the model is not known
	windowed        func(blocks int) (paging.Windows, int) // see roofline.Deployment; nil where the model is not known
	assumptions     Assumptions
}

// Assumptions are what the numbers of a deployment rest on besides measurements
// of this very deployment.
type Assumptions struct {
	Times  []string // each in a few words
	Energy string   // what concerns energy alone
}

// serve makes the server of a deployment.
func (d *Deployment) serve() (*server, error) {
	switch {
	case d.Roofline == nil:
		return d.serveBare(), nil
	case d.Measured != nil:
		return d.serveMeasured()
	}
	return d.serveRoofline()
}

func (d *Deployment) serveRoofline() (*server, error) {
	cost, err := roofline.New(*d.Roofline)
	if err != nil {
		return nil, err
	}
	return serverOf(cost), nil
}

// serverOf is the server of a model on its accelerators.
func serverOf(cost *roofline.Model) *server {
	built := cost.Deployment()
	accelerator := &built.Accelerator
	memory := cost.Memory()
	return &server{
		cost:            cost,
		kvPerToken:      memory.KVPerToken,
		draftKV:         memory.DraftKV,
		state:           memory.State,
		layers:          built.Architecture.Layers,
		deployment:      &built,
		windowed:        built.Windowed,
		frontEnd:        cost.RequestTime,
		asyncScheduling: built.Engine.AsyncScheduling,
		context:         built.MaxModelLen,
		assumptions:     Assumptions{Times: cost.Estimated(), Energy: accelerator.PowerEstimated()},
		resources: metrics.Deployment{
			Capacity:     cost.Capacity(),
			Accelerators: built.Accelerators(),
			IdleWatts:    accelerator.IdleWatts,
			USDPerHour:   accelerator.USDPerHour,
		},
	}
}

// serveBare has a context that only MaxModelLen bounds, and neither bytes nor
// FLOPs to count.
func (d *Deployment) serveBare() *server {
	b := d.Bare
	s := &server{
		frontEnd:        b.Engine.RequestTime,
		asyncScheduling: b.Engine.AsyncScheduling,
		context:         cmp.Or(b.MaxModelLen, math.MaxInt),
		resources:       metrics.Deployment{Capacity: hardware.Capacity{KVTokens: b.KVTokens}, Accelerators: b.Accelerators},
	}
	s.assumptions.Times = b.Engine.EstimatedBesideSteps()
	if d.Synthetic != nil {
		s.cost = hardware.InStages(d.Synthetic, b.Stages)
	} else {
		s.cost = hardware.InStages(d.Measured, b.Stages)
	}
	return s
}

// serveMeasured has step times from measurements, and everything else from the
// model and the accelerator. Front end and scheduling are the engine's. Measured steps
// that are faster than the accelerator can read memory are a *badinput.Error.
func (d *Deployment) serveMeasured() (*server, error) {
	cost, err := roofline.New(*d.Roofline)
	if err != nil {
		return nil, err
	}
	s := serverOf(cost)
	s.cost = d.Measured.WithWork(cost)
	s.assumptions.Times = d.Roofline.Engine.EstimatedBesideSteps()
	return s, badinput.Under("hardware.measured", d.Measured.CheckFloor(s.cost, &s.resources.Capacity))
}
