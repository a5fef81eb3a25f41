package chart

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"
)

// slot is the wish of one label in a column: the height it needs, where its
// centre should be, and how much it minds being moved.
type slot struct {
	want, height vg.Length
	weight       float64
}

// arrange returns the centres of the slots in [lo, hi] so that none overlap,
// at the least sum of weighted squared displacements. Slots keep the order of
// their wishes. When they do not fit they start at lo and run beyond hi.
//
// With c_i the heights stacked below slot i, "no overlap" is want_i - c_i not
// decreasing: a weighted isotonic regression, solved by pooling adjacent
// violators (Barlow et al., "Statistical inference under order restrictions", 1972).
func arrange(slots []slot, lo, hi vg.Length) []vg.Length {
	order := make([]int, len(slots))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(slots[a].want, slots[b].want) })

	offsets := make([]vg.Length, len(slots))
	var stacked vg.Length
	var pools []pool
	for rank, i := range order {
		offsets[rank] = stacked + slots[i].height/2
		stacked += slots[i].height
		pools = pooled(append(pools, pool{slots[i].want - offsets[rank], slots[i].weight, 1}))
	}

	centres := make([]vg.Length, len(slots))
	rank := 0
	for _, p := range pools {
		base := max(lo, min(p.value, hi-stacked))
		for range p.count {
			centres[order[rank]] = base + offsets[rank]
			rank++
		}
	}
	return centres
}

// pool is a run of slots that touch.
type pool struct {
	value  vg.Length
	weight float64
	count  int
}

// pooled joins the last pools until their values increase.
func pooled(pools []pool) []pool {
	for n := len(pools); n > 1 && pools[n-2].value > pools[n-1].value; n-- {
		a, b := pools[n-2], pools[n-1]
		w := a.weight + b.weight
		mean := (a.value*vg.Length(a.weight) + b.value*vg.Length(b.weight)) / vg.Length(w)
		pools = append(pools[:n-2], pool{mean, w, a.count + b.count})
	}
	return pools
}
