package planner

import (
	"context"
	"math"
)

// followed is of how many of the cheapest answers it is found out what a scaler would save.
const followed = 2

// follow sizes the cheapest answers for each of the levels of the demand, the highest one first: no
// level takes more units than a higher one.
func (p *planner) follow(ctx context.Context) error {
	if len(p.Levels) == 0 {
		return nil
	}
	for _, i := range p.Shard.order(min(followed, len(p.found))) {
		s := &p.found[i]
		units, most := make([]int, len(p.Levels)), s.option.Units
		for l := len(p.Levels) - 1; l >= 0; l-- {
			n, err := p.atLevel(ctx, s, p.Levels[l], most)
			if err != nil {
				return err
			}
			units[l], most = n, n
		}
		s.option.Following = units
	}
	return nil
}

// atLevel is how many units are enough for a share of the demand, of at most so many that are; one at
// least, which is there when somebody comes.
func (p *planner) atLevel(ctx context.Context, found *sized, level float64, most int) (int, error) {
	if most == 1 || level == 0 {
		return 1, nil
	}
	if level >= 1 {
		return most, nil
	}
	c := found.at(level)
	c.Most = float64(most)
	s := p.newSizing(c, found.place)
	s.thought = math.Ceil(level * float64(found.option.Units))
	s.next, s.enough = int(min(s.thought, c.Most)), c.Most
	s.length, s.confirmed = p.lengthOf(found.place, level), true
	for s.missed+1 < most {
		if met, err := s.look(ctx, float64(most)); met || err != nil {
			return s.met, err
		}
	}
	return most, nil
}
