package metrics

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"kneepoint/units"
)

// TestPartsReadBack: written in milliseconds, parts are the same to the last bit,
// and the milliseconds are those that multiplying gives.
func TestPartsReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var want Parts
		for i := range want {
			want[i] = units.Seconds(random.Float64() * math.Pow(10, random.Float64()*24-12))
		}
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got Parts
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("%v is read as %v", want, got)
		}
		var milliseconds map[string]float64
		if err := json.Unmarshal(text, &milliseconds); err != nil {
			t.Fatal(err)
		}
		for i, key := range PartKeys {
			if milliseconds[key] != want[i].Milliseconds() {
				t.Fatalf("%v ms instead of %v", milliseconds[key], want[i].Milliseconds())
			}
		}
	}
}
