package effort

import (
	"testing"

	"pgregory.net/rapid"
)

// TestCheckDrawsMore: as many cases as several checks, each of them another one, and later ones draw as usual.
func TestCheckDrawsMore(t *testing.T) {
	t.Setenv(Variable, "1")
	usual := 0
	rapid.Check(t, func(*rapid.T) { usual++ })
	drawn, seen := 0, map[uint64]bool{}
	Check(t, 20, func(t *rapid.T) { drawn++; seen[rapid.Uint64().Draw(t, "number")] = true })
	if want := Times(t, 20) * usual; drawn != want {
		t.Errorf("%d cases, want %d", drawn, want)
	}
	if len(seen) < drawn/2 {
		t.Errorf("%d cases, but only %d different ones", drawn, len(seen))
	}
	again := 0
	rapid.Check(t, func(*rapid.T) { again++ })
	if again != usual {
		t.Errorf("%d cases afterwards, %d before", again, usual)
	}
}
