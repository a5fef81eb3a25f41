package results

// BreakEven is what a search found of the values of a key at which a strategy has as much of a metric as another one, or as a
// bound: their crossings, or, without any, where one of the two has less of it.
type BreakEven struct {
	Strategy string  `json:"strategy"`
	Over     string  `json:"over,omitempty"`
	Bound    float64 `json:"bound,omitempty"`  // instead of Over
	Client   string  `json:"client,omitempty"` // the class whose metric it is; empty: that of all requests
	Fixed    Setting `json:"fixed,omitempty"`  // of the strategy's curve
	Metric   string  `json:"metric"`
	Key      string  `json:"key"`            // that is varied
	Unit     string  `json:"unit,omitempty"` // of its values
	Min      float64 `json:"min"`            // the range that was searched
	Max      float64 `json:"max"`

	Crossings []Crossing `json:"crossings"` // the lowest first

	// Less is the strategy, or ByBound, that has less of the metric from From to To, which are the outermost places at which that
	// is known, where there is no crossing: empty where it is known nowhere.
	Less string  `json:"less,omitempty"`
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`

	Replications int `json:"replications"` // of either strategy at a value, at most
	Runs         int `json:"runs"`         // that the search took
}

// Crossing is a value at which two strategies have as much of a metric, with its 95 % interval, and which of them has less of it
// below and above.
type Crossing struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Below string  `json:"less_below"`
	Above string  `json:"less_above"`
}

// ByBound stands for the bound where a strategy is named that has less of a metric.
const ByBound = "bound"
