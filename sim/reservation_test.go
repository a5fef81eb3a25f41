package sim

import (
	"context"
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestReservedBeforeComputed: the second prompt is computed when there are blocks for its keys and values,
// and goes into them while others wait for the blocks. What they wait for is memory.
func TestReservedBeforeComputed(t *testing.T) {
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(0, 4, 3)
		traffic.add(0, 4, 3)
		config := apart(traffic, Transfer{Bandwidth: 2, Mode: Reserve})
		config.Reference = reference
		config.Pools[1].Blocks = 4 // of two tokens: one request has three
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		// The first: computed until 4, sent until 6, done at 8.
		if a, b := rec.Requests[0], rec.Requests[1]; a.First != 4 || a.Last != 8 || b.First != 12 || b.Last != 16 {
			t.Errorf("reference %t: first tokens at %v and %v, last ones at %v and %v", reference, a.First, b.First, a.Last, b.Last)
		}
		for part, want := range map[metrics.Part]float32{metrics.KVWait: 8, metrics.Prefill: 4, metrics.KVTransfer: 2, metrics.Decode: 2} {
			if got := rec.Requests[1].ToLast[part]; got != want {
				t.Errorf("reference %t: %v of part %v, want %v", reference, got, part, want)
			}
		}
	}
}

// TestReservedIsPrepared: the front end works on a request once before its first token, in
// the replica that reserves blocks, and once in each of two without that.
func TestReservedIsPrepared(t *testing.T) {
	for mode, want := range map[TransferMode][2]float32{Pull: {1, 3}, Reserve: {2, 2}} {
		traffic := &scripted{}
		traffic.add(0, 4, 3)
		config := apart(traffic, Transfer{Bandwidth: 2, Mode: mode})
		for i := range config.Pools {
			config.Pools[i].FrontEnd = func(int) units.Seconds { return units.Seconds(i + 1) }
		}
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		r := rec.Requests[0]
		if got := [2]float32{r.ToFirst[metrics.FrontEnd], r.ToLast[metrics.FrontEnd]}; got != want {
			t.Errorf("mode %d: %v in the front end until the first and the last token, want %v", mode, got, want)
		}
	}
}

// TestLayersFillBothLinks: layers are sent early only as fast as the replica receives them that
// has each token on fewer accelerators.
func TestLayersFillBothLinks(t *testing.T) {
	for received, want := range map[units.Bytes]units.Seconds{
		2: 1, // a token a second: 3 of 4 until the end of the prompt at 4
		4: 4, // two seconds each: 2 until then
	} {
		traffic := &scripted{}
		traffic.add(0, 4, 3)
		config := apart(traffic, Transfer{Bandwidth: 2, Mode: Reserve, Layers: 4})
		config.Pools[1].Sent.Bytes = received
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		if moved := units.Seconds(rec.Requests[0].ToLast[metrics.KVTransfer]); moved != want {
			t.Errorf("%v a token: %v after the prompt, want %v", received, moved, want)
		}
	}
}

// TestReservedBlocksComeBack: a request that gives up before its prompt is computed, or that a
// replica takes which does whole requests, gives back the blocks that were reserved for it.
func TestReservedBlocksComeBack(t *testing.T) {
	for _, reference := range []bool{false, true} {
		for _, mixed := range []bool{false, true} {
			traffic := &scripted{}
			traffic.add(0, 4, 3) // computed until 4, done at 8
			traffic.add(0, 4, 3) // gives up at 3, or is done as a whole by then
			traffic.add(5, 4, 3) // has blocks only where the second has none any more
			config := apart(traffic, Transfer{Bandwidth: 2, Mode: Reserve})
			config.Reference = reference
			config.Pools[1].Replicas, config.Pools[1].Blocks, config.Pools[1].Batching = 2, 4, continuous(8, 8)
			want := [3]units.Seconds{8, 3, 13}
			if mixed {
				whole := config.Pools[0]
				whole.Role, whole.Cost, whole.Batching = Both, config.Pools[1].Cost, continuous(8, 8)
				config.Pools = append(config.Pools, whole)
				config.Pools[1].Replicas, config.Pools[1].Blocks = 1, 6
			} else {
				config.Queue = &RouterQueue{MaxInFlight: 1, Timeout: 3}
			}
			rec, err := Run(context.Background(), config)
			if err != nil {
				t.Fatal(err)
			}
			checkRecord(t, rec)
			for i := range want {
				if got := rec.Requests[i].Last; got != want[i] {
					t.Errorf("reference %t, mixed %t: request %d ends at %v, want %v", reference, mixed, i, got, want[i])
				}
			}
		}
	}
}

// TestPromptsFollowBeginnings: a prompt is to be computed once its blocks are reserved, in a step of the replica that
// decodes. Where a step ends at that very time in another replica, which is to compute it, the next one there
// begins without it, whether that is planned by itself or together with others.
func TestPromptsFollowBeginnings(t *testing.T) {
	for _, reference := range []bool{false, true} {
		traffic := &scripted{}
		traffic.add(0, 4, 1) // by the one that only prefills: requests go to the two in turn
		traffic.add(0, 1, 9) // by the one that does whole requests, a token a second
		traffic.add(1, 4, 1)
		traffic.add(3, 1, 3) // reserves blocks at 3, when a step of the other one begins, and joins the next
		config := apart(traffic, Transfer{Bandwidth: 2, Mode: Reserve})
		whole := config.Pools[1]
		whole.Role, whole.Batching = Both, continuous(8, 8)
		config.Reference, config.Pools = reference, append(config.Pools, whole)
		rec, err := Run(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		checkRecord(t, rec)
		if r := rec.Requests[3]; r.First != 5 || r.Last != 7 {
			t.Errorf("reference %t: from %v to %v, want from 5 to 7", reference, r.First, r.Last)
		}
	}
}
