package heldout

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"kneepoint/experiments/runner"
	"kneepoint/experiments/scenario"
	"kneepoint/experiments/validate"
)

// run is a measured run that can be repeated with other constants.
type run struct {
	c        *validate.Case
	scenario scenario.Scenario
	on       []int // the knobs that it depends on
}

// rows are the predictions of a run, none where no request completed.
type rows []validate.Row

// repeater repeats runs at places, and keeps what came out: most refits go the same way.
type repeater struct {
	knobs   knobs
	traces  scenario.Traces
	workers int
	known   map[outcome]rows
}

// outcome is what a run came to at a place, as far as its knobs go.
type outcome struct {
	of *run
	at string
}

// runs are the cases that can be simulated, of one pool each.
func (r *repeater) runs(cases []validate.Case) []*run {
	var all []*run
	for i := range cases {
		s, err := cases[i].Scenario(&r.traces)
		if err != nil || len(s.Pools) != 1 || s.Pools[0].Deployment.Roofline == nil {
			continue // which package validate reports
		}
		all = append(all, &run{&cases[i], s, r.knobs.add(s.Pools[0].Deployment.Roofline)})
	}
	return all
}

// What a fit makes do with: of a run that cycles through few prompts ten cycles, so that the
// first, in which nothing is cached, is a tenth; of a file of requests the first 1,500; and no
// run of more requests than that.
const (
	mostCycles   = 10
	mostRequests = 1500
)

// brief are cases of at most mostRequests requests, as short as a fit can do with.
func brief(cases []validate.Case) []validate.Case {
	var all []validate.Case
	for _, c := range cases {
		workload, _ := c.Tree["workload"].(map[string]any)
		workload = maps.Clone(workload)
		requests, _ := workload["num_requests"].(int64)
		if prefix, cached := workload["prefix"].(map[string]any); cached {
			requests = min(requests, mostCycles*prefix["distinct"].(int64))
			workload["num_requests"] = requests
		}
		if trace, replayed := workload["trace"].(map[string]any); replayed {
			trace = maps.Clone(trace)
			trace["limit"] = int64(mostRequests)
			workload["trace"] = trace
		}
		c.Tree = maps.Clone(c.Tree)
		c.Tree["workload"] = workload
		if requests <= mostRequests {
			all = append(all, c)
		}
	}
	return all
}

// campaign is what runs share that were measured in one go: engine, version, model,
// accelerator and precision.
func campaign(c *validate.Case) string {
	var words []string
	for _, label := range []string{"engine", "version", "model", "accelerator", "precision"} {
		words = append(words, c.Labels[label])
	}
	return c.Set + " " + strings.Join(words, " ")
}

// thinned keeps some cases of every campaign, which lie evenly in it: all of a campaign of
// at most that many.
func thinned(cases []validate.Case, most int) []validate.Case {
	size, seen := map[string]int{}, map[string]int{}
	for i := range cases {
		size[campaign(&cases[i])]++
	}
	var kept []validate.Case
	for i := range cases {
		name := campaign(&cases[i])
		k, n := seen[name], size[name]
		seen[name]++
		if n <= most || k == 0 || k*most/n != (k-1)*most/n {
			kept = append(kept, cases[i])
		}
	}
	return kept
}

// predict returns the rows of runs at a place, by run.
func (r *repeater) predict(ctx context.Context, runs []*run, at place) ([]rows, error) {
	keys := make([]outcome, len(runs))
	var missing []int
	for i, x := range runs {
		keys[i] = outcome{x, at.key(x.on)}
		if _, ok := r.known[keys[i]]; !ok {
			missing = append(missing, i)
		}
	}
	if err := r.simulate(ctx, runs, at, missing, keys); err != nil {
		return nil, err
	}
	found := make([]rows, len(runs))
	for i := range runs {
		found[i] = r.known[keys[i]]
	}
	return found, nil
}

// simulate repeats the missing runs and keeps their rows. Cost models are of no use
// afterwards, hence a builder of its own.
func (r *repeater) simulate(ctx context.Context, runs []*run, at place, missing []int, keys []outcome) error {
	var failed error
	err := runner.Run(ctx, func(yield func(scenario.Scenario) bool) {
		for _, i := range missing {
			if !yield(r.knobs.turned(runs[i].scenario, runs[i].on, at)) {
				return
			}
		}
	}, runner.Options{Workers: r.workers, Builder: scenario.NewBuilder(&r.traces), Done: func(x runner.Result) {
		i := missing[x.Index]
		if x.Err != nil {
			failed = fmt.Errorf("%s: %w", runs[i].c.ID, x.Err)
			return
		}
		r.known[keys[i]], _ = runs[i].c.Compare(x.Outcome.Metrics)
	}})
	if err != nil {
		return err
	}
	return failed
}
