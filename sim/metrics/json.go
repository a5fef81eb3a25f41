package metrics

import (
	"encoding/json"
	"math"
)

// estimateJSON is the form of an Estimate in results.json.
type estimateJSON struct {
	Mean *float64 `json:"mean"`
	Half *float64 `json:"ci95"`
	N    int      `json:"n"`
}

// MarshalJSON writes {"mean": …, "ci95": half width, "n": replications}, with
// null for what is not known.
func (e Estimate) MarshalJSON() ([]byte, error) {
	return json.Marshal(estimateJSON{orNull(e.Mean), orNull(e.Half), e.N})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (e *Estimate) UnmarshalJSON(text []byte) error {
	var j estimateJSON
	if err := json.Unmarshal(text, &j); err != nil {
		return err
	}
	*e = Estimate{Mean: orNaN(j.Mean), Half: orNaN(j.Half), N: j.N}
	return nil
}

func orNull(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

func orNaN(x *float64) float64 {
	if x == nil {
		return math.NaN()
	}
	return *x
}
