package experiments

import (
	"context"

	"kneepoint/experiments/results"
	"kneepoint/workloads"
)

// drawn draws the requests that figures show, as the runs of the first replication had them.
func (e *Experiment) drawn(ctx context.Context, res *results.Results) ([]results.DrawnTraffic, error) {
	var all []results.DrawnTraffic
	for _, point := range res.ToDraw() {
		s := e.Scenario(point * len(res.Strategies) * e.Spec.Replications)
		traffic, err := e.builder.Traffic(&s)
		if err != nil {
			return all, err
		}
		t := results.DrawnTraffic{Point: res.SettingAt(point)}
		if err := draw(ctx, &t, traffic, s.Traffic.ClientNames()); err != nil {
			return all, err
		}
		all = append(all, t)
	}
	return all, nil
}

// draw takes requests from their source and sums them up. Those of clients that wait for
// an answer get it at once, which changes when they come and not how long they are.
func draw(ctx context.Context, t *results.DrawnTraffic, traffic workloads.Traffic, names []string) error {
	if len(names) == 0 || len(names) > results.MostDrawnClasses {
		names = []string{""}
	}
	input, output := make([][]float64, len(names)), make([][]float64, len(names))
	var arrivals []float64
	for len(arrivals) < results.MostDrawn && ctx.Err() == nil {
		r, ok := traffic.Pop()
		if !ok {
			break
		}
		class := min(r.Class, len(names)-1)
		input[class], output[class] = append(input[class], float64(r.Input)), append(output[class], float64(r.Output))
		arrivals = append(arrivals, float64(r.Arrival))
		traffic.Done(r.ID, r.Arrival)
	}
	for class, name := range names {
		if len(input[class]) > 0 {
			t.Classes = append(t.Classes, results.NewDrawnClass(name, input[class], output[class]))
		}
	}
	if traffic.OpenLoop() && len(arrivals) > 0 {
		t.Bucketed(arrivals)
	}
	return ctx.Err()
}
