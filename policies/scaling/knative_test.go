package scaling

import (
	"testing"

	"kneepoint/units"
)

// steady asks every two seconds until a time, and follows the answers.
func (p *pool) steady(until units.Seconds, want int) {
	p.Helper()
	for at := p.s.Since + 2; at <= until; at += 2 {
		p.wants(at, want)
	}
}

// TestKnativeFormula: 70 requests a replica, by the defaults.
func TestKnativeFormula(t *testing.T) {
	for requests, want := range map[int]int{1: 1, 70: 1, 71: 2, 140: 2, 141: 3} {
		p := newPool(t, "knative", 2, nil)
		p.scaler.(*knative).PanicThreshold = 100
		p.s.Ready = 1
		p.load(requests)
		p.ask(2)
		p.s.Ready = 2
		if got := p.ask(4); got != want {
			t.Errorf("%d requests: wants %d, not %d", requests, got, want)
		}
	}
}

// TestKnativeAveragesAMinute: after a rise from 7 to 35 requests, of target 10·0.7 =
// 7, the mean of 60 s passes 7n at 60·(n-1)/4 s behind it. The recent 6 s ask for 5
// replicas, 1.67 times the three there are.
func TestKnativeAveragesAMinute(t *testing.T) {
	p := newPool(t, "knative", 1, func(p *Parameters) { p.Target = 10 })
	p.load(7)
	p.steady(120, 1)
	p.s.Ready = 3
	k := p.scaler.(*knative)
	p.load(35)
	for at := units.Seconds(122); at <= 182; at += 2 {
		rise := float64(at-120) / 60
		want := max(ceil(1+4*min(1, rise)), 1)
		p.s.Ready = 3
		if got := p.ask(at); got != want || k.panicking {
			t.Errorf("at %v s: wants %d, not %d; panics: %v", at, got, want, k.panicking)
		}
	}
}

// TestKnativePanics: a jump from 7 to 70 requests. The 6 s behind it average 7 + 63·dt/6,
// which are 28 requests and 4 replicas after 2 s.
func TestKnativePanics(t *testing.T) {
	p := newPool(t, "knative", 1, func(p *Parameters) { p.Target = 10 })
	p.load(7)
	p.steady(60, 1)
	p.load(70)
	p.wants(62, 4)
	p.wants(64, 7)
	p.wants(66, 10)
	p.load(1) // the 6 s need 7, then 4, then 1; no panic over 10 replicas, but it lasts a minute
	p.steady(122, 10)
	p.wants(124, 5) // by at most half at a time: 62 s since the last question over the threshold
	p.wants(126, 2)
	p.wants(128, 1)
	p.load(0)
	p.steady(186, 1)
	p.wants(188, 0) // a minute without requests
}

// TestKnativeBeginsInPanicWithSeveralReplicas, so that it keeps them for a minute.
func TestKnativeBeginsInPanicWithSeveralReplicas(t *testing.T) {
	p := newPool(t, "knative", 8, nil)
	p.load(1)
	p.steady(62, 8)
	p.wants(64, 4)
}

func TestKnativeGrowsByItsRate(t *testing.T) {
	p := newPool(t, "knative", 3, func(p *Parameters) { p.Target, p.MaxUpRate = 1, 1.5 })
	p.load(700)
	p.wants(2, 5) // ⌈4.5⌉
	p.wants(4, 8)
}

func TestKnativeDelaysShrinking(t *testing.T) {
	p := newPool(t, "knative", 1, func(p *Parameters) { p.Target, p.DownStabilization, p.PanicThreshold = 10, 20, 100 })
	p.load(21)
	p.wants(2, 3)
	p.load(0)
	p.s.MeanRequests = -1000 // as if the mean of the window were gone
	for at := units.Seconds(4); at < 22; at += 2 {
		p.wants(at, 3)
	}
	p.wants(22, 1)
}
