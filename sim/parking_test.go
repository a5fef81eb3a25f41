package sim

import (
	"slices"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// parkingMachine is one with blocks of 4 tokens and a byte, and a tier of 4 blocks.
func parkingMachine() *machine {
	pool := Pool{Batching: continuous(8, 8), Cost: &hardware.Synthetic{StepFixed: 1}, Blocks: 10, BlockSize: 4, BlockBytes: 1,
		Eviction: policies.LRU{}, Tiers: []Tier{{Blocks: 4, Bandwidth: 1}}, Layers: 4, SerialMoves: true}
	m := newMachine(&fleet{config: &Config{Pools: []Pool{pool}}, record: metrics.Record{Pools: make([]metrics.PoolRecord, 1)},
		views: []*policies.Aggregate{newView(&pool, false)}}, 0, 0)
	return &m
}

// TestParkedSequencesAreInOrder of their admission, however they came.
func TestParkedSequencesAreInOrder(t *testing.T) {
	for _, order := range [][]int64{{1, 2, 3, 4}, {4, 3, 2, 1}, {2, 4, 1, 3}} {
		var p parked
		for _, n := range order {
			p.insert(&sequence{admitted: n})
		}
		var got []int64
		for _, s := range p {
			got = append(got, s.admitted)
		}
		if !slices.Equal(got, []int64{1, 2, 3, 4}) {
			t.Errorf("parked in the order %v they are %v", order, got)
		}
	}
}

// TestParkedSequencesTakeTheRoomOfCopies: of a tier of 4 blocks, copies have what parked
// sequences leave, the latest ones; as sequences go, there is room again for others.
func TestParkedSequencesTakeTheRoomOfCopies(t *testing.T) {
	m := parkingMachine()
	c := m.memory.copies
	m.memory.allocate(6)
	for id := range 4 {
		m.memory.publish(&chain{}, id, 1, 0)
	}
	m.memory.setTime(forever)
	check := func(when string, want ...int) {
		t.Helper()
		var got []int
		for id := range 6 {
			if c.find(blockKey{id, 0}) == 0 {
				got = append(got, id)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s there are copies of %v, want %v", when, got, want)
		}
	}
	check("at first", 0, 1, 2, 3)
	one, two := &sequence{}, &sequence{}
	m.reserveParking(one, 1)
	check("beside one block", 1, 2, 3)
	m.reserveParking(two, 2)
	check("beside three", 3)
	m.reserveParking(two, 1)
	m.memory.publish(&chain{}, 4, 1, 0)
	check("beside two", 3, 4)
	m.reserveParking(one, 0)
	m.reserveParking(two, 0)
	m.memory.publish(&chain{}, 5, 1, 0)
	check("when all have come back", 3, 4, 5)
}

// TestReturnedUntilTheNextToken: a sequence that came back is marked so until it has a token.
func TestReturnedUntilTheNextToken(t *testing.T) {
	m, s := parkingMachine(), &sequence{}
	s.landed = true
	m.parking.returning = []*sequence{s}
	m.joinReturned()
	if !s.Returned || len(m.running) != 1 {
		t.Errorf("it is in a batch of %d, returned: %t", len(m.running), s.Returned)
	}
	if s.generate(1); s.Returned {
		t.Error("it has a token, and is marked still")
	}
}

// TestMoveOut: a chunk of a prompt that leaves layer by layer moves its own blocks out, the
// first one those that were cached too, and reads those before it that are not cached.
func TestMoveOut(t *testing.T) {
	for _, c := range []struct {
		computed, cached, tokens int
		first                    bool
		out, in                  units.Bytes
	}{
		{0, 0, 8, true, 2, 0},
		{4, 1, 6, true, 2 + 1, 0},
		{4, 1, 6, false, 2, 0},
		{12, 1, 3, false, 1, 2},
		{10, 0, 3, false, 1, 3},
	} {
		m := parkingMachine()
		s := &sequence{tokens: c.tokens, cached: chain{blocks: c.cached}}
		s.Computed = c.computed
		m.moveOut(s, c.first)
		if got := m.step.moves.byLayer; got.out != c.out || got.in != c.in {
			t.Errorf("%+v: %v out and %v in", c, got.out, got.in)
		}
	}
}

// TestLoadedBlocksKeepTheirCopies: a block that is loaded is not the next whose copy has to
// go, nor one that is asked for while it is there.
func TestLoadedBlocksKeepTheirCopies(t *testing.T) {
	m := parkingMachine()
	m.memory.allocate(4)
	for id := range 4 {
		m.memory.publish(&chain{}, id, 1, 0)
	}
	m.memory.setTime(forever)
	m.load(&sequence{}, blockKey{0, 0})
	m.memory.publish(&chain{}, 4, 1, 0)
	for id, want := range []int{0, -1, 0, 0} {
		if got := m.memory.copies.find(blockKey{id, 0}); got != want {
			t.Errorf("the copy of block %d is in tier %d, want %d", id, got, want)
		}
	}
	if got := m.step.moves.upFront[0].in; got != 1 {
		t.Errorf("a load moves %v", got)
	}
}

// TestMovedBytes: a sequence of two blocks of a byte is swapped out and comes back, before
// steps or beside them.
func TestMovedBytes(t *testing.T) {
	for name, c := range map[string]struct {
		serial  bool
		exposed units.Seconds // each block takes a tenth of a second
	}{
		"before the steps": {true, 0.4},
		"beside them":      {false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, reference := range []bool{false, true} {
				traffic := &scripted{}
				traffic.add(0, 2, 5)
				traffic.add(0, 2, 5)
				config := written(traffic, 5, continuous(8, 8)())
				config.Reference = reference
				p := &config.Pools[0]
				p.Cost = &hardware.Synthetic{StepFixed: 1, PerPrefillToken: 10}
				p.Tiers, p.BlockBytes, p.SerialMoves = []Tier{{Blocks: 10, Bandwidth: 10}}, 1, c.serial
				p.Batching = inOrder(&policies.Swapping{Batching: continuous(8, 8)(), MaxNumSeqs: 8})
				rec, err := Run(t.Context(), config)
				if err != nil {
					t.Fatal(err)
				}
				checkRecord(t, rec)
				if got, exposed := rec.Totals.MovedBytes, rec.Totals.Exposed; got != 2+2 || !near(float64(exposed), float64(c.exposed)) {
					t.Errorf("%v moved, %v of it with nothing computed, want 4 B and %v", got, exposed, c.exposed)
				}
				if rec.Totals.RecomputedTokens != 0 {
					t.Errorf("%d tokens were computed again", rec.Totals.RecomputedTokens)
				}
			}
		})
	}
}
