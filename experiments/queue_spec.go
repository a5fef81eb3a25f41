package experiments

import (
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// QueueSpec is the [fleet.queue] table: requests wait at the router, for a replica that
// has room, instead of at the replicas.
type QueueSpec struct {
	MaxInFlight int           `toml:"max_in_flight" check:"nonnegative"` // requests that a replica has at a time; 0: no limit
	Order       string        `toml:"order" oneof:"@orders"`
	Rate        float64       `toml:"rate" check:"nonnegative"` // requests a second; 0: no limit
	Burst       int           `toml:"burst" check:"positive"`
	Timeout     units.Seconds `toml:"timeout" check:"nonnegative"` // 0: none
	Retries     int           `toml:"retries" check:"nonnegative" most:"50"`
	Backoff     units.Seconds `toml:"backoff" check:"nonnegative"`
}

// SetDefaults is a queue in order of arrival.
func (q *QueueSpec) SetDefaults() { q.Order, q.Burst = policies.Orders[0].Name, 1 }

// Words are the orders of a queue.
func (*QueueSpec) Words(string) []string { return policies.Names(policies.Ranked()) }

// slowestRate is how many requests a second a router must let pass, as workloads must send.
const slowestRate = 1e-6

// Validate refuses a queue in which nobody waits, and keys that have no effect beside others.
func (q *QueueSpec) Validate() error {
	switch {
	case q.MaxInFlight == 0 && q.Rate == 0:
		return &badinput.Error{Key: "max_in_flight", Problem: "missing: without a limit no request waits at the router",
			Allowed: "from 1, or a rate"}
	case q.Rate > 0 && q.Rate < slowestRate:
		return &badinput.Error{Key: "rate", Value: q.Rate, Problem: "too small", Allowed: "0, or from 1e-06 on"}
	case q.Burst > 1 && q.Rate == 0:
		return &badinput.Error{Key: "burst", Value: q.Burst, Problem: "has no effect without a rate", Allowed: "1, or a rate"}
	case q.Retries > 0 && q.Timeout == 0:
		return &badinput.Error{Key: "retries", Value: q.Retries, Problem: "has no effect without a timeout: nobody gives up",
			Allowed: "0, or a timeout"}
	case q.Backoff > 0 && q.Retries == 0:
		return &badinput.Error{Key: "backoff", Value: q.Backoff.String(), Problem: "has no effect without retries", Allowed: `"0s", or retries`}
	}
	return nil
}
