package policytest

import (
	"fmt"
	"slices"

	"kneepoint/policies"
)

// check compares a decision with the contract.
func (r *replica) check(d *policies.Decision) error {
	if len(d.Tasks) == 0 {
		return r.checkIdle(d)
	}
	if d.Admit < 0 || d.Admit > len(r.waiting) {
		return fmt.Errorf("admits %d requests", d.Admit)
	}
	if d.PaddingRows < 0 {
		return fmt.Errorf("%d padding rows", d.PaddingRows)
	}
	if err := r.checkPreempted(d); err != nil {
		return err
	}
	if err := r.checkMembers(d); err != nil {
		return err
	}
	if err := r.checkMoves(d); err != nil {
		return err
	}
	free := r.memory.free() + r.Freed(d.Preempt)
	for i, t := range d.Tasks {
		before := policies.Decision{Preempt: d.Preempt, Tasks: d.Tasks[:i]}
		if err := r.checkTask(t, &before); err != nil {
			return fmt.Errorf("request %d: %w", t.Sequence.ID, err)
		}
		free -= t.Blocks - t.Sequence.Blocks - t.Held
	}
	if free < 0 {
		return fmt.Errorf("holds %d blocks more than there are", -free)
	}
	return nil
}

// checkIdle checks a decision without tasks.
func (r *replica) checkIdle(d *policies.Decision) error {
	there := len(r.waiting) + len(r.running) + len(r.parked)
	switch {
	case d.Admit != 0 || len(d.Preempt) != 0 && r.late == 0 || d.Restore != 0:
		return fmt.Errorf("admits %d and preempts %d requests without a step", d.Admit, len(d.Preempt))
	case r.late > 0: // it is asked again at once, when they have left
		return r.checkPreempted(d)
	case there > 0 && d.Wake == policies.Never:
		return fmt.Errorf("does nothing, for ever")
	case !(d.Wake > r.now):
		return fmt.Errorf("waits until %v", float64(d.Wake))
	}
	return nil
}

func (r *replica) checkPreempted(d *policies.Decision) error {
	for i, s := range d.Preempt {
		if !slices.Contains(r.running, s) {
			return fmt.Errorf("preempts request %d, which is not running", s.ID)
		}
		if slices.Contains(d.Preempt[:i], s) {
			return fmt.Errorf("preempts request %d twice", s.ID)
		}
		spared := func(t policies.Task) bool {
			return s.Before(t.Sequence) && slices.Contains(r.running, t.Sequence) && !t.Sequence.Offloaded
		}
		if r.leastUrgentFirst && slices.ContainsFunc(d.Tasks, spared) {
			return fmt.Errorf("preempts request %d before one that is less urgent", s.ID)
		}
	}
	if d.Admit > 0 && len(d.Preempt) > max(0, d.Swap) {
		return fmt.Errorf("admits %d requests behind those that it preempts", d.Admit)
	}
	return nil
}

// checkMembers checks whom the step works on.
func (r *replica) checkMembers(d *policies.Decision) error {
	admitted := slices.Concat(r.waiting[:d.Admit], r.parked[:max(0, min(d.Restore, len(r.parked)))])
	tasks := map[*policies.Sequence]int{}
	for _, t := range d.Tasks {
		s := t.Sequence
		if slices.Contains(d.Preempt, s) || !slices.Contains(r.running, s) && !slices.Contains(admitted, s) {
			return fmt.Errorf("request %d has a task and is not in the batch", s.ID)
		}
		if tasks[s]++; tasks[s] > 1 {
			return fmt.Errorf("request %d has two tasks", s.ID)
		}
	}
	for _, s := range admitted {
		if tasks[s] == 0 {
			return fmt.Errorf("request %d is admitted without a task", s.ID)
		}
	}
	return nil
}

// checkMoves checks what moves to the first tier and back.
func (r *replica) checkMoves(d *policies.Decision) error {
	if d.Swap < 0 || d.Swap > len(d.Preempt) {
		return fmt.Errorf("parks %d of %d preempted requests", d.Swap, len(d.Preempt))
	}
	if d.Restore < 0 || d.Restore > len(r.parked) {
		return fmt.Errorf("brings back %d of %d parked requests", d.Restore, len(r.parked))
	}
	free := r.freeTierBlocks()
	for _, s := range d.Preempt[:d.Swap] {
		if !s.Ended {
			free -= r.blocksFor(s.Computed)
		}
	}
	for _, t := range d.Tasks {
		if !t.Offload {
			continue
		}
		if !slices.Contains(r.waiting[:d.Admit], t.Sequence) {
			return fmt.Errorf("request %d leaves without having joined", t.Sequence.ID)
		}
		free -= r.blocksFor(t.Sequence.Length())
	}
	if free < 0 {
		return fmt.Errorf("parks %d blocks more than the tier has", -free)
	}
	return nil
}

// checkTask checks one task, behind those before it.
func (r *replica) checkTask(t policies.Task, before *policies.Decision) error {
	s := t.Sequence
	var hit policies.Hit
	if t.Cached != 0 && r.caching && slices.Contains(r.waiting, s) {
		hit = r.Lookup(s, before)
	}
	pending, computed := s.Pending()-t.Cached, s.Computed+t.Cached+t.Tokens
	switch {
	case t.Cached != hit.Tokens || t.Held != hit.Held:
		return fmt.Errorf("has %d cached tokens, %d blocks of them held, where %d and %d are", t.Cached, t.Held, hit.Tokens, hit.Held)
	case t.Tokens < 1 || t.Tokens > pending:
		return fmt.Errorf("a task of %d tokens, with %d pending", t.Tokens, pending)
	case t.Padding < 0:
		return fmt.Errorf("a padding of %d", t.Padding)
	case t.Draft < 0 || t.Draft > 0 && (s.Generated == 0 || pending != 1) || t.Nodes < t.Draft:
		return fmt.Errorf("%d guesses, %d in a row, with %d tokens generated and %d pending", t.Nodes, t.Draft, s.Generated, pending)
	case t.Blocks < s.Blocks:
		return fmt.Errorf("gives back %d of %d blocks", s.Blocks-t.Blocks, s.Blocks)
	case t.Blocks < 1 || !t.Offload && !s.Offloaded && t.Blocks*r.blockSize < computed+t.Nodes:
		return fmt.Errorf("%d blocks of %d for %d tokens", t.Blocks, r.blockSize, computed+t.Nodes)
	}
	return nil
}
