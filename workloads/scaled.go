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

// Lengthened is the workload with prompts and answers that are so many times as long. Their least
// and greatest lengths stay, with the mean between them, but where a law has nothing else; and so do those of a trace.
func (s *Spec) Lengthened(input, output float64) Spec {
	c := *s
	c.Input, c.Output = s.Input.lengthened(input), s.Output.lengthened(output)
	if s.Session != nil {
		session := *s.Session
		session.FirstInput, session.Input = session.FirstInput.lengthened(input), session.Input.lengthened(input)
		session.Output = session.Output.lengthened(output)
		c.Session = &session
	}
	c.Client = slices.Clone(s.Client)
	for i := range c.Client {
		client := &c.Client[i]
		client.Input, client.Output = client.Input.lengthened(input), client.Output.lengthened(output)
	}
	return c
}

func (s *LengthSpec) lengthened(factor float64) *LengthSpec {
	if s == nil || factor == 1 {
		return s
	}
	c := *s
	if c.Mean > 0 {
		c.Mean = max(c.Mean*factor, float64(max(c.Min, 1)))
		if c.Max > 0 {
			c.Mean = min(c.Mean, float64(c.Max))
		}
	}
	c.Std *= factor
	if c.Type == "uniform" && c.Mean == 0 {
		c.Min, c.Max = max(int(float64(c.Min)*factor), 1), max(int(float64(c.Max)*factor), 1)
	}
	c.Quantiles = slices.Clone(s.Quantiles)
	for i := range c.Quantiles {
		c.Quantiles[i] *= factor
	}
	c.Mix = slices.Clone(s.Mix)
	for i := range c.Mix {
		c.Mix[i].Mu += math.Log(factor)
	}
	return &c
}
