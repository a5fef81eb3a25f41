package sim_test

import (
	"math"
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/workloads"
)

// An oracle is one replica of a serving engine, once more: plain loops over plain
// structs, one step after the other, one sequence after the other, from what the
// engines' authors published. It shares nothing with package sim but the arguments
// of a cost model, and is as slow as it looks.
type oracle struct {
	rules    oracleRules
	cost     hardware.CostModel
	accepted func(request, index, guesses int) int

	now      float64
	arriving []*oracleRequest // those to come, in order of arrival
	waiting  []*oracleRequest
	running  []*oracleRequest // in order of admission
	pool     oraclePool
	static   oracleBatch
	victims  []*oracleRequest // preempted since the last step began
	steps    []oracleStep
}

// oracleRules are what an operator chooses.
type oracleRules struct {
	scheduler      func(*oracle) oraclePlan
	seqs, tokens   int // max_num_seqs and max_num_batched_tokens
	maxLen         int // max_model_len
	blocks, size   int // KV blocks, and the tokens of each
	caching, async bool
	guesses        int  // num_speculative_tokens
	lookahead      int  // slots that the proposer writes keys and values to, beyond these
	threshold      int  // long_prefill_token_threshold
	eager          bool // a sequence needs a free block for its turn, whether it fills its last one or not
	reserve        func(prompt, output int) int
	padded, whole  bool // a static batch is a rectangle, and is answered as a whole
	maxWait        float64
}

// oracleRequest is a request, waiting or running.
type oracleRequest struct {
	id, prompt, output int
	arrival            float64
	content            *workloads.Content // what the first named tokens are
	named              int

	generated int // tokens that came out
	computed  int // tokens whose keys and values are in memory, or will be when the step under way has ended
	sampling  int // tokens that steps under way will sample: vLLM's output placeholders
	guesses   int // tokens proposed for the next step
	known     int // of computed, the most there was before a preemption
	blocks    []*oracleBlock
	hashed    int // of blocks, those with a name in the cache

	admitted, first, last float64
	preempted             []float64
	came                  []float64 // when tokens did
	lives                 int       // preemptions so far
}

// length is the number of tokens that exist, or will when the step under way ended.
func (r *oracleRequest) length() int { return r.prompt + r.generated + r.sampling }

func (r *oracleRequest) done() bool { return r.generated >= r.output }

// oraclePlan is what a scheduler decided for a step.
type oraclePlan struct {
	tasks   []oracleTask
	padding int     // rows of a batch for nobody
	read    int     // tokens of nobody whose keys and values are read
	blocks  int     // in use then, those of requests among them whose end is not known yet
	wake    float64 // when to look again if nothing arrives, where there is no task
}

// oracleTask is one sequence's share of a step.
type oracleTask struct {
	r       *oracleRequest
	tokens  int // to process
	guesses int // of these, those that the model may reject
	padding int // of these, those that are nobody's
	samples bool
	lives   int // of the request, by which a later preemption shows
}

// oracleStep is what a step did.
type oracleStep struct {
	start, end      float64
	work            hardware.Work
	running, blocks int
}

// task lets a sequence process n tokens, guesses among them.
func (o *oracle) task(r *oracleRequest, n int) oracleTask {
	guesses := max(0, r.computed+n-r.length())
	t := oracleTask{r: r, tokens: n, guesses: guesses, lives: r.lives}
	t.samples = r.computed+n >= r.length()
	r.computed += n
	r.guesses = 0
	if t.samples {
		r.sampling += 1 + guesses
		r.guesses = o.rules.guesses
	}
	return t
}

// admit moves the first waiting request to the batch.
func (o *oracle) admit() *oracleRequest {
	r := o.waiting[0]
	o.waiting = o.waiting[1:]
	o.running = append(o.running, r)
	return r
}

// preemptLast takes the memory of the request that was admitted last, and puts it
// before all who wait.
func (o *oracle) preemptLast() *oracleRequest {
	r := o.running[len(o.running)-1]
	o.running = o.running[:len(o.running)-1]
	o.waiting = slices.Insert(o.waiting, 0, r)
	o.pool.release(r)
	r.known = max(r.known, r.computed)
	r.computed, r.sampling, r.guesses = 0, 0, 0
	r.lives++
	o.victims = append(o.victims, r)
	return r
}

