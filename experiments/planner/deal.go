package planner

import (
	"context"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/experiments/runner"
	"kneepoint/experiments/search"
)

// deal shares the looks at candidates with other shards: each notes in the store which one it is at.
type deal struct {
	*planner
	plan string // a key of what is sized
}

// newDeal is nil where there are no other shards.
func (p *planner) newDeal(candidates []Candidate) *deal {
	if p.Shard.Of < 2 || p.Store == nil {
		return nil
	}
	parts := []any{"deal", p.Question, p.Allowed, p.Shard.Of}
	for i := range candidates {
		parts = append(parts, candidates[i].Unit.Key(), candidates[i].Price, candidates[i].Most)
	}
	return &deal{p, runner.Key(parts...)}
}

// next is the number of the candidate that is looked at next: the most promising one of accelerators that no other shard is at, since
// candidates of different accelerators do not concern each other. Where there is none, looks that may come are taken ahead, and
// where there is none of these either it is one that another shard is at, which may be lost.
func (d *deal) next(ctx context.Context, open []*sizing) (int, error) {
	for {
		taken, err := d.taken()
		if err != nil {
			return 0, err
		}
		first, later := inTurn(open)
		start := (d.Shard.Index - 1) * len(first) / d.Shard.Of // so that shards that begin at once do not begin with the same
		first = slices.Concat(first[start:], first[:start])
		for _, i := range first {
			l := d.lookOf(open[i])
			if waits, err := d.waits(l, taken); err != nil {
				return 0, err
			} else if !waits {
				return i, d.note(l)
			}
		}
		ahead, err := d.ahead(ctx, open, later, taken)
		if err != nil || !ahead {
			return first[0], err
		}
	}
}

// inTurn are the most promising candidate of each mix of accelerators, and the others, both with what promises more first.
func inTurn(open []*sizing) (first, later []int) {
	met := map[string]bool{}
	for _, i := range inOrder(open) {
		if name := open[i].Option.Unit.Mix(); !met[name] {
			met[name] = true
			first = append(first, i)
		} else {
			later = append(later, i)
		}
	}
	return first, later
}

// inOrder are the numbers of candidates, with what promises more first.
func inOrder(open []*sizing) []int {
	order := make([]int, len(open))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return sooner(open[a], open[b]) })
	return order
}

// ahead takes a look that comes after those that the other shards are at, so that it is kept when its turn comes. It is false where
// there is none.
func (d *deal) ahead(ctx context.Context, open []*sizing, later []int, taken map[string]bool) (bool, error) {
	for _, i := range later {
		l := d.lookOf(open[i])
		known, err := d.kept(l)
		if err != nil {
			return false, err
		}
		if known || taken[l.key] {
			continue
		}
		if err := d.note(l); err != nil {
			return false, err
		}
		_, err = newPlanner(d.Question, d.Options).judges(ctx, open[i].Candidate, l.units, l.Ask)
		return true, err
	}
	return false, nil
}

// look is a judgement that is to be made.
type look struct {
	search.Ask
	units int
	key   string // under which it is kept; "": the candidate is out without a look
}

// lookOf is the next look at a candidate, as things stand.
func (d *deal) lookOf(s *sizing) look {
	most, _, _ := d.most(s.Candidate)
	if most <= float64(s.missed) {
		return look{}
	}
	l := look{units: s.aim(min(most, s.enough))}
	l.Ask = s.ask(l.units)
	l.key = d.judgementKey(s.Candidate, l.units, l.Ask)
	return l
}

// waits tells whether another shard is at a look that is not finished.
func (d *deal) waits(l look, taken map[string]bool) (bool, error) {
	if !taken[l.key] {
		return false, nil
	}
	known, err := d.kept(l)
	return !known, err
}

// kept tells whether a look is finished.
func (d *deal) kept(l look) (bool, error) {
	if l.key == "" {
		return true, nil
	}
	return d.Store.Get(l.key, &results.Judgement{})
}

// noteKey is where a shard notes what it is at.
func (d *deal) noteKey(shard int) string { return runner.Key("look of shard", d.plan, shard) }

func (d *deal) note(l look) error { return d.Store.Put(d.noteKey(d.Shard.Index), l.key) }

// taken are the looks that the other shards are at, or were when they were lost.
func (d *deal) taken() (map[string]bool, error) {
	taken := map[string]bool{}
	for shard := 1; shard <= d.Shard.Of; shard++ {
		var key string
		known, err := d.Store.Get(d.noteKey(shard), &key)
		if err != nil {
			return nil, err
		}
		if known && shard != d.Shard.Index {
			taken[key] = true
		}
	}
	return taken, nil
}
