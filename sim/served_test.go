package sim

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/units"
	"kneepoint/workloads"
)

// ledger is a scheduler that keeps account of what clients were served, as a bystander: of a client are the prompts whose length
// modulo the number of clients is its number, and an answer is as long as its prompt.
type ledger struct {
	policies.Batching
	clients int
	seen    map[int]policies.Sequence // running, by ID
	done    []float64                 // by client: of requests that ended
	check   func(l *ledger, v *policies.View)
}

func (l *ledger) Plan(v *policies.View, d *policies.Decision) {
	running := map[int]policies.Sequence{}
	for _, s := range v.Running {
		running[s.ID] = *s
	}
	for id, s := range l.seen {
		if now, there := running[id]; !there || now.Prompt != s.Prompt || now.Generated < s.Generated {
			l.done[s.Prompt%l.clients] += 3 * float64(s.Prompt)
		}
	}
	l.seen = running
	l.check(l, v)
	l.Batching.Plan(v, d)
	for i := range d.Joining() {
		s := v.Waiting.At(i)
		l.seen[s.ID] = *s
	}
}

func (*ledger) Totals() policies.Aggregating { return nil }

// served is what each client was served so far.
func (l *ledger) served() []float64 {
	all := append([]float64(nil), l.done...)
	for _, s := range l.seen {
		all[s.Prompt%l.clients] += float64(s.Prompt + 2*s.Generated)
	}
	return all
}

// TestServiceIsWithinVTCsBound: whatever the lengths, two clients of whom requests wait all the time never differ in service by more
// than 2*max(prompt, 2*tokens of the batch), the longest prompt and the most tokens in memory (theorem 4.4 of the paper).
func TestServiceIsWithinVTCsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		clients, n, slots := rapid.IntRange(2, 4).Draw(t, "clients"), rapid.IntRange(10, 120).Draw(t, "requests"), rapid.IntRange(1, 8).Draw(t, "slots")
		requests, longest := make([]workloads.Request, n), 0
		for i := range requests {
			class := rapid.IntRange(0, clients-1).Draw(t, "client")
			tokens := clients*rapid.IntRange(1, 30).Draw(t, "tokens") + class
			requests[i] = workloads.Request{ID: i, Session: -1, Class: class, Input: tokens, Output: tokens}
			longest = max(longest, tokens)
		}
		bound := 2 * float64(max(longest, 2*slots*2*longest))
		l := &ledger{Batching: &policies.Continuous{MaxNumSeqs: slots, MaxNumBatchedTokens: 1 << 20}, clients: clients,
			seen: map[int]policies.Sequence{}, done: make([]float64, clients)}
		l.check = func(l *ledger, v *policies.View) {
			waiting := make([]bool, clients)
			for i := range v.Waiting.Len() {
				waiting[v.Waiting.At(i).Prompt%clients] = true
			}
			served := l.served()
			for a := range clients {
				for b := range a {
					if waiting[a] && waiting[b] && math.Abs(served[a]-served[b]) > bound {
						t.Fatalf("clients %d and %d were served %v and %v, which differ by more than %v", a, b, served[a], served[b], bound)
					}
				}
			}
		}
		runServed(t, requests, ServedOrder{Weight: 2}, func() policies.Batching { return l })
	})
}

// runServed serves requests that are all there at the start, or come when they say, in steps of a second.
func runServed(t reporter, requests []workloads.Request, order ServedOrder, batching func() policies.Batching) []int {
	t.Helper()
	var joined []int
	config := Config{
		Traffic: &scripted{requests: requests},
		Served:  &order,
		Drain:   true,
		Pools: []Pool{{Replicas: 1, Batching: batching, Cost: &hardware.Synthetic{StepFixed: 1}, Reserve: policies.ReservePaged,
			FrontEnd: func(int) units.Seconds { return 0 }, Blocks: 1 << 40, BlockSize: 16, MaxTokens: math.MaxInt}},
	}
	rec, err := Run(context.Background(), config)
	if err != nil {
		t.Error(err)
		return nil
	}
	checkRecord(t, rec)
	for i := range rec.Requests {
		joined = append(joined, int(math.Round(float64(rec.Requests[i].First))))
	}
	return joined
}

// TestLeastServedJoinsFirst: one request at a time of 10 and 10 tokens. The second client's two wait behind none of the first's ten but the
// one that is served, and a known answer counts as soon as it begins.
func TestLeastServedJoinsFirst(t *testing.T) {
	var requests []workloads.Request
	for i := range 12 {
		class := 0
		if i >= 10 {
			class = 1
		}
		requests = append(requests, workloads.Request{ID: i, Session: -1, Class: class, Input: 10, Output: 10})
	}
	one := func() policies.Batching { return &policies.Continuous{MaxNumSeqs: 1, MaxNumBatchedTokens: 1000} }
	for _, foreseen := range []bool{false, true} {
		firsts := runServed(t, requests, ServedOrder{Weight: 2, Foreseen: foreseen}, one)
		if len(firsts) != 12 || firsts[0] != 1 || firsts[10] != 11 || firsts[1] != 21 || firsts[11] != 31 || firsts[2] != 41 {
			t.Errorf("foreseen %v: first tokens at %v", foreseen, firsts)
		}
	}
}

// TestCountersAreLifted: a client that comes when another was served for long has the next place, and then takes turns with it: it
// has not saved up.
func TestCountersAreLifted(t *testing.T) {
	var requests []workloads.Request
	for i := range 20 {
		requests = append(requests, workloads.Request{ID: i, Session: -1, Input: 10, Output: 10})
	}
	for i := range 4 {
		requests = append(requests, workloads.Request{ID: 20 + i, Session: -1, Class: 1, Input: 10, Output: 10, Arrival: 95})
	}
	one := func() policies.Batching { return &policies.Continuous{MaxNumSeqs: 1, MaxNumBatchedTokens: 1000} }
	firsts := runServed(t, requests, ServedOrder{Weight: 2}, one)
	late := firsts[20:]
	for i := 1; i < len(late); i++ {
		if gap := late[i] - late[i-1]; gap != 20 {
			t.Errorf("first tokens of the late client at %v, want every 20 s", late)
		}
	}
}
