package workloads

import (
	"math"
	"slices"
)

// Load is what the workload asks of a service, and in which unit: users where there are any,
// clients of a closed loop, or else requests (or conversations) per second. It is 0 where only
// a trace tells.
func (s *Spec) Load() (load float64, unit string) {
	switch {
	case s.Session != nil && s.Session.Users > 0:
		return float64(s.Session.Users), "users"
	case s.Arrival != nil && s.Arrival.Process == "closed":
		return float64(s.Arrival.Concurrency), "clients"
	case s.Session != nil:
		return s.OfferedRate(), "conv/s"
	}
	return s.OfferedRate(), "req/s"
}

// Scaled is the workload with its load times a factor: rates, and users and clients rounded
// up. Times of a trace, and a rate that changes by design, stay as they are.
func (s *Spec) Scaled(factor float64) Spec {
	c := *s
	c.Arrival = s.Arrival.scaled(factor)
	if s.Session != nil {
		session := *s.Session
		session.Users = scaledCount(session.Users, factor)
		c.Session = &session
	}
	c.Client = slices.Clone(s.Client)
	for i := range c.Client {
		c.Client[i].Arrival = c.Client[i].Arrival.scaled(factor)
	}
	return c
}

func (a *ArrivalSpec) scaled(factor float64) *ArrivalSpec {
	if a == nil {
		return nil
	}
	c := *a
	c.Rate *= Rate(factor)
	c.Concurrency = scaledCount(c.Concurrency, factor)
	return &c
}

// scaledCount is a number of users times a factor, rounded up but for the rounding of the
// product.
func scaledCount(n int, factor float64) int {
	const rounding = 1e-9
	return int(math.Ceil(float64(n) * factor * (1 - rounding)))
}
