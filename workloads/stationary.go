package workloads

// Stationary tells whether the traffic has a steady state: whether it would go on for
// ever as it began, and only NumRequests ends it. A trace and a duration are horizons of
// their own, requests that arrive at once are over before anything is steady, and a rate that
// changes by design never is.
func (s *Spec) Stationary() bool {
	if s.Duration > 0 || s.Trace != nil {
		return false
	}
	if s.Session != nil && s.Session.Users > 0 {
		return true // who need no arrivals
	}
	shared := s.arrival()
	if !s.everyClient((*ClientSpec).separate) && shared.atOnce() {
		return false
	}
	for i := range s.Client {
		if own := s.Client[i].Arrival; own != nil && own.atOnce() {
			return false
		}
	}
	return !s.Profiled()
}
