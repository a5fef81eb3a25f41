package workloads

import (
	"math"
	"testing"

	"kneepoint/units"
)

// busiest is the stretch with the highest rate.
func busiest(all []Stretch) Stretch {
	best := all[0]
	for _, s := range all {
		if s.Rate > best.Rate {
			best = s
		}
	}
	return best
}

func TestProfiles(t *testing.T) {
	day := make([]float64, 24)
	for i := range day {
		day[i] = 1
	}
	day[14] = 5 // of a mean of 28/24
	hourly := &ArrivalSpec{Process: "poisson", Rate: 7, Hourly: day}
	minutes := &ArrivalSpec{Process: "poisson", Rate: 7, Hourly: day, Hour: 60}
	stages := &ArrivalSpec{Process: "poisson", Stages: []StageSpec{{1, 30}, {9, 60}, {0, 10}}}
	constant := &ArrivalSpec{Process: "poisson", Rate: 2}
	ramp := &ArrivalSpec{Process: "poisson", Ramp: &RampSpec{StartRPS: 8, EndRPS: 2}}
	for name, c := range map[string]struct {
		spec  Spec
		count int
		want  Stretch
	}{
		"a day":           {Spec{Arrival: hourly}, 24, Stretch{14 * 3600, 15 * 3600, 30}},
		"a short day":     {Spec{Arrival: minutes}, 24, Stretch{14 * 60, 15 * 60, 30}},
		"part of a day":   {Spec{Arrival: minutes, Duration: 90}, 2, Stretch{0, 60, 6}},
		"stages":          {Spec{Arrival: stages}, 3, Stretch{30, 90, 9}},
		"beside a client": {Spec{Client: []ClientSpec{{Arrival: stages}, {Arrival: constant}}}, 3, Stretch{30, 90, 11}},
		"two profiles":    {Spec{Client: []ClientSpec{{Arrival: stages}, {Arrival: minutes}}}, 27, Stretch{14 * 60, 15 * 60, 30}},
		"a ramp":          {Spec{Arrival: ramp}, 1, Stretch{0, 1, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			all := c.spec.Profile()
			if len(all) != c.count {
				t.Fatalf("%d stretches, want %d", len(all), c.count)
			}
			got := busiest(all)
			if got.From != c.want.From || got.Until != c.want.Until || math.Abs(got.Rate-c.want.Rate) > 1e-9 {
				t.Errorf("busiest %+v, want %+v", got, c.want)
			}
			steady := c.spec.Steady(got.From)
			if rate := steady.OfferedRate(); !steady.Stationary() || math.Abs(rate-c.want.Rate) > 1e-5 {
				t.Errorf("steady at %v req/s, stationary %v", rate, steady.Stationary())
			}
		})
	}
	if p := (&Spec{Arrival: constant}).Profile(); p != nil {
		t.Errorf("a constant rate has the profile %v", p)
	}
	fine := Spec{Client: []ClientSpec{{Arrival: &ArrivalSpec{Rate: 1, Hourly: day, Hour: 1e-3}}, {Arrival: stages}}}
	if p := fine.Profile(); p != nil {
		t.Errorf("%d stretches of a profile that is too fine", len(p))
	}
}

// The rates of a profile have its mean.
func TestProfilesHaveTheirMean(t *testing.T) {
	week := make([]float64, 168)
	for i := range week {
		week[i] = float64(i * i % 17)
	}
	sum, span := 0.0, units.Seconds(0)
	for _, s := range (&Spec{Arrival: &ArrivalSpec{Rate: 3, Hourly: week, Hour: 7.3}}).Profile() {
		sum, span = sum+s.Rate*float64(s.Until-s.From), s.Until
	}
	about(t, "mean", sum/float64(span), 3, 1e-12)
}
