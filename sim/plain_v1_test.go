package sim

import (
	"fmt"
	"slices"

	"kneepoint/workloads"
)

// plainV1 is vLLM's V1 scheduler with prefix caching, written from its published
// rules: every block has a number, the free ones are in one list, and full blocks
// are named when they are handed out. It shares nothing with the engines.
//
// Source: vllm/v1/core/sched/scheduler.py, kv_cache_manager.py, block_pool.py.
type plainV1 struct {
	blockSize, maxSeqs, budget int
	fixed, perToken            float64

	free  []int // numbers of blocks, the next one first
	users []int // by number of block
	names []plainName
	named map[plainName][]int // numbers of blocks, by when they got the name

	waiting, running []*plainRequest
	hits, lookups    int // tokens
	preemptions      int
}

// plainName is what stands for the hash of a block: whose tokens, and which.
type plainName struct {
	whose string
	index int
}

type plainRequest struct {
	workloads.Request
	computed, generated int
	blocks              []int
	seen                bool
	first, last         float64
}

func (r *plainRequest) length() int { return r.Input + r.generated }

func newPlainV1(blocks, blockSize, maxSeqs, budget int, fixed, perToken float64) *plainV1 {
	v := &plainV1{blockSize: blockSize, maxSeqs: maxSeqs, budget: budget, fixed: fixed, perToken: perToken,
		users: make([]int, blocks), names: make([]plainName, blocks), named: map[plainName][]int{}}
	for b := range blocks {
		v.free = append(v.free, b)
	}
	return v
}

// nameOf is the name of a request's index-th block.
func (v *plainV1) nameOf(r *plainRequest, index int) plainName {
	if end := (index + 1) * v.blockSize; r.Content != nil && end <= r.Named {
		return plainName{fmt.Sprint("content ", r.Content.At(end-1)), index}
	}
	return plainName{fmt.Sprint("request ", r.ID), index}
}

// allocate lets a request hold n blocks, and names those that are full with its first
// tokens.
func (v *plainV1) allocate(r *plainRequest, n, tokens int) {
	for len(r.blocks) < n {
		b := v.free[0]
		v.free = v.free[1:]
		if old := v.names[b]; old.whose != "" {
			v.named[old] = slices.DeleteFunc(v.named[old], func(x int) bool { return x == b })
		}
		v.names[b], v.users[b] = plainName{}, 1
		r.blocks = append(r.blocks, b)
	}
	for i := range tokens / v.blockSize {
		if b := r.blocks[i]; v.names[b].whose == "" {
			v.names[b] = v.nameOf(r, i)
			v.named[v.names[b]] = append(v.named[v.names[b]], b)
		}
	}
}

func (v *plainV1) release(r *plainRequest) {
	for _, b := range slices.Backward(r.blocks) {
		if v.users[b]--; v.users[b] == 0 {
			v.free = append(v.free, b)
		}
	}
	r.blocks = nil
}

func (v *plainV1) blocksFor(tokens int) int { return (tokens + v.blockSize - 1) / v.blockSize }

// schedule is one step: the tokens of each request in it.
func (v *plainV1) schedule() (requests []*plainRequest, tokens []int) {
	budget, preempted := v.budget, false
running:
	for i := 0; i < len(v.running) && budget > 0; i++ {
		r := v.running[i]
		n := min(r.length()-r.computed, budget)
		for v.blocksFor(r.computed+n)-len(r.blocks) > len(v.free) {
			last := v.running[len(v.running)-1]
			v.running = v.running[:len(v.running)-1]
			v.release(last)
			last.computed = 0
			v.waiting = slices.Insert(v.waiting, 0, last)
			v.preemptions++
			preempted = true
			if last == r {
				break running
			}
		}
		v.allocate(r, v.blocksFor(r.computed+n), r.computed+n)
		requests, tokens, budget = append(requests, r), append(tokens, n), budget-n
	}
	for !preempted && budget > 0 && len(v.waiting) > 0 && len(v.running) < v.maxSeqs {
		r := v.waiting[0]
		var hit []int
		for i := range (r.length() - 1) / v.blockSize {
			alike := v.named[v.nameOf(r, i)]
			if len(alike) == 0 {
				break
			}
			hit = append(hit, alike[0])
		}
		unused := 0
		for _, b := range hit {
			if v.users[b] == 0 {
				unused++
			}
		}
		if v.blocksFor(r.length())-len(hit)+unused > len(v.free) {
			break
		}
		for _, b := range hit {
			if v.users[b]++; v.users[b] == 1 {
				v.free = slices.DeleteFunc(v.free, func(x int) bool { return x == b })
			}
		}
		r.blocks, r.computed = hit, len(hit)*v.blockSize
		if !r.seen {
			r.seen = true
			v.hits += r.computed
			v.lookups += r.Input
		}
		n := min(r.length()-r.computed, budget)
		v.allocate(r, v.blocksFor(r.computed+n), r.computed+n)
		requests, tokens, budget = append(requests, r), append(tokens, n), budget-n
		v.waiting, v.running = v.waiting[1:], append(v.running, r)
	}
	return requests, tokens
}

// run serves requests that are in order of arrival.
func (v *plainV1) run(requests []workloads.Request) []*plainRequest {
	var all []*plainRequest
	for _, r := range requests {
		all = append(all, &plainRequest{Request: r})
	}
	now, arrived := 0.0, 0
	for {
		for arrived < len(all) && float64(all[arrived].Planned) <= now {
			v.waiting = append(v.waiting, all[arrived])
			arrived++
		}
		step, tokens := v.schedule()
		if len(step) == 0 {
			if arrived == len(all) {
				return all
			}
			now = float64(all[arrived].Planned)
			continue
		}
		now += v.fixed
		for _, n := range tokens {
			now += v.perToken * float64(n)
		}
		for i, r := range step {
			if r.computed += tokens[i]; r.computed < r.length() {
				continue
			}
			if r.generated++; r.generated == 1 {
				r.first = now
			}
			if r.generated == r.Output {
				r.last = now
				v.release(r)
				v.running = slices.DeleteFunc(v.running, func(x *plainRequest) bool { return x == r })
			}
		}
	}
}
