package experiments

import (
	"errors"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestNamesOfClients are a line each, as titles are.
func TestNamesOfClients(t *testing.T) {
	for name, allowed := range map[string]bool{`chat`: true, `a\nb`: false, ` `: false} {
		text := strings.Replace(small, "[[strategy]]", "[[workload.client]]\nshare = 1\nname = \""+name+"\"\n[[strategy]]", 1)
		f, err := Parse("small.toml", text)
		if err != nil {
			t.Fatal(err)
		}
		var bad *badinput.Error
		if _, err := f.Check(); (err == nil) != allowed || err != nil && (!errors.As(err, &bad) || bad.Key != "workload.client[0].name") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestDefaultAttainment: nine requests of ten meet an objective where a file does not say more.
func TestDefaultAttainment(t *testing.T) {
	for text, want := range map[string]float64{"": 0.9, "[slo]\nttft_ms = 5\n": 0.9, "[slo]\nttft_ms = 5\nattainment = 0.99\n": 0.99} {
		if got := experiment(t, strings.Replace(small, "[[strategy]]", text+"[[strategy]]", 1)).Spec.SLO.Attainment; got != want {
			t.Errorf("%sattainment is %v, want %v", text, got, want)
		}
	}
}

// TestAcceleratorsOfAReplica: every stage of a pipeline has tp*dp of them, whatever ep is.
func TestAcceleratorsOfAReplica(t *testing.T) {
	h := HardwareSpec{TP: 2, PP: 3, DP: 4, EP: 8}
	if got := h.Accelerators(); got != 24 {
		t.Errorf("%d accelerators, want 24", got)
	}
}

// TestMostKept: a run that keeps its requests one by one has no more than fit in memory; one that
// adds them up may have.
func TestMostKept(t *testing.T) {
	e := experiment(t, small)
	for _, c := range []struct {
		requests  int
		streaming bool
		allowed   bool
	}{{mostKept, false, true}, {mostKept + 1, false, false}, {mostKept + 1, true, true}} {
		e.cells[len(e.cells)-1].scenario.Traffic.NumRequests = c.requests
		if err := e.checkKept(Options{Streaming: c.streaming}); (err == nil) != c.allowed {
			t.Errorf("%d requests, streamed: %t: %v", c.requests, c.streaming, err)
		}
	}
}
