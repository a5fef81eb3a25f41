package units

import (
	"math"
	"strings"
	"testing"
)

// FuzzParse: a quantity is refused in one line, or finite and written back as itself.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"5s", "80GB", "50GB/s", "1e308h", "-0m", "..s", "1_0s", "0x1p9B", "1e-400ms", " 3 min ", "٣s"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		comesBack(t, text, ParseSeconds, Seconds.MarshalText)
		comesBack(t, text, ParseBytes, Bytes.MarshalText)
		comesBack(t, text, ParseBytesPerSecond, BytesPerSecond.MarshalText)
	})
}

// comesBack holds one kind of quantity to that.
func comesBack[T ~float64](t *testing.T, text string, parse func(string) (T, error), write func(T) ([]byte, error)) {
	t.Helper()
	v, err := parse(text)
	if err != nil {
		if strings.Contains(err.Error(), "\n") || v != 0 {
			t.Errorf("%q is %v with the error %q", text, float64(v), err)
		}
		return
	}
	if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
		t.Errorf("%q is %v", text, float64(v))
	}
	back, _ := write(v)
	if again, err := parse(string(back)); err != nil || again != v {
		t.Errorf("%q is %v, written as %q, which is %v (%v)", text, float64(v), back, float64(again), err)
	}
}
