package workloads

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/units"
)

// said is what a test knows of a conversation.
type said struct {
	tokens, turns int
	ended         units.Seconds // the last answer
}

// converse answers every request after the time that answer gives, in order of their
// ends, and hands each to look before.
func converse(traffic Traffic, answer func(Request) units.Seconds, look func(Request, units.Seconds)) {
	var flying []pending
	for {
		at, ok := traffic.Peek()
		first := -1
		for i, p := range flying {
			if p.end <= at && (first < 0 || p.end < flying[first].end) {
				first = i
			}
		}
		if first >= 0 {
			p := flying[first]
			flying = append(flying[:first], flying[first+1:]...)
			traffic.Done(p.id, p.end)
			continue
		}
		if !ok {
			return
		}
		r, _ := traffic.Pop()
		end := r.Arrival + answer(r)
		look(r, end)
		flying = append(flying, pending{r.ID, end})
	}
}

func sessionSpec(t *rapid.T) Spec {
	s := Spec{
		NumRequests: rapid.IntRange(1, 200).Draw(t, "requests"),
		Input:       &LengthSpec{Type: "uniform", Min: 1, Max: 40},
		Output:      &LengthSpec{Type: "exponential", Mean: 20, Min: 1},
		Session: &SessionSpec{
			Turns:      Turns{Type: "uniform", Min: 1, Max: rapid.IntRange(1, 9).Draw(t, "turns")},
			FirstInput: &LengthSpec{Type: "fixed", Mean: 100, Min: 1},
			ThinkTime:  Thinking(units.Seconds(rapid.SampledFrom([]float64{0, 0.5, 30}).Draw(t, "think time"))),
		},
	}
	if rapid.Bool().Draw(t, "prefix") {
		s.Prefix = &PrefixSpec{Count: 2, Tokens: 64}
	}
	if rapid.Bool().Draw(t, "closed") {
		s.Session.Users, s.Session.Start = rapid.IntRange(1, 5).Draw(t, "users"), "at_once"
	} else {
		s.Arrival = &ArrivalSpec{Process: "poisson", Rate: Rate(rapid.SampledFrom([]float64{0.1, 10}).Draw(t, "rate"))}
	}
	return s
}

// TestTurnsContinueConversations: a prompt is all that was said before and more,
// it comes think_time after the answer, and its tokens are named as the
// conversation's own, behind a shared prefix.
func TestTurnsContinueConversations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := sessionSpec(t)
		traffic, err := New(spec, nil, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		delay := units.Seconds(rapid.SampledFrom([]float64{0.1, 3}).Draw(t, "delay"))
		conversations, shared, sent, last := map[int]*said{}, 0, 0, units.Seconds(0)
		if spec.Prefix != nil {
			shared = spec.Prefix.Tokens
		}
		converse(traffic, func(r Request) units.Seconds { return delay * units.Seconds(r.Output) }, func(r Request, end units.Seconds) {
			own := r.Content.At(r.Input)
			c := conversations[own]
			if c == nil {
				c = &said{tokens: shared}
				conversations[own] = c
				if r.Input != shared+100 {
					t.Errorf("conversation %d begins with %d tokens", own, r.Input)
				}
			} else if want := c.ended + units.Seconds(spec.Session.ThinkTime.Mean); r.Arrival != want {
				t.Errorf("turn %d of conversation %d comes at %v, want %v", c.turns, own, r.Arrival, want)
			}
			if new := r.Input - c.tokens; new < 1 || c.turns > 0 && new > 40 || r.Named != r.Input+r.Output {
				t.Errorf("after %d tokens %+v", c.tokens, r)
			}
			if want := own - cmp.Or(spec.Prefix, &PrefixSpec{}).Count; r.Session != want {
				t.Errorf("a turn of conversation %d is one of %d", want, r.Session)
			}
			if first := r.Content.At(0); (first < 2) != (shared > 0) && own > 1 {
				t.Errorf("the prompt begins with %d, with %d shared tokens", first, shared)
			}
			if c.turns++; c.turns > spec.Session.Turns.Max {
				t.Errorf("conversation %d has %d turns", own, c.turns)
			}
			if r.ID != sent || r.Arrival < last || r.Arrival != r.Planned {
				t.Errorf("request %d after %d at %v: %+v", r.ID, sent-1, last, r)
			}
			c.tokens, c.ended = r.Input+r.Output, end
			sent, last = sent+1, r.Arrival
		})
		if sent != spec.NumRequests {
			t.Errorf("%d requests of %d", sent, spec.NumRequests)
		}
	})
}

