package calibrate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"kneepoint/hardware"
	"kneepoint/internal/strict"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// machine is a deployment with known coefficients, in the range of an 8B model.
func machine() hardware.Measured {
	return hardware.Measured{
		Prefill: hardware.MeasuredPrefill{Base: 9e-3, PerToken: 40e-6, PerToken2: 1.5e-9},
		Decode: []hardware.MeasuredDecode{
			{MaxBatch: 64, Base: 7e-3, PerContextToken: 40e-9, PerSequence: 20e-6},
			{Base: 4e-3, PerContextToken: 60e-9, PerSequence: 90e-6},
		},
	}
}

// timed makes n steps of a machine: a third each of prefill, decode and both,
// their times off by a normal error of sd. One in outliers takes ten times as
// long; 0 for none.
func timed(m *hardware.Measured, n int, sd float64, outliers int) *Steps {
	random := rand.New(rand.NewPCG(1, 2))
	steps := &Steps{}
	for i := range n {
		var w hardware.Work
		if i%3 != 1 {
			for range 1 + random.IntN(3) {
				w.Prefill = append(w.Prefill, hardware.Chunk{Context: random.IntN(2) * random.IntN(4000), Tokens: 16 + random.IntN(4000)})
			}
		}
		if i%3 != 0 {
			w.DecodeRows = 1 + random.IntN(200)
			w.DecodeContext = int64(w.DecodeRows) * int64(50+random.IntN(4000))
		}
		t := m.Step(&w).Time * units.Seconds(1+sd*random.NormFloat64())
		if outliers > 0 && random.IntN(outliers) == 0 {
			t *= 10
		}
		steps.Rows = append(steps.Rows, Step{Work: w, Time: t})
	}
	return steps
}

// off is the relative deviation of got from want.
func off(got, want units.Seconds) float64 { return math.Abs(float64(got/want) - 1) }

func TestFitRecoversOneRange(t *testing.T) {
	want := machine()
	want.Decode = want.Decode[1:]
	for name, steps := range map[string]*Steps{
		"noise of 2 %":                    timed(&want, 300, 0.02, 0),
		"noise and one outlier in twenty": timed(&want, 300, 0.02, 20),
	} {
		fit, err := FitSteps(t.Context(), steps, 0.2)
		if err != nil {
			t.Fatal(err)
		}
		if len(fit.Cost.Decode) != 1 || len(fit.Warnings) != 0 {
			t.Fatalf("%s: %+v", name, fit)
		}
		p, d := fit.Cost.Prefill, fit.Cost.Decode[0]
		for _, c := range []struct {
			what string
			off  float64
		}{
			{"prefill.base", off(p.Base, want.Prefill.Base)}, {"prefill.per_token", off(p.PerToken, want.Prefill.PerToken)},
			{"prefill.per_token2", off(p.PerToken2, want.Prefill.PerToken2)}, {"decode.base", off(d.Base, want.Decode[0].Base)},
			{"decode.per_context_token", off(d.PerContextToken, want.Decode[0].PerContextToken)}, {"decode.per_sequence", off(d.PerSequence, want.Decode[0].PerSequence)},
		} {
			t.Logf("%s: %s is off by %.1f %%", name, c.what, 100*c.off)
			if c.off > 0.08 {
				t.Errorf("%s: %s is off by %.1f %%", name, c.what, 100*c.off)
			}
		}
		t.Logf("%s: training %v, held out %v", name, fit.Training, fit.Holdout)
		if fit.Training.N != 240 || fit.Holdout.N != 60 || fit.Holdout.Median > 0.02 {
			t.Errorf("%s: training %+v, held out %+v", name, fit.Training, fit.Holdout)
		}
	}
}

