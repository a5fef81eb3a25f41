package roofline

import (
	"sync"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// Pairs that share places, asked for by several goroutines at once, have their own durations; one that was asked for
// last is kept.
func TestPairMemoKeepsEachPair(t *testing.T) {
	m := make(pairMemo, memoChunks)
	duration := func(a, b int) units.Seconds { return units.Seconds(a*1000 + b) }
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for a := range 1000 {
				for b := 1; b < 200; b++ {
					if got := m.get(a, b, duration); got != duration(a, b) {
						t.Errorf("%d, %d: %v, want %v", a, b, got, duration(a, b))
						return
					}
				}
			}
		})
	}
	asking.Wait()
	m.get(7, 128, duration)
	m.get(7, 128, func(int, int) units.Seconds {
		t.Error("computed again")
		return 0
	})
}

// Chunks of a prompt that follow each other have places that do, so that those of all are read ahead.
func TestChunksHavePlacesInARow(t *testing.T) {
	for i := range uint32(100) {
		first, next := chunkPlace(50+i*128, 128), chunkPlace(50+(i+1)*128, 128)
		if next != (first+1)%memoChunks {
			t.Fatalf("places %d and %d of chunks %d and %d", first, next, i, i+1)
		}
	}
}

// Durations of chunks that follow each other are those of each, across the end of the places too, and are kept.
func TestPairMemoRow(t *testing.T) {
	m := make(pairMemo, memoChunks)
	duration := func(a, b int) units.Seconds { return units.Seconds(a*1000 + b) }
	steps := make([]hardware.Cost, memoChunks)
	m.getRow(50, 128, steps, duration)
	for i := range steps {
		if want := duration(50+i*128, 128); steps[i].Time != want {
			t.Fatalf("chunk %d: %v, want %v", i, steps[i].Time, want)
		}
	}
	again := func(int, int) units.Seconds {
		t.Error("computed again")
		return 0
	}
	m.getRow(50, 128, steps, again)
	m.get(50+128, 128, again)
}
