package scaling

// Metric names what HPA holds against its target.
type Metric string

// Metrics of HPA. The first two are numbers of requests, those before the router
// included, and the others shares, as averages over the replicas.
const (
	Requests      Metric = "requests"
	Waiting       Metric = "waiting"
	KVUtilization Metric = "kv_utilization"
	BusyFraction  Metric = "busy_fraction"
	SLOAttainment Metric = "slo_attainment"
)

// Metrics are all of them, in the order in which messages name them.
var Metrics = []Metric{Requests, Waiting, KVUtilization, BusyFraction, SLOAttainment}

// IsShare tells whether a metric is between 0 and 1, and so is its target.
func (m Metric) IsShare() bool { return m != Requests && m != Waiting }

// load is the sum of the metric over the replicas, as a multiple of the target: the
// number of replicas that it would be right for. It is false where the metric has no
// value. Attainment falls with the load, so that the share of requests that miss their
// objective is held against that which may.
func (m Metric) load(s *Signals, target float64) (replicas float64, ok bool) {
	ready := float64(s.Ready)
	switch m {
	case Requests:
		return float64(s.Requests()) / target, true
	case Waiting:
		return float64(s.Waiting+s.AtRouter) / target, true
	case KVUtilization:
		return ready * s.KVUse / target, s.Ready > 0
	case BusyFraction:
		return ready * s.BusyFraction / target, s.Ready > 0
	default:
		if s.Ended == 0 {
			return 0, false
		}
		return ready * (1 - float64(s.Met)/float64(s.Ended)) / (1 - target), s.Ready > 0
	}
}