// run serves all requests. A synchronous engine plans a step when the one before
// has ended. An asynchronous one plans it when the one before begins, with what is
// known by then: vLLM's step_with_batch_queue keeps two batches in its queue
// (vllm/v1/engine/core.py).
func (o *oracle) run() {
	var ahead oraclePlan
	for {
		if len(ahead.tasks) == 0 {
			ahead = o.plan()
		}
		if len(ahead.tasks) == 0 {
			next := o.nextEvent(ahead.wake)
			if math.IsInf(next, 1) {
				return
			}
			o.now = next
			continue
		}
		plan := ahead
		o.begin(plan)
		ahead = oraclePlan{}
		if o.rules.async {
			ahead = o.plan()
		}
		o.now = o.steps[len(o.steps)-1].end
		o.finish(plan)
	}
}

// plan decides the next step, with all who have arrived by now.
func (o *oracle) plan() oraclePlan {
	for len(o.arriving) > 0 && o.arriving[0].arrival <= o.now {
		o.waiting = append(o.waiting, o.arriving[0])
		o.arriving = o.arriving[1:]
	}
	p := o.rules.scheduler(o)
	p.blocks = o.pool.used()
	return p
}

func (o *oracle) nextEvent(wake float64) float64 {
	next := math.Inf(1)
	if wake > o.now {
		next = wake
	}
	if len(o.arriving) > 0 {
		next = min(next, o.arriving[0].arrival)
	}
	return next
}

// begin notes what a step will do, which says how long it takes. A sequence that
// processes all that it has is a row of the decoding part when that is one token,
// beside its guesses; all else are chunks of prompts.
func (o *oracle) begin(p oraclePlan) {
	s := oracleStep{start: o.now, running: len(o.running) + len(o.static.ended), blocks: p.blocks}
	for _, r := range o.victims {
		if !r.done() { // a last token that came meanwhile left nothing to lose
			r.preempted = append(r.preempted, o.now)
		}
	}
	o.victims = nil
	w := &s.work
	w.PaddingRows, w.PaddingContext = p.padding, int64(p.read)
	for _, t := range p.tasks {
		if t.r.admitted < 0 {
			t.r.admitted = o.now
		}
		if t.samples {
			w.LogitRows += 1 + t.guesses
		}
		context := t.r.computed - t.tokens // without guesses that were rejected since the plan
		if t.r.done() {
			context = t.r.prompt + t.r.output - 1 // nor those behind the last token
		}
		if rows := t.tokens - t.guesses; t.samples && rows == 1 && context >= t.r.prompt {
			w.DecodeRows++
			w.DecodeContext += int64(context + 1)
			w.DraftRows += t.guesses
			w.DraftPasses = max(w.DraftPasses, t.guesses)
			for g := range t.guesses {
				w.DraftContext += int64(context + 2 + g)
			}
			continue
		}
		known := min(t.r.known, t.r.prompt+t.r.generated-1) // without guesses that turned out wrong
		again := min(max(0, known-context), t.tokens)
		w.Prefill = append(w.Prefill, hardware.Chunk{Context: context, Tokens: t.tokens + t.padding, Recomputed: again, Padding: t.padding})
	}
	if len(w.Prefill) > 0 {
		w.Rested = units.Seconds(s.start - o.prompted())
	}
	s.end = s.start + float64(o.cost.Step(w).Time)
	o.steps = append(o.steps, s)
}

// prompted is when the last step with a prompt ended.
func (o *oracle) prompted() float64 {
	for _, s := range slices.Backward(o.steps) {
		if len(s.work.Prefill) > 0 {
			return s.end
		}
	}
	return math.Inf(-1)
}

// finish hands out the tokens of a step, of guesses those that were right and the
// one behind, and lets requests go that have all of theirs.
func (o *oracle) finish(p oraclePlan) {
	for _, t := range p.tasks {
		r := t.r
		if !t.samples || r.done() { // by guesses of the step before
			continue
		}
		right := 0
		if t.guesses > 0 {
			right = o.accepted(r.id, r.generated-1, t.guesses)
		}
		if r.generated == 0 {
			r.first = o.now
		}
		r.came = append(r.came, o.now)
		r.generated = min(r.output, r.generated+1+right)
		if t.lives == r.lives { // what was rejected is computed again
			r.computed -= t.guesses - right
			r.sampling -= 1 + t.guesses
			if o.rules.async { // AsyncScheduler._update_request_with_output; else their turn names them
				o.pool.register(r, min(r.computed-r.sampling, r.prompt+r.generated-1))
			}
		}
		if r.done() {
			r.last = o.now
			o.leave(r)
		}
	}
}

// leave takes a request that has ended from the batch, or from the queue, should it
// have been preempted meanwhile.
func (o *oracle) leave(r *oracleRequest) {
	is := func(other *oracleRequest) bool { return other == r }
	o.running = slices.DeleteFunc(o.running, is)
	o.waiting = slices.DeleteFunc(o.waiting, is)
	o.static.leave(o, r)
}
