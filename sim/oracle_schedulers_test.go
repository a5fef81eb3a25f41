package sim_test

// oracleV1 is Scheduler.schedule of vllm/v1/core/sched/scheduler.py as of mid-2026
// (003df296), with allocate_slots of kv_cache_manager.py. There is no prefill and no
// decode: whoever has tokens that are not computed gets some, the batch first and
// in order of admission, then the queue, within one budget.
func oracleV1(o *oracle) (plan oraclePlan) {
	budget, preempts := o.rules.tokens, false
	for i := 0; i < len(o.running) && budget > 0; i++ {
		r := o.running[i]
		// An asynchronous scheduler knows what ends by its length.
		if r.sampling > 0 && r.computed+2-r.sampling >= r.prompt+r.output {
			continue
		}
		n := min(o.chunk(r.length()+r.guesses-r.computed), budget, o.rules.maxLen-1-r.computed)
		if n <= 0 {
			continue
		}
		slots := min(r.computed+n+o.rules.lookahead, o.rules.maxLen)
		for o.pool.needs(r, nil, slots) > len(o.pool.free) {
			preempts = true
			if o.preemptLast() == r {
				return plan
			}
		}
		o.pool.extend(r, slots)
		o.pool.register(r, min(r.computed+n, r.prompt+r.generated)) // whose tokens are certain
		plan.tasks = append(plan.tasks, o.task(r, n))
		budget -= n
	}
	for !preempts && budget > 0 && len(o.waiting) > 0 && len(o.running) < o.rules.seqs {
		r := o.waiting[0]
		found := o.pool.find(r)
		cached := len(found) * o.pool.size
		n := min(o.chunk(r.length()-cached), budget)
		slots := min(cached+n+o.rules.lookahead, o.rules.maxLen)
		// scheduler_reserve_full_isl: a request joins when all of it would fit, and
		// takes what its first chunk needs.
		if max(o.pool.needs(r, found, r.length()), o.pool.needs(r, found, slots)) > len(o.pool.free) {
			break
		}
		r.computed = cached
		o.pool.share(r, found)
		o.pool.extend(r, slots)
		o.pool.register(r, cached+n)
		plan.tasks = append(plan.tasks, o.task(o.admit(), n))
		budget -= n
	}
	return plan
}

// chunk is a number of tokens, or the most of them that are processed at once
// (long_prefill_token_threshold).
func (o *oracle) chunk(tokens int) int {
	if o.rules.threshold > 0 {
		return min(tokens, o.rules.threshold)
	}
	return tokens
}

// oracleV0 is _schedule_default of vllm/core/scheduler.py in 2024: as long as
// somebody can join, a step holds whole prompts only; else everybody decodes.
func oracleV0(o *oracle) (plan oraclePlan) {
	budget := o.rules.tokens
	for len(o.waiting) > 0 && len(o.running) < o.rules.seqs {
		r := o.waiting[0]
		if !o.roomAboveWatermark(r) || r.length() > budget {
			break
		}
		budget -= r.length()
		o.pool.extend(r, r.length())
		plan.tasks = append(plan.tasks, o.task(o.admit(), r.length()))
	}
	if len(plan.tasks) > 0 {
		return plan
	}
	for i := 0; i < len(o.running); i++ {
		if r := o.running[i]; o.append(r) {
			plan.tasks = append(plan.tasks, o.task(r, 1))
		}
	}
	return plan
}

// roomAboveWatermark is can_allocate of block_manager.py: one block in a hundred
// stays free.
func (o *oracle) roomAboveWatermark(r *oracleRequest) bool {
	return len(o.pool.free)-o.pool.blocksFor(r.length()) >= o.rules.blocks/100
}

// append gives a decoding sequence the block that its token needs, and preempts the
// youngest until there is one; false when that is the sequence itself. block_manager's
// can_append_slot asks for a free block whether one is needed or not. One that is alone
// goes on here in the blocks that it has; there it would preempt itself, and begin
// anew at once.
func (o *oracle) append(r *oracleRequest) bool {
	for {
		needs := o.pool.needs(r, nil, r.length())
		if o.rules.eager && len(o.running) > 1 {
			needs = 1
		}
		if needs <= len(o.pool.free) {
			o.pool.extend(r, r.length())
			return true
		}
		if o.preemptLast() == r {
			return false
		}
	}
}

