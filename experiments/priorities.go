package experiments

import (
	"fmt"
	"strings"

	"kneepoint/policies"
	"kneepoint/units/badinput"
)

// checkPriorities refuses priorities by which no strategy orders. A swept order may
// be by priority at some points only.
func (e *Experiment) checkPriorities() error {
	for _, s := range e.Spec.Strategies {
		if entry(policies.Orders, s.Order).Priorities {
			return nil
		}
	}
	for _, axis := range e.Axes {
		if strings.HasSuffix(axis.Path, ".order") {
			return nil
		}
	}
	for i, c := range e.Spec.Workload.Client {
		if c.Priority != 0 {
			return &badinput.Error{Key: fmt.Sprintf("workload.client[%d].priority", i), Value: c.Priority,
				Problem: "has no effect: no strategy orders by it", Allowed: `only beside a strategy with order = "priority"`}
		}
	}
	return nil
}