func TestFitFindsTwoRanges(t *testing.T) {
	want := machine()
	fit, err := FitSteps(t.Context(), timed(&want, 600, 0.01, 0), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, held out %v", fit.Cost, fit.Holdout)
	if len(fit.Cost.Decode) != 2 || fit.Cost.Decode[0].MaxBatch < 50 || fit.Cost.Decode[0].MaxBatch > 78 {
		t.Fatalf("ranges %+v, want a boundary near 64", fit.Cost.Decode)
	}
	if fit.Holdout.Median > 0.015 {
		t.Errorf("held out: %v", fit.Holdout)
	}
}

// Without noise the coefficients come back to the digits that are kept.
func TestFitIsExact(t *testing.T) {
	want := machine()
	want.Decode = want.Decode[1:]
	fit, err := FitSteps(t.Context(), timed(&want, 100, 0, 0), 0)
	if err != nil {
		t.Fatal(err)
	}
	if off(fit.Cost.Prefill.PerToken2, want.Prefill.PerToken2) > 1e-4 || off(fit.Cost.Decode[0].Base, want.Decode[0].Base) > 1e-4 {
		t.Errorf("got %+v, want %+v", fit.Cost, want)
	}
	if fit.Holdout.N != 0 || fit.Training.P90 > 1e-4 {
		t.Errorf("training %+v, held out %+v", fit.Training, fit.Holdout)
	}
}

// A cost that falls with the context, or any other negative coefficient, is
// fitted by zero.
func TestFitIsNotNegative(t *testing.T) {
	steps := timed(new(machine()), 90, 0, 0)
	for i := range steps.Rows {
		steps.Rows[i].Time = units.Seconds(1 / float64(100+i%7*(1+len(steps.Rows[i].Work.Prefill))+steps.Rows[i].Work.DecodeRows))
	}
	fit, err := FitSteps(t.Context(), steps, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range fit.Cost.Decode {
		if d.Base < 0 || d.PerContextToken < 0 || d.PerSequence < 0 {
			t.Errorf("negative: %+v", d)
		}
	}
}

func TestFitTellsWhatIsOpen(t *testing.T) {
	m := machine()
	alike := timed(&m, 60, 0.01, 0)
	for i := range alike.Rows {
		w := &alike.Rows[i].Work
		if len(w.Prefill) > 0 {
			w.Prefill = []hardware.Chunk{{Tokens: 512}}
		}
		w.DecodeContext = int64(w.DecodeRows) * 100
		alike.Rows[i].Time = m.Step(w).Time
	}
	fit, err := FitSteps(t.Context(), alike, 0)
	if err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(fit.Warnings, "\n"); !strings.Contains(all, "prefill: the prompts' lengths") || !strings.Contains(all, "decode[0]: batch and context") {
		t.Errorf("warnings: %s", all)
	}
	mixed := timed(&m, 90, 0.01, 0)
	for i := range mixed.Rows {
		if w := &mixed.Rows[i].Work; w.DecodeRows == 0 {
			w.DecodeRows, w.DecodeContext = 10, int64(1000+17*i)
			mixed.Rows[i].Time = m.Step(w).Time
		}
	}
	if fit, err = FitSteps(t.Context(), mixed, 0); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(fit.Warnings, "\n"); !strings.Contains(all, "no step has prompt tokens alone") {
		t.Errorf("warnings: %s", all)
	}
	if fit.Cost.Prefill.Base <= 0 || fit.Training.Median > 0.05 {
		t.Errorf("fit %+v", fit)
	}
}

func TestFitStepsRefuses(t *testing.T) {
	m := machine()
	some := timed(&m, 30, 0.01, 0)
	only := func(kind int) *Steps {
		kept := &Steps{}
		for i, row := range some.Rows {
			if i%3 == kind {
				kept.Rows = append(kept.Rows, row)
			}
		}
		return kept
	}
	for want, c := range map[string]struct {
		steps   *Steps
		holdout float64
	}{
		"has 7 steps to fit 6 constants to; allowed: at least 8 steps": {&Steps{Rows: some.Rows[:9]}, 0.2},
		"no step that is fitted to has prompt tokens":                  {only(1), 0},
		"in no step that is fitted to a sequence decodes":              {only(0), 0},
		"--holdout = 0.9: out of range":                                {some, 0.9},
	} {
		_, err := FitSteps(t.Context(), c.steps, c.holdout)
		var bad *badinput.Error
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestFitStepsStops(t *testing.T) {
	m := machine()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := FitSteps(ctx, timed(&m, 300, 0.01, 0), 0.2); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The profile that is written is read back as the model that was fitted.
func TestStepProfileIsReadBack(t *testing.T) {
	m := machine()
	fit, err := FitSteps(t.Context(), timed(&m, 300, 0.02, 0), 0.2)
	if err != nil {
		t.Fatal(err)
	}
	text := fit.Profile("my\nsteps.csv")
	var tree struct {
		Hardware struct {
			Measured map[string]any `toml:"measured"`
		} `toml:"hardware"`
	}
	if _, err := toml.Decode(text, &tree); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	var back hardware.Measured
	if err := strict.Decode(tree.Hardware.Measured, &back); err != nil {
		t.Fatal(err)
	}
	if back.Prefill != fit.Cost.Prefill || len(back.Decode) != len(fit.Cost.Decode) || back.Decode[0] != fit.Cost.Decode[0] {
		t.Errorf("read back %+v, want %+v", back, fit.Cost)
	}
	if !strings.HasPrefix(text, Marker) || !strings.Contains(text, "60 steps held out: median error") {
		t.Errorf("profile:\n%s", text)
	}
}
