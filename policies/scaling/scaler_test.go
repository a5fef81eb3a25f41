package scaling

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kneepoint/units"
)

// TestRayServe: the mean of 30 s over 2 requests a replica, held for 30 s.
func TestRayServe(t *testing.T) {
	p := newPool(t, "ray-serve", 1, nil)
	p.load(2)
	p.wants(10, 1)
	p.load(8)
	p.wants(20, 1) // wants 2.5 of now, held from here on
	p.wants(30, 1)
	p.wants(40, 1)
	p.wants(50, 4)
	p.load(0)
	for at := units.Seconds(60); at < 660; at += 10 {
		p.wants(at, 4)
	}
	p.wants(660, 1) // zero comes after one
	for at := units.Seconds(670); at < 1270; at += 10 {
		p.wants(at, 1)
	}
	p.wants(1270, 0)
}

func TestRayServeForgetsABreak(t *testing.T) {
	p := newPool(t, "ray-serve", 1, func(p *Parameters) { p.LookBack = 10 })
	p.load(9)
	p.wants(10, 1)
	p.wants(30, 1)
	p.load(2)
	p.wants(40, 1) // enough, for once
	p.load(9)
	p.wants(50, 1)
	p.wants(70, 1)
	p.wants(80, 5)
}

// TestWVA: peaks of four scrapes; of three replicas with use .75, .65 and .9 the last is
// saturated, and the others spare .1 on average, which is enough.
func TestWVA(t *testing.T) {
	loads := func(kv ...float64) (l []Load) {
		for i, u := range kv {
			l = append(l, Load{Replica: i, KVUse: u})
		}
		return l
	}
	for name, c := range map[string]struct {
		peaks, then []Load
		starting    int
		want        int
	}{
		"enough to spare":             {loads(0.75, 0.625, 0.9), loads(0.1, 0.1, 0.1), 0, 3},
		"too little to spare":         {loads(0.75, 0.7, 0.9), loads(0.1, 0.1, 0.1), 0, 4},
		"all are saturated":           {loads(0.9, 0.8, 0.9), loads(0.1, 0.1, 0.1), 0, 4},
		"two could do it":             {loads(0.4, 0.5, 0.5), loads(0.1, 0.1, 0.1), 0, 2},
		"two could not quite":         {loads(0.45, 0.5, 0.5), loads(0.1, 0.1, 0.1), 0, 3},
		"queues of 3":                 {[]Load{{0, 3, 0}, {1, 3, 0}, {2, 3, 0}}, loads(0, 0, 0), 0, 4},
		"queues of 2":                 {[]Load{{0, 2, 0}, {1, 2, 0}, {2, 2, 0}}, loads(0, 0, 0), 0, 3},
		"queues of 1":                 {[]Load{{0, 1, 0}, {1, 1, 0}, {2, 2, 0}}, loads(0, 0, 0), 0, 2},
		"one starts already":          {loads(0.9, 0.9, 0.9), loads(0.9, 0.9, 0.9), 1, 4},
		"does not shrink meanwhile":   {loads(0.1, 0.1, 0.1), loads(0.1, 0.1, 0.1), 1, 4},
		"one alone is never too many": {loads(0.1), loads(0.1), 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPool(t, "wva", len(c.peaks), nil)
			p.s.Starting, p.s.Running = c.starting, 1
			p.s.Loads = c.peaks
			for at := units.Seconds(15); at < 60; at += 15 {
				if got := p.ask(at); got != p.s.Replicas() {
					t.Errorf("wants %d at %v s, before it decides", got, at)
				}
				p.s.Loads = c.then
			}
			if got := p.ask(60); got != c.want {
				t.Errorf("wants %d, not %d", got, c.want)
			}
		})
	}
}

func TestSchedule(t *testing.T) {
	day := func(p *Parameters) {
		p.Steps, p.Period = []Step{{0, 2}, {9 * 3600, 8}, {18 * 3600, 4}}, 24*3600
	}
	p := newPool(t, "schedule", 0, day)
	var at, days units.Seconds
	for range 3 {
		p.wants(at, 2)
		at = p.scaler.Next(at)
		p.wants(at, 8)
		at = p.scaler.Next(at)
		p.wants(at, 4)
		if at = p.scaler.Next(at); at != days+24*3600 {
			t.Errorf("a day begins at %v", at)
		}
		days = at
	}
	p = newPool(t, "schedule", 0, func(p *Parameters) { day(p); p.Period = 0 })
	p.wants(100*3600, 4)
	if at := p.scaler.Next(100 * 3600); at != Never {
		t.Errorf("asked again at %v", at)
	}
}

