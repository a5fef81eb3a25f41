package effort

import (
	"testing"
)

func TestTimes(t *testing.T) {
	if detector != 1 {
		t.Skip("counts are smaller under the race detector")
	}
	for name, test := range map[string]struct {
		variable       string
		usually, short int // of 10 repetitions, without and with -short
	}{
		"default":    {"", 10, 1},
		"more":       {"5", 50, 5},
		"less":       {"0.4", 4, 1},
		"once":       {"0.001", 1, 1},
		"odd number": {"0.25", 3, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(Variable, test.variable)
			want := test.usually
			if testing.Short() {
				want = test.short
			}
			if got := Times(t, 10); got != want {
				t.Errorf("%d times, want %d", got, want)
			}
		})
	}
}
