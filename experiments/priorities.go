package experiments

import (
	"fmt"

	"kneepoint/experiments/scenario"
	"kneepoint/policies"
	"kneepoint/units/badinput"
)

// checkPriorities refuses priorities by which no strategy orders at any point.
func (e *Experiment) checkPriorities() error {
	for i := range e.cells {
		if ordersByPriority(&e.cells[i].scenario) {
			return nil
		}
	}
	for i, c := range e.Spec.Workload.Client {
		if c.Priority != 0 {
			return &badinput.Error{Key: fmt.Sprintf("workload.client[%d].priority", i), Value: c.Priority,
				Problem: "has no effect: no strategy orders by it", Allowed: `only beside a strategy or a fleet.queue with order = "priority"`}
		}
	}
	return nil
}

// ordersByPriority tells whether the replicas or the router have the most urgent request first.
func ordersByPriority(s *scenario.Scenario) bool {
	queue := s.Fleet.Queue
	return entry(policies.Orders, s.Order).Priorities || queue != nil && entry(policies.Orders, queue.Order).Priorities
}
