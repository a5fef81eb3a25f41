package roofline

import (
	"testing"

	"kneepoint/units"
	"pgregory.net/rapid"
)

// Arithmetic beside which others take a tenth of the multiprocessors and more, worked out by hand, and parts that have nothing beside them.
func TestPartsShareTheMultiprocessors(t *testing.T) {
	for name, c := range map[string]struct {
		arithmetic, waiting, exchanges units.Seconds
		want                           float64
	}{
		"arithmetic alone":           {1, 0, 0, 1},
		"waiting alone":              {0, 2, 0, 2},
		"exchanges alone":            {0, 0, 3, 3},
		"a tenth for who waits":      {0.9, 0.25, 0, 1},
		"a fifth for exchanges":      {0.8, 0, 0.6, 1},
		"of both":                    {0.7, 0.25, 0.6, 1},
		"seven tenths for who waits": {0.3, 0.9, 0, 1},
		"waiting all the time":       {0.1, 0.95, 0, 0.95},
		"all in proportion, times":   {7, 2.5, 6, 10},
	} {
		b := besideEachOther{c.arithmetic, c.waiting, c.exchanges}
		about(t, name, float64(b.time()), c.want, 1e-9)
	}
}

// An operator computes as long as its arithmetic takes and waits for as much longer as it reads, and an exchange does neither.
func TestWhatOperatorsShare(t *testing.T) {
	var b besideEachOther
	for _, o := range []Operator{
		{Time: 10, sides: sides{compute: 7, memory: 4}},
		{Time: 10, sides: sides{compute: 2, memory: 5}},
		{Time: 6, LinkBytes: 1},
	} {
		b.add(&o)
	}
	if want := (besideEachOther{arithmetic: 9, waiting: 3, exchanges: 6}); b != want {
		t.Errorf("%+v, want %+v", b, want)
	}
}

// Beside each other parts take no longer than one after another and no less than the longest, and longer if one of them does.
func TestSharingTakesNoLongerThanTakingTurns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) units.Seconds { return units.Seconds(rapid.Float64Range(0, 1).Draw(t, name)) }
		b := besideEachOther{draw("arithmetic"), draw("waiting"), draw("exchanges")}
		got, slack := b.time(), units.Seconds(1e-9)
		if sum := b.arithmetic + b.waiting + b.exchanges; got > sum+slack || got < max(b.arithmetic, b.waiting, b.exchanges)-slack {
			t.Fatalf("%+v take %v", b, got)
		}
		longer, more := b, draw("more")
		longer.waiting += more
		if longer.time() < got-slack {
			t.Fatalf("%+v take %v, and with less to wait for %v", longer, longer.time(), got)
		}
		if longer.waiting, longer.arithmetic = b.waiting, b.arithmetic+more; longer.time() < got-slack {
			t.Fatalf("%+v take %v, and with less to compute %v", longer, longer.time(), got)
		}
		computed := besideEachOther{b.arithmetic + b.waiting, 0, b.exchanges}
		if computed.time() < got-slack {
			t.Fatalf("%+v take %v, and computing what they wait for %v", b, got, computed.time())
		}
	})
}

// A step takes as long as nothing slows down what runs beside it at least, and as one part after another at most; its operators add up.
func TestSharedStepsAreBetweenOverlappedOnesAndTurns(t *testing.T) {
	d := deployment(t, "a100-sxm-80", "trtllm-1.0", "llama-2-70b", 8)
	w := decode(1500, 800)
	most, shared := overlapping(t, d, "all", 0).Step(w).Time, overlapping(t, d, "shared", 0)
	var turns units.Seconds
	m := overlapping(t, d, "none", 0)
	for _, o := range m.Breakdown(decode(750, 800)) {
		turns += 2 * o.Time
	}
	got := shared.Step(w).Time
	if !(most < got && got < turns) {
		t.Errorf("%v, with nothing slowed down %v, in turns %v", got, most, turns)
	}
	about(t, "sum of the operators", float64(Total(shared.Breakdown(w))), float64(got), 1e-9)
}
