package experiments

import (
	"fmt"
	"math"
	"strings"

	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/sim"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// job is one simulation: a strategy at a point with a replication.
type job struct {
	strategy    string
	point       point
	axes        []Axis
	replication int
	spec        Spec
	trace       *workloads.Trace
	deployment  metrics.Deployment
	window      *window
	warnings    []string // that hold before anything is simulated
	build       func(*Spec) (*replica, error)
}

// addJobs appends the replications of one strategy at one point. Building each
// simulation once shows whatever is wrong with it.
func (e *Experiment) addJobs(spec Spec, p point, cache *traceCache) error {
	trace, err := cache.load(e.File.Folder, &spec.Workload)
	if err != nil {
		return err
	}
	if err := spec.checkSpeculation(); err != nil {
		return err
	}
	if err := spec.checkOffload(); err != nil {
		return err
	}
	replica, err := buildReplica(&spec)
	if err != nil {
		return err
	}
	if tokens, block := replica.deployment.Capacity.KVTokens, spec.Strategies[0].KV.BlockSize; tokens < block {
		return &badinput.Error{Key: "hardware.kv_tokens", Value: tokens, Problem: "the KV cache does not hold one block",
			Allowed: fmt.Sprintf("at least %d tokens (strategy.kv.block_size)", block)}
	}
	for r := range spec.Replications {
		j := job{strategy: spec.Strategies[0].Name, point: p, axes: e.Axes, replication: r, spec: spec,
			trace: trace, deployment: replica.deployment, warnings: replica.warnings(), build: buildReplica}
		if j.window, err = newWindow(&j); err != nil {
			return err
		}
		config, err := j.config()
		if err != nil {
			return err
		}
		if spec.Workload.TooLong == "error" {
			if err := checkLengths(config); err != nil {
				return err
			}
		}
		e.jobs = append(e.jobs, j)
	}
	return nil
}

// mostExpected bounds the memory that is set aside for requests that may never
// come.
const mostExpected = 10_000_000

// size is about how long the run takes, in requests.
func (j *job) size() int {
	w := &j.spec.Workload
	switch {
	case w.NumRequests > 0:
		return w.NumRequests
	case w.Duration > 0 && w.OfferedRate() > 0:
		return int(float64(w.Duration) * w.OfferedRate())
	case j.trace != nil:
		return j.trace.Requests()
	}
	return workloads.DefaultRequests
}

// describe names the run in messages.
func (j *job) describe() string {
	parts := []string{fmt.Sprintf("strategy %q", j.strategy)}
	for i, axis := range j.axes {
		parts = append(parts, fmt.Sprintf("%s = %v", axis.Path, j.point[i]))
	}
	return strings.Join(append(parts, fmt.Sprintf("replication %d", j.replication)), ", ")
}

// traffic makes the run's requests, from the first one on.
func (j *job) traffic() (workloads.Traffic, error) {
	traffic, err := workloads.New(j.spec.Workload, j.trace, j.spec.Seed, j.replication)
	return traffic, badinput.Under("workload", err)
}

// config builds the simulation.
func (j *job) config() (sim.Config, error) {
	spec, strategy := &j.spec, &j.spec.Strategies[0]
	traffic, err := j.traffic()
	if err != nil {
		return sim.Config{}, err
	}
	replica, err := j.build(spec)
	if err != nil {
		return sim.Config{}, err
	}
	blocks := replica.deployment.Capacity.KVTokens / strategy.KV.BlockSize
	reserve, err := strategy.reservation(replica.context, blocks*strategy.KV.BlockSize)
	if err != nil {
		return sim.Config{}, err
	}
	rank, err := j.rank()
	if err != nil {
		return sim.Config{}, err
	}
	config := sim.Config{
		Traffic:         traffic,
		Rank:            rank,
		MaxWaiting:      strategy.MaxWaiting,
		Cost:            replica.cost,
		FrontEnd:        replica.frontEnd,
		Reserve:         reserve,
		Blocks:          blocks,
		BlockSize:       strategy.KV.BlockSize,
		AsyncScheduling: replica.asyncScheduling,
		Eviction:        strategy.KV.eviction(),
		MaxTokens:       replica.context,
		Expected:        min(j.size(), mostExpected),
		Drain:           spec.Measure.Drain,
		MaxTime:         spec.Measure.MaxTime,
	}
	strategy.surround(&config)
	if spec.Workload.TooLong == "truncate" {
		config.TooLong = sim.Truncate
	}
	if j.window != nil {
		config.InWindow = j.window.contains
	}
	var acceptance *workloads.Acceptance
	if strategy.Speculation != nil {
		acceptance = workloads.NewAcceptance(strategy.Speculation.Acceptance, spec.Seed, j.replication)
		config.Accepted = acceptance.Accepted
	}
	longest := min(replica.context, blocks*strategy.KV.BlockSize)
	for range spec.Hardware.Replicas {
		batching := strategy.offloading(strategy.batching(longest), replica.layers)
		config.Batching = append(config.Batching, strategy.speculating(batching, acceptance, replica.cost))
	}
	if err := strategy.addTiers(&config, replica); err != nil {
		return config, err
	}
	if !spec.Measure.Drain && !traffic.OpenLoop() {
		return config, &badinput.Error{Key: "measure.drain", Value: false, Problem: "in a closed loop the last arrival depends on the end of others; drain it, or set max_time"}
	}
	return config, nil
}

// checkLengths refuses a workload with a request that does not fit.
func checkLengths(config sim.Config) error {
	for {
		r, ok := config.Traffic.Pop()
		if !ok {
			return nil
		}
		if !config.Fits(r) {
			return &badinput.Error{Key: "workload.too_long", Value: "error",
				Problem: fmt.Sprintf("request %d has %d prompt and %d output tokens, which exceeds the context or the KV cache", r.ID, r.Input, r.Output),
				Allowed: `"reject" or "truncate" to simulate the rest`}
		}
		config.Traffic.Done(r.ID, r.Arrival)
	}
}

// replica is the cost model of a replica and what goes with it.
type replica struct {
	cost            hardware.CostModel
	frontEnd        func(prompt int) units.Seconds
	asyncScheduling bool
	context         int // tokens of a sequence at most
	deployment      metrics.Deployment
	estimated       []string
	power           string      // what the energy rests on besides measurements
	kvPerToken      units.Bytes // on each accelerator; 0 where the model is not known
	layers          int
}

// EstimatedPrefix begins the warning that names what numbers rest on where that
// is not a measurement.
const EstimatedPrefix = "estimated: "

// EnergyPrefix begins the warning of the same kind that concerns the metrics of
// energy alone.
const EnergyPrefix = "energy is estimated: "

func (r *replica) warnings() []string {
	var all []string
	if len(r.estimated) > 0 {
		all = append(all, EstimatedPrefix+strings.Join(r.estimated, "; "))
	}
	if r.power != "" {
		all = append(all, EnergyPrefix+r.power)
	}
	return all
}

func buildReplica(spec *Spec) (*replica, error) {
	switch spec.Hardware.CostModel {
	case "synthetic":
		return syntheticReplica(spec), nil
	case "measured":
		return measuredReplica(spec)
	}
	return rooflineReplica(spec)
}

func rooflineReplica(spec *Spec) (*replica, error) {
	accelerator, err := spec.Hardware.accelerator()
	if err != nil {
		return nil, err
	}
	engine, err := spec.engine()
	if err != nil {
		return nil, err
	}
	architecture, err := spec.architecture()
	if err != nil {
		return nil, err
	}
	d := roofline.Deployment{
		Accelerator: accelerator, Engine: engine, Architecture: architecture,
		TP:                   spec.Hardware.TP,
		PP:                   spec.Hardware.PP,
		DP:                   spec.Hardware.DP,
		EP:                   spec.Hardware.EP,
		GPUMemoryUtilization: spec.Hardware.GPUMemoryUtilization,
		MaxModelLen:          spec.Model.MaxModelLen,
		MaxNumBatchedTokens:  spec.Strategies[0].MaxNumBatchedTokens,
		MaxNumSeqs:           spec.Strategies[0].MaxNumSeqs,
		KVTokens:             spec.Hardware.KVTokens,
		CPUOffload:           units.Bytes(spec.Hardware.CPUOffloadGB * (1 << 30)),
		BlockSize:            spec.Strategies[0].KV.BlockSize,
	}
	for _, p := range []struct {
		key, name string
		into      *hardware.Precision
	}{{"weights", spec.Model.Weights, &d.Weights}, {"activations", spec.Model.Activations, &d.Activations}, {"kv", spec.Model.KV, &d.KV}} {
		if *p.into, err = hardware.ParsePrecision(p.name); err != nil {
			return nil, badinput.Under("model."+p.key, err)
		}
	}
	if d.Speculation, err = spec.proposer(); err != nil {
		return nil, err
	}
	cost, err := roofline.New(d)
	if err != nil {
		return nil, err
	}
	return &replica{
		cost:            cost,
		kvPerToken:      cost.Memory().KVPerToken,
		layers:          architecture.Layers,
		frontEnd:        cost.RequestTime,
		asyncScheduling: engine.AsyncScheduling,
		context:         cost.Deployment().MaxModelLen,
		estimated:       cost.Estimated(),
		power:           accelerator.PowerEstimated(),
		deployment: metrics.Deployment{
			Capacity:     cost.Capacity(),
			Accelerators: spec.Hardware.Accelerators(),
			Power:        accelerator.Power(),
			USDPerHour:   accelerator.USDPerHour,
		},
	}, nil
}

// syntheticReplica has the given step times, no front end, and a context that
// only max_model_len bounds.
func syntheticReplica(spec *Spec) *replica {
	context := spec.Model.MaxModelLen
	if context == 0 {
		context = math.MaxInt
	}
	return &replica{
		cost:     hardware.InStages(spec.Hardware.Synthetic, spec.Hardware.PP),
		frontEnd: func(int) units.Seconds { return 0 },
		context:  context,
		deployment: metrics.Deployment{
			Capacity:     hardware.Capacity{KVTokens: spec.Hardware.KVTokens},
			Accelerators: 1,
		},
	}
}