// TestTurnsByTheClock: turns of a user who thinks from the request on come at equal times, whatever the
// answers take, and one whose answer is late comes with its end.
func TestTurnsByTheClock(t *testing.T) {
	traffic := mustNew(t, "num_requests = 6\n[arrival]\nprocess = 'constant'\nrate = 0.001"+fixedLengths+
		"[session]\nturns = 6\nthink_time = '10s'\nthink_from = 'request'", 1)
	answers := []units.Seconds{1, 9, 10, 25, 2, 1}
	var at []units.Seconds
	converse(traffic, func(r Request) units.Seconds { return answers[r.ID] }, func(r Request, _ units.Seconds) {
		at = append(at, r.Arrival-1000)
	})
	if want := []units.Seconds{0, 10, 20, 30, 55, 65}; !slices.Equal(at, want) {
		t.Errorf("turns at %v, want %v", at, want)
	}
}

// TestConversationsDoNotDependOnAnswers: whoever answers, and however slowly, the
// n-th conversation is the same.
func TestConversationsDoNotDependOnAnswers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := sessionSpec(t)
		record := func(delay units.Seconds) map[int][]int {
			traffic, err := New(spec, nil, 7, 3)
			if err != nil {
				t.Fatal(err)
			}
			all := map[int][]int{}
			converse(traffic, func(Request) units.Seconds { return delay }, func(r Request, _ units.Seconds) {
				own := r.Content.At(r.Input)
				all[own] = append(all[own], r.Input, r.Output)
			})
			return all
		}
		fast, slow := record(1e-3), record(100)
		for own, a := range fast {
			b := slow[own]
			for i := range min(len(a), len(b)) {
				if a[i] != b[i] {
					t.Fatalf("conversation %d: %v when answers are fast, %v when slow", own, a, b)
				}
			}
		}
	})
}

// TestUsersTalkOneAtATime: three users who never think are served three at a
// time, whatever conversation they are in.
func TestUsersTalkOneAtATime(t *testing.T) {
	traffic := mustNew(t, "num_requests = 300\n[session]\nturns = 4\nusers = 3\nstart = 'at_once'"+fixedLengths, 1)
	own := map[int]bool{}
	converse(traffic, func(Request) units.Seconds { return 2 }, func(r Request, _ units.Seconds) {
		if want := units.Seconds(r.ID / 3 * 2); r.Arrival != want {
			t.Errorf("request %d comes at %v, want %v", r.ID, r.Arrival, want)
		}
		own[r.Content.At(0)] = true
	})
	if len(own) != 300/4 {
		t.Errorf("%d conversations in 300 requests", len(own))
	}
}

// TestRefusedTurnsTakeTime: users whose requests are refused do not send for ever.
func TestRefusedTurnsTakeTime(t *testing.T) {
	traffic := mustNew(t, "duration = '2s'\n[session]\nturns = 4\nusers = 3\nstart = 'at_once'"+fixedLengths, 1)
	sent := 0
	converse(traffic, func(Request) units.Seconds { return 0 }, func(Request, units.Seconds) { sent++ })
	if sent != 3*2001 {
		t.Errorf("3 users who were refused sent %d requests in 2 s, want %d", sent, 3*2001)
	}
}

// TestTurnsByNumberAndLaw: a plain number of turns is a fixed law, and comes back
// from the resolved experiment.
func TestTurnsByNumberAndLaw(t *testing.T) {
	const rest = fixedLengths + "[arrival]\nrate = 1\n"
	number := mustDecode(t, "[session]\nturns = 3\n"+rest)
	law := mustDecode(t, "[session.turns]\ntype = 'fixed'\nmean = 3\n"+rest)
	if a, b := number.Session.Turns, law.Session.Turns; a.Mean != 3 || a.Type != b.Type || a.Mean != b.Mean {
		t.Errorf("%+v and %+v", a, b)
	}
	var again Turns
	if err := again.DecodeTOML(number.Session.Turns.EncodeTOML()); err != nil || again.Mean != 3 {
		t.Errorf("encoded and decoded: %+v, %v", again, err)
	}
	traffic, err := New(mustDecode(t, "num_requests = 4000\n[session]\nturns = { type = 'exponential', mean = 5 }\n"+rest), nil, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	turns := map[int]float64{}
	converse(traffic, func(Request) units.Seconds { return 1e-6 }, func(r Request, _ units.Seconds) { turns[r.Content.At(0)]++ })
	mean := 0.0
	for _, n := range turns {
		mean += n / float64(len(turns))
	}
	// A draw below 1/2 counts as 1. Three standard errors are 0.55.
	about(t, "mean number of turns", mean, 5+(1-math.Exp(-0.1)), 0.11)
}
