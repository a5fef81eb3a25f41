package validate

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"sync"

	"kneepoint/experiments"
	"kneepoint/hardware/model"
	"kneepoint/units/badinput"
)

// Row is one measured number and its prediction.
type Row struct {
	ID        string            `json:"id"`
	Set       string            `json:"set"`
	Metric    string            `json:"metric"`
	Measured  float64           `json:"measured"`
	Predicted float64           `json:"predicted"`
	Labels    map[string]string `json:"labels"`
}

// Error is the relative error of the prediction: (predicted - measured) / measured.
func (r *Row) Error() float64 { return (r.Predicted - r.Measured) / r.Measured }

// Skipped is a measured run that was not simulated, with the reason.
type Skipped struct {
	ID     string `json:"id"`
	Reason string `json:"reason"`
}

// Read reads the measurements below dir: e2e/experiments.csv and
// silicon/closed_loop.csv, of which one may be absent.
func Read(dir string) ([]Case, error) {
	var cases []Case
	var missing error
	found := false
	for _, set := range []struct {
		path string
		read func(dir string) ([]Case, error)
	}{
		{filepath.Join("e2e", "experiments.csv"), readE2E},
		{filepath.Join("silicon", "closed_loop.csv"), readSilicon},
	} {
		if !exists(filepath.Join(dir, set.path)) {
			missing = &badinput.Error{File: dir, Problem: "holds no measurements", Allowed: "a folder with e2e/experiments.csv or silicon/closed_loop.csv"}
			continue
		}
		found = true
		more, err := set.read(dir)
		if err != nil {
			return nil, err
		}
		cases = append(cases, more...)
	}
	if !found {
		return nil, missing
	}
	return cases, nil
}

// Run simulates the cases, workers at a time (0: one per core), and returns
// their rows and what was skipped, in the order of the cases. progress is
// called, one call at a time, when a case is done. It ends early, with the
// context's error, when ctx is cancelled.
func Run(ctx context.Context, cases []Case, workers int, progress func(done, total int)) ([]Row, []Skipped, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	outcomes := make([]outcome, len(cases))
	var group sync.WaitGroup
	var mutex sync.Mutex
	next, done := 0, 0
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil {
				mutex.Lock()
				i := next
				next++
				mutex.Unlock()
				if i >= len(cases) {
					return
				}
				outcomes[i] = simulate(ctx, &cases[i])
				mutex.Lock()
				done++
				progress(done, len(cases))
				mutex.Unlock()
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	return collect(outcomes)
}

// outcome is what became of one case.
type outcome struct {
	rows    []Row
	skipped *Skipped
	err     error
}

func collect(outcomes []outcome) (rows []Row, skipped []Skipped, err error) {
	rows, skipped = []Row{}, []Skipped{} // lists in JSON, even when there is nothing
	for _, o := range outcomes {
		rows = append(rows, o.rows...)
		if o.skipped != nil {
			skipped = append(skipped, *o.skipped)
		}
		err = errors.Join(err, o.err)
	}
	return rows, skipped, err
}

// simulate repeats one measured run. What cannot be deployed or is not built yet
// is a reason to skip it; anything else that fails is an error.
func simulate(ctx context.Context, c *Case) outcome {
	skip := func(reason string) outcome { return outcome{skipped: &Skipped{c.ID, reason}} }
	if c.Skip != "" {
		return skip(c.Skip)
	}
	if len(c.Measured) == 0 {
		return skip("nothing that can be compared was measured")
	}
	e, err := experiments.FromTree(c.ID, c.Folder, c.Tree).Check()
	var bad *badinput.Error
	if errors.As(err, &bad) {
		reason := *bad
		reason.File = ""
		return skip(reason.Error())
	}
	if err != nil {
		return outcome{err: err}
	}
	res, err := e.Run(ctx, experiments.Options{Workers: 1})
	if err != nil {
		return outcome{err: err}
	}
	c.Labels["kind"] = kind(e)
	var o outcome
	m := res.Runs[0].Metrics
	for _, measured := range c.Measured {
		predicted, ok := m[measured.Key]
		if !ok {
			return skip("the simulation completed no request")
		}
		o.rows = append(o.rows, Row{ID: c.ID, Set: c.Set, Metric: measured.Metric, Measured: measured.Value, Predicted: predicted, Labels: c.Labels})
	}
	return o
}

// kind is "dense", or "MoE" for a mixture of experts.
func kind(e *experiments.Experiment) string {
	architecture, err := model.Lookup(e.Spec.Model.Name)
	if err == nil && architecture.ExpertLayers() > 0 {
		return "MoE"
	}
	return "dense"
}
