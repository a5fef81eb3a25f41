package sim

import (
	"context"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestStatesAreSentWhole: keys and values of 4 tokens take 2 s, and a state of 3 bytes 1.5 s more, whatever the length of the
// prompt. Where one side has less of it on an accelerator, the other decides. No layer of it is sent before the last token.
func TestStatesAreSentWhole(t *testing.T) {
	none, whole := Sent{Bytes: 1}, Sent{Bytes: 1, State: 3}
	halves, copied := Sent{Bytes: .5, State: 1.5}, Sent{Bytes: 1, State: 1.5}
	pulled, early := Transfer{Bandwidth: 2}, Transfer{Bandwidth: 2, Mode: Reserve, Layers: 4}
	for name, c := range map[string]struct {
		transfer    Transfer
		from, to    Sent
		prompt      int
		last, moved units.Seconds
	}{
		"none":                         {pulled, none, none, 4, 8, 2},
		"pulled":                       {pulled, whole, whole, 4, 9.5, 3.5},
		"of a shorter prompt":          {pulled, whole, whole, 2, 6.5, 2.5},
		"to two accelerators":          {pulled, whole, halves, 4, 9.5, 3.5},
		"to two with the same heads":   {pulled, whole, copied, 4, 9.5, 3.5},
		"from two with the same heads": {pulled, copied, whole, 4, 9.5, 3.5},
		"layer by layer":               {early, whole, whole, 4, 8, 2},
	} {
		t.Run(name, func(t *testing.T) {
			traffic := &scripted{}
			traffic.add(0, c.prompt, 3)
			config := apart(traffic, c.transfer)
			config.Pools[0].Sent, config.Pools[1].Sent = c.from, c.to
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			r := rec.Requests[0]
			if moved := units.Seconds(r.ToLast[metrics.KVTransfer]); r.Last != c.last || moved != c.moved {
				t.Errorf("ends at %v, %v of it for the transfer, want %v and %v", r.Last, moved, c.last, c.moved)
			}
		})
	}
}

// TestNobodyHasAStateCached: of a prompt that is cached where it is to be decoded, the state alone is sent.
func TestNobodyHasAStateCached(t *testing.T) {
	h := &handover{tokens: 64, cached: 0.75, from: &replica{}, to: &replica{}}
	h.from.pool, h.to.pool = &Pool{Sent: Sent{Bytes: 2, State: 10}}, &Pool{Sent: Sent{Bytes: 2, State: 8}}
	if got := h.toSend(); got != 16+5 {
		t.Errorf("%v tokens, want the 16 that are not cached, and 5 for the state", got)
	}
	if h.cached = 1; h.toSend() != 5 {
		t.Errorf("%v tokens, want 5 for the state", h.toSend())
	}
}