// TestScheduleMissesNoStep whatever the rounding of its times.
func TestScheduleMissesNoStep(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		period := units.Seconds(random.Float64())
		steps := []Step{{0, 0}}
		for i := range 3 {
			steps = append(steps, Step{period * units.Seconds(float64(i)+random.Float64()) / 3.01, i + 1})
		}
		c := &schedule{steps, period}
		at := units.Seconds(0)
		for i := range 1000 {
			if got := c.Wanted(&Signals{Now: at}); got != i%4 {
				t.Fatalf("period %v, steps %v: %d wanted at %v, not %d", period, steps, got, at, i%4)
			}
			next := c.Next(at)
			if next <= at {
				t.Fatalf("period %v: %v after %v", period, next, at)
			}
			at = next
		}
	}
}

func TestBounds(t *testing.T) {
	busy, idle, long := Signals{Ready: 2, Running: 1}, Signals{Ready: 2, Idle: 10}, Signals{Ready: 2, Idle: 300}
	asleep, called := Signals{Idle: 500}, Signals{AtRouter: 1}
	some, none, free := Bounds{Min: 1, Max: 4}, Bounds{Max: 4, IdleTimeout: 300}, Bounds{}
	for name, c := range map[string]struct {
		b            Bounds
		wanted, want int
		s            Signals
	}{
		"within":                       {some, 3, 3, busy},
		"too many":                     {some, 9, 4, busy},
		"too few":                      {some, 0, 1, long},
		"no limit":                     {free, 900, 900, busy},
		"none while there are some":    {none, 0, 1, busy},
		"not yet idle for the timeout": {none, 0, 1, idle},
		"idle":                         {none, 3, 0, long},
		"asleep":                       {none, 3, 0, asleep},
		"the first request":            {none, 0, 1, called},
		"no timeout":                   {free, 0, 0, idle},
		"no timeout, more in advance":  {free, 2, 2, asleep},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.b.Limit(c.wanted, &c.s); got != c.want {
				t.Errorf("%d, not %d", got, c.want)
			}
		})
	}
}

func TestFixed(t *testing.T) {
	p := newPool(t, "fixed", 3, nil)
	p.load(1000)
	p.wants(1, 3)
	if at := p.scaler.Next(1); at != Never {
		t.Errorf("asked again at %v", at)
	}
}

// TestScalersKeepTheContract: at any time and load a number that is not negative, a next
// time that is later, and no panic.
func TestScalersKeepTheContract(t *testing.T) {
	for _, e := range Scalers {
		t.Run(e.Name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 4))
			for range 50 {
				parameters := e.Defaults
				parameters.Metric = Metrics[random.IntN(len(Metrics))]
				parameters.Steps = []Step{{0, 1}, {20, 5}}
				if parameters.Target == 0 {
					parameters.Target = random.Float64()
				}
				scaler := e.New(parameters)
				var s Signals
				for range 300 {
					s.Ready, s.Starting, s.AtRouter = random.IntN(4), random.IntN(3), random.IntN(2)
					s.Running, s.MeanRequests = s.Ready*random.IntN(9), 10*random.Float64()
					s.KVUse, s.BusyFraction, s.Ended = random.Float64(), random.Float64(), random.IntN(5)
					s.Met = random.IntN(s.Ended + 1)
					s.Loads = make([]Load, s.Ready)
					if got := scaler.Wanted(&s); got < 0 {
						t.Fatalf("wants %d of %+v", got, s)
					}
					next := scaler.Next(s.Now)
					if next <= s.Now {
						t.Fatalf("asked at %v after %v", next, s.Now)
					}
					s.Since, s.Now = s.Now, min(next, s.Now+units.Seconds(10*random.Float64()))
				}
			}
		})
	}
}

// TestEntriesAreWhole: each says what it is, reads keys without repeating them, and has
// defaults that make a scaler.
func TestEntriesAreWhole(t *testing.T) {
	for _, e := range Scalers {
		keys := slices.Clone(e.Keys)
		slices.Sort(keys)
		if e.Name == "" || e.Doc == "" || e.Key != "scaler" || len(slices.Compact(keys)) != len(e.Keys) {
			t.Errorf("%+v", e.Description)
		}
		if reads := e.Reads("interval"); reads != (e.Defaults.Interval > 0) {
			t.Errorf("%s reads interval: %v, default %v", e.Name, reads, e.Defaults.Interval)
		}
		if reads := e.Reads("idle_timeout"); reads != (e.Defaults.IdleTimeout > 0) {
			t.Errorf("%s reads idle_timeout: %v, default %v", e.Name, reads, e.Defaults.IdleTimeout)
		}
	}
}
