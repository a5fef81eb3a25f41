package scaling

import (
	"testing"

	"kneepoint/units"
)

// TestHPAFormula has the examples of Kubernetes' documentation, and the limits of its
// tolerance.
func TestHPAFormula(t *testing.T) {
	for name, c := range map[string]struct {
		replicas, requests, want int
	}{
		"twice the target doubles":   {3, 60, 6},
		"half the target halves":     {4, 20, 2},
		"rounded up":                 {4, 21, 3},
		"10 % above is within":       {10, 110, 10},
		"more than 10 % is not":      {10, 111, 12},
		"10 % below is within":       {10, 90, 10},
		"less than that is not":      {10, 89, 9},
		"nothing to do":              {3, 0, 0},
		"from zero":                  {0, 25, 3},
		"zero stays without request": {0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, "hpa", c.replicas, func(p *Parameters) { p.Target, p.DownStabilization = 10, 0 })
			p.load(c.requests)
			p.wants(15, c.want)
		})
	}
}

func TestHPAMetrics(t *testing.T) {
	for name, c := range map[string]struct {
		metric Metric
		target float64
		s      Signals
		want   int
	}{
		"requests anywhere":                {Requests, 4, Signals{Ready: 2, Waiting: 3, Running: 5, AtRouter: 8}, 4},
		"waiting, not running":             {Waiting, 4, Signals{Ready: 2, Waiting: 3, Running: 50, AtRouter: 9}, 3},
		"KV blocks":                        {KVUtilization, 0.6, Signals{Ready: 4, KVUse: 0.9}, 6},
		"exactly as many":                  {KVUtilization, 0.1, Signals{Ready: 3, KVUse: 0.2}, 6},
		"busy":                             {BusyFraction, 0.8, Signals{Ready: 4, BusyFraction: 0.4}, 2},
		"3 of 10 miss, where 1 may":        {SLOAttainment, 0.9, Signals{Ready: 2, Ended: 10, Met: 7}, 6},
		"1 of 100 misses":                  {SLOAttainment, 0.9, Signals{Ready: 5, Ended: 100, Met: 99}, 1},
		"nobody ended":                     {SLOAttainment, 0.9, Signals{Ready: 5}, 5},
		"nobody reports":                   {KVUtilization, 0.6, Signals{Starting: 2}, 2},
		"a pool counts those that start":   {Requests, 10, Signals{Ready: 2, Starting: 2, Running: 40}, 4},
		"shares: they count 0 for growth":  {KVUtilization, 0.5, Signals{Ready: 2, Starting: 1, KVUse: 1}, 4},
		"and do not turn it round":         {KVUtilization, 0.5, Signals{Ready: 2, Starting: 4, KVUse: 1}, 6},
		"they count as full for shrinking": {KVUtilization, 0.5, Signals{Ready: 4, Starting: 2, KVUse: 0.25}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, "hpa", 0, func(p *Parameters) { p.Metric, p.Target, p.DownStabilization = c.metric, c.target, 0 })
			p.s = c.s
			if got := p.ask(15); got != c.want {
				t.Errorf("wants %d, not %d", got, c.want)
			}
		})
	}
}

// TestHPAShrinksByTheHighestOfFiveMinutes: a peak at 30 s holds the pool until 330 s.
func TestHPAShrinksByTheHighestOfFiveMinutes(t *testing.T) {
	p := newPool(t, "hpa", 2, func(p *Parameters) { p.Target = 10 })
	p.load(20)
	p.wants(15, 2)
	p.load(50)
	p.wants(30, 5)
	p.load(30)
	p.wants(45, 5)
	p.load(10)
	for at := units.Seconds(60); at < 330; at += 15 {
		p.wants(at, 5)
	}
	p.wants(330, 3) // the 30 requests at 45 s
	p.wants(345, 1)
}

// TestHPARemembersHowManyThereWere: the first recommendation is the number of replicas.
func TestHPARemembersHowManyThereWere(t *testing.T) {
	p := newPool(t, "hpa", 6, func(p *Parameters) { p.Target = 10 })
	p.load(10)
	p.wants(15, 6)
	p.wants(300, 6)
	p.wants(315, 1)
}

func TestHPAGrowsByTheLowestOfItsWindow(t *testing.T) {
	p := newPool(t, "hpa", 2, func(p *Parameters) { p.Target, p.UpStabilization = 10, 60 })
	p.load(60)
	p.wants(15, 2)
	p.wants(60, 2)
	p.load(40)
	p.wants(70, 2)
	p.load(60)
	p.wants(75, 4) // of 60 s only the last three questions are left
}

// TestHPAGrowsByFourOrTwice: the larger of +100 % and +4 replicas in 15 s.
func TestHPAGrowsByFourOrTwice(t *testing.T) {
	p := newPool(t, "hpa", 1, func(p *Parameters) { p.Target = 1 })
	p.load(1000)
	p.wants(15, 5)
	p.wants(30, 10)
	p.wants(45, 20)
	p.wants(60, 40)
}

// TestHPACountsGrowthWithinItsPeriod: with two questions in a period, the second one
// counts from before the first.
func TestHPACountsGrowthWithinItsPeriod(t *testing.T) {
	p := newPool(t, "hpa", 10, func(p *Parameters) { p.Target, p.Interval, p.UpPercent, p.UpReplicas, p.UpPeriod = 1, 10, 50, 1, 20 })
	p.load(12)
	p.wants(10, 12)
	p.load(100)
	p.wants(20, 15) // 150 % of the 10 that there were before 10 s
	p.wants(30, 18) // 150 % of the 12 before 20 s
	p.wants(40, 23) // ⌈22.5⌉, of the 15
}