// oracleSarathi is _schedule of microsoft/sarathi-serve's sarathi_scheduler.py: all
// who decode do so, prefills that were begun go on, and others begin, in chunks of
// what is left of the budget. Memory is taken for the whole prompt.
func oracleSarathi(o *oracle) (plan oraclePlan) {
	budget := o.rules.tokens
	decodes := func(r *oracleRequest) bool { return r.computed >= r.length()-1 && r.generated > 0 }
	for i := 0; i < len(o.running); i++ {
		if r := o.running[i]; decodes(r) && o.append(r) {
			plan.tasks = append(plan.tasks, o.task(r, 1))
			budget--
		}
	}
	for _, r := range o.running[len(plan.tasks):] { // prompts are done in order
		if n := min(r.length()-r.computed, budget); n > 0 {
			plan.tasks = append(plan.tasks, o.task(r, n))
			budget -= n
		}
	}
	for budget > 0 && len(o.waiting) > 0 && len(o.running) < o.rules.seqs && o.roomAboveWatermark(o.waiting[0]) {
		r := o.admit()
		o.pool.extend(r, r.length())
		n := min(r.length(), budget)
		plan.tasks = append(plan.tasks, o.task(r, n))
		budget -= n
	}
	return plan
}

// oracleOrca is algorithm 1 of Yu et al., OSDI 2022, with one worker: an iteration
// is for the requests of the pool in order of arrival, at most max_bs; who begins
// sets memory aside for all that it may generate.
func oracleOrca(o *oracle) (plan oraclePlan) {
	for _, r := range o.running {
		plan.tasks = append(plan.tasks, o.task(r, 1))
	}
	for len(o.waiting) > 0 && len(plan.tasks) < o.rules.seqs {
		r := o.waiting[0]
		reserve := o.rules.reserve(r.prompt, r.output)
		if o.pool.blocksFor(reserve) > len(o.pool.free) {
			break
		}
		o.pool.extend(r, reserve)
		plan.tasks = append(plan.tasks, o.task(o.admit(), r.prompt))
	}
	return plan
}

// oracleBatch is the batch of a static scheduler.
type oracleBatch struct {
	waits   bool
	since   float64 // when the replica was idle and had a request
	longest int     // prompt
	ended   []*oracleRequest
}

// oracleStatic is request-level batching, as Hugging Face's generate has it, or
// FasterTransformer behind Triton's dynamic batcher: a batch begins when enough
// requests wait, or when the first has found the replica idle for max_wait; it ends with
// its last member. generate computes a rectangle: prompts at the length of the longest,
// rows of members who ended to the end of the batch, and it reads the keys and values
// of all of it.
func oracleStatic(o *oracle) (plan oraclePlan) {
	b := &o.static
	if len(o.running) > 0 {
		for _, r := range o.running {
			plan.tasks = append(plan.tasks, o.task(r, 1))
			plan.read += b.longest - r.prompt
		}
		if plan.padding = len(b.ended); !o.rules.padded {
			plan.padding, plan.read = 0, 0
		}
		plan.read += plan.padding * (b.longest + o.running[0].generated)
		return plan
	}
	if len(o.waiting) == 0 {
		return plan
	}
	if !b.waits {
		b.waits, b.since = true, o.now
	}
	if plan.wake = b.since + o.rules.maxWait; len(o.waiting) < o.rules.seqs && o.now < plan.wake {
		return plan
	}
	batch := o.waiting[:o.largestBatch()]
	b.waits, b.longest = false, 0
	for _, r := range batch {
		b.longest = max(b.longest, r.prompt)
	}
	for i, memory := range o.memoryOf(batch) {
		r := o.admit()
		o.pool.extend(r, memory)
		plan.tasks = append(plan.tasks, o.task(r, r.prompt))
		if o.rules.padded {
			plan.tasks[i].padding = b.longest - r.prompt
		}
	}
	return plan
}

// largestBatch is the number of waiting requests that fit together.
func (o *oracle) largestBatch() int {
	for n := min(len(o.waiting), o.rules.seqs); ; n-- {
		blocks := 0
		for _, tokens := range o.memoryOf(o.waiting[:n]) {
			blocks += o.pool.blocksFor(tokens)
		}
		if blocks <= o.rules.blocks || n == 1 {
			return n
		}
	}
}

// memoryOf is the tokens that each member of a batch holds memory for: its own, or
// in a rectangle the longest prompt and the longest answer.
func (o *oracle) memoryOf(batch []*oracleRequest) []int {
	tokens := make([]int, len(batch))
	prompt, output := 0, 0
	for i, r := range batch {
		tokens[i] = o.rules.reserve(r.prompt, r.output)
		prompt, output = max(prompt, r.prompt), max(output, tokens[i]-r.prompt)
	}
	for i := range tokens {
		if o.rules.padded {
			tokens[i] = prompt + output
		}
	}
	return tokens
}

// leave lets a member go that has ended; where the batch is answered as a whole, with
// the last one.
func (b *oracleBatch) leave(o *oracle, r *oracleRequest) {
	b.ended = append(b.ended, r)
	if len(o.running) > 0 && o.rules.whole {
		return
	}
	for _, r := range b.ended {
		if o.pool.release(r); o.rules.whole {
			r.first, r.last = o.now, o.now
		}
	}
	b.ended = nil
}
