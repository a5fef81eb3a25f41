package metrics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"kneepoint/units"
)

// Values holds the metrics of one run, or of its steady state, by key. A key
// that is absent has no value, which is written as null; it never means zero.
type Values map[string]float64

// Set stores x under a key of Definitions, or nothing when x is not finite. An unknown
// key is a programming error and panics.
func (v Values) Set(key string, x float64) {
	if _, ok := Lookup(key); !ok {
		panic(fmt.Sprintf("metrics: no definition of %q", key))
	}
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		v[key] = x
	}
}

// SetBool stores a yes-or-no metric.
func (v Values) SetBool(key string, yes bool) {
	if yes {
		v.Set(key, 1)
	} else {
		v.Set(key, 0)
	}
}

// Get returns the value of key, NaN when it has none.
func (v Values) Get(key string) float64 {
	if x, ok := v[key]; ok {
		return x
	}
	return math.NaN()
}

// Offered is the number of requests that were offered.
func (v Values) Offered() float64 {
	n := 0.0
	for _, key := range Outcomes {
		n += v[key]
	}
	return n
}

// MarshalJSON writes every metric of Definitions, in their order; a metric
// without a value is null.
func (v Values) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, d := range Definitions {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", d.Key, d.encode(v.Get(d.Key)))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Values) UnmarshalJSON(text []byte) error {
	var raw map[string]any
	if err := json.Unmarshal(text, &raw); err != nil {
		return err
	}
	*v = Values{}
	for key, x := range raw {
		if _, ok := Lookup(key); !ok {
			continue
		}
		switch x := x.(type) {
		case nil:
		case float64:
			(*v)[key] = x
		case bool:
			v.SetBool(key, x)
		default:
			return fmt.Errorf("%s is %v, which is no value of a metric", key, x)
		}
	}
	return nil
}

// encode writes a value of d as JSON.
func (d Definition) encode(x float64) string {
	switch {
	case math.IsNaN(x):
		return "null"
	case d.Kind == YesNo:
		return strconv.FormatBool(x != 0)
	default:
		return units.Shortest(x)
	}
}
