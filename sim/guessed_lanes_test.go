package sim

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawRow is a row with room for some tokens more, beside how many of its guesses are right in some steps.
func drawRow(t *rapid.T, rule *rowRule, steps int) (r guessedRow, right []uint8) {
	right = rapid.SliceOfN(rapid.Uint8Range(0, uint8(rule.draft)), steps, steps).Draw(t, "right")
	r.computed = rapid.IntRange(0, 3000).Draw(t, "computed")
	if r.known = r.computed; rule.assumed > 0 {
		r.known += rapid.IntRange(0, rule.nodes+2).Draw(t, "assumed") // more where there were more guesses before
	}
	tokens := steps * (rule.draft + 1)
	r.left = rapid.SampledFrom([]int{tokens + 1, tokens + 1, rapid.IntRange(1, tokens).Draw(t, "left")}).Draw(t, "ends")
	r.longest = r.computed + rapid.SampledFrom([]int{10_000, 10_000, tokens + rule.slots, 2 * rule.slots}).Draw(t, "longest")
	r.blocks = rule.blocksFor(r.known + rapid.IntRange(0, rule.slots+rule.size).Draw(t, "held"))
	return r, right
}

// sumsByHand are those of rows, one step and one row after the other, from what the terms say.
func sumsByHand(rows []guessedRow, right [][]uint8, rule *rowRule, steps int) (s guessedSums) {
	rows = slices.Clone(rows)
	for i := range rows {
		s.computed[0] += int64(rows[i].computed)
	}
	for s.steps < steps && !s.ends {
		for _, r := range rows {
			if r.known+rule.nodes+2 > r.longest {
				return s
			}
		}
		for i := range rows {
			r := &rows[i]
			for r.blocks*rule.size < min(r.known+rule.slots, r.longest) {
				r.blocks++
			}
			s.blocks[s.steps] += r.blocks
			s.windowed[s.steps] += int64(min(r.computed+1, rule.window))
			tokens := 1 + int(right[i][s.steps])
			if r.known = r.computed + tokens; rule.assumed > 0 {
				r.known = r.computed + 1 + rule.nodes
			}
			r.computed += tokens
			r.left -= tokens
			s.ends = s.ends || r.left <= 0
			s.computed[s.steps+1] += int64(r.computed)
		}
		s.steps++
	}
	return s
}

// TestGuessedSums: what rows need together is what each of them needs, whether eight steps are added at a time or one.
func TestGuessedSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := newRowRule(rapid.SampledFrom([]int{1, 3, 8, 16, 32, 128, 256}).Draw(t, "block size"))
		rule.draft = rapid.SampledFrom([]int{rapid.IntRange(1, mostOfLane).Draw(t, "few guesses"), mostOfLane + 1, 64}).Draw(t, "guesses")
		rule.nodes = rule.draft + rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "branches")
		rule.slots, rule.mask = 1+rule.nodes+rapid.IntRange(0, 5).Draw(t, "lookahead"), -1
		rule.window = rapid.SampledFrom([]int{0, 0, 1000}).Draw(t, "window")
		if rapid.Bool().Draw(t, "asynchronous") {
			rule.assumed, rule.mask = rule.nodes, 0
		}
		steps := rapid.IntRange(1, stepsOfSums).Draw(t, "steps")
		var rows []guessedRow
		var right [][]uint8
		for range rapid.SampledFrom([]int{1, 2, 40}).Draw(t, "rows") {
			r, n := drawRow(t, &rule, steps)
			rows, right = append(rows, r), append(right, n)
		}
		want := sumsByHand(rows, right, &rule, steps)
		var got guessedSums
		got.begin(steps)
		for i := range rows {
			if got.steps > 0 {
				got.add(&rows[i], right[i][:got.steps], tokensOf(right[i][:got.steps]), &rule)
			}
		}
		got.addLanes()
		n := want.steps
		if got.steps != n || got.ends != want.ends {
			t.Fatalf("%d steps, the last ends a sequence: %t; want %d, %t", got.steps, got.ends, n, want.ends)
		}
		if n > 0 && !slices.Equal(got.computed[:n+1], want.computed[:n+1]) || !slices.Equal(got.windowed[:n], want.windowed[:n]) ||
			!slices.Equal(got.blocks[:n], want.blocks[:n]) {
			t.Fatalf("%v %v %v\nwant %v %v %v", got.computed[:n+1], got.windowed[:n], got.blocks[:n],
				want.computed[:n+1], want.windowed[:n], want.blocks[:n])
		}
	})
}

func tokensOf(right []uint8) (tokens int) {
	for _, n := range right {
		tokens += 1 + int(n)
	}
	return tokens
}
