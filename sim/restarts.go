package sim

import "kneepoint/units"

// Restart has all replicas of a pool start anew, one after the other, as where their software
// is changed: each finishes what it has, starts cold, and takes requests before the next one
// does so.
type Restart struct {
	At       units.Seconds // when it begins, with the replicas that there are then
	Together int           // replicas that are away at a time
}

// restarting is a restart of a roster's replicas.
type restarting struct {
	roster *roster
	left   []*replica // that have not begun
}

// beginRestart sets when the replicas start anew.
func (o *roster) beginRestart() {
	restart := o.pool.Restart
	if restart == nil {
		return
	}
	o.fleet.at(restart.At, func() {
		x := &restarting{roster: o}
		for _, r := range o.all {
			if r.stage == ready {
				x.left = append(x.left, r)
			}
		}
		for range restart.Together {
			x.next(restart.At)
		}
	})
}

// next has the next replica start anew that still takes requests.
func (x *restarting) next(now units.Seconds) {
	for len(x.left) > 0 {
		r := x.left[0]
		x.left = x.left[1:]
		if r.stage == ready {
			r.restart = x
			x.roster.drain(r)
			return
		}
	}
}

// startAnew has another replica start in the place of one that has left, or goes on with the
// next one where nobody wants that.
func (x *restarting) startAnew(r *replica, wanted bool, now units.Seconds) {
	r.restart = nil
	if !wanted {
		x.roster.fleet.at(now, func() { x.next(now) }) // after whoever takes this one away
		return
	}
	by := x.roster.add(starting, now)
	by.restart = x
	x.roster.startCold(by, now)
}
