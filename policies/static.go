package policies

import "kneepoint/units"

var staticScheduler = Scheduler{
	Description: Description{Name: "static", Key: "batching",
		Doc:  "collects a batch, prefills it at once, decodes until its longest member ends",
		Keys: []string{"max_num_seqs", "max_wait", "padded", "order"}},
	New: func(p Parameters) Batching {
		return &Static{
			BatchSize: p.MaxNumSeqs,
			MaxWait:   p.MaxWait,
			Padded:    p.Padded,
			Packed:    p.Packed,
			ByToken:   p.ByToken,
			Reads:     p.Reads,
			Longest:   p.Longest,
		}
	},
	Static:        true,
	Reserve:       "oracle",
	NeverPreempts: "a static batch cannot give memory back",
	NoPrefixCache: true,
	WholeRequests: true,
}

// Static is request-level batching: a batch is collected, prefilled in one
// step, and decoded until its longest member ends; only then does the next one
// start. It is what serving looked like before iteration-level scheduling, for
// example in FasterTransformer behind a dynamic batcher.
//
// Memory is set aside for a whole sequence at once, for as many tokens as the
// request may come to have (see Reservation), so that a batch never runs out.
// The batch is the longest prefix of the queue that fits.
type Static struct {
	BatchSize int // sequences in a batch at most

	// MaxWait is how long an incomplete batch waits for more requests, from the
	// moment at which the replica is idle and has one. With 0 it starts
	// with what there is.
	MaxWait units.Seconds

	// Padded makes the batch a rectangle, as frameworks with static shapes do:
	// every prompt is computed at the length of the longest one, every sequence
	// holds memory for the longest prompt and the longest output, and the rows
	// of sequences that have ended are computed until the batch ends.
	Padded bool

	// Packed computes prompts at their own length all the same, one behind the other.
	Packed bool

	// ByToken computes at once as many tokens of each prompt as the shortest of the batch
	// has, and the rest of the longer ones a token a step, beside the decodes of others.
	ByToken bool

	// Reads is what a padded batch reads beyond its sequences' own keys and values.
	Reads PaddedReads

	// Longest bounds the memory of a padded sequence in tokens: no sequence gets
	// longer, whatever the longest prompt and the longest output sum up to. 0: none.
	Longest int

	size       int  // of the current batch
	prompt     int  // its longest one
	held       Held // what kept it from being larger
	collecting bool
	due        units.Seconds // end of the wait, while collecting
}

// PaddedReads are keys and values of nobody that the decode steps of a padded batch
// read.
type PaddedReads uint8

const (
	ReadOwn     PaddedReads = iota // none
	ReadPrompts                    // the padding of prompts, of sequences that go on
	ReadRows                       // the whole rectangle: rows of sequences that have ended, too
)

// Plan implements Batching.
func (p *Static) Plan(v *View, d *Decision) {
	if len(v.Running) > 0 {
		p.decode(v, d)
		return
	}
	if v.Waiting.Len() == 0 {
		return
	}
	if !p.collecting {
		p.collecting, p.due = true, v.Now+p.MaxWait
	}
	if v.Waiting.Len() < p.BatchSize && v.Now < p.due {
		d.Wake = p.due
		return
	}
	p.collecting = false
	p.startBatch(v, d)
}

// Totals implements Batching. What a padded batch reads besides depends on the prompts
// of those that go on, and prompts that come by token are several.
func (p *Static) Totals() Aggregating {
	if p.Padded && p.Reads != ReadOwn || p.ByToken {
		return nil
	}
	return p
}

// PlanAggregate implements Aggregating: a running batch decodes, whatever waits.
func (p *Static) PlanAggregate(v *Aggregate, d *Decision) bool {
	if v.Prefilling != nil {
		return false
	}
	if v.Decoding+v.Ended == 0 {
		p.Plan(&v.View, d)
		return true
	}
	d.Held = p.held
	if p.Padded {
		d.PaddingRows = p.size - v.Decoding
	}
	return true
}

// decode advances every sequence of the batch by a token. The batch is in one
// stage of a pipeline at a time.
func (p *Static) decode(v *View, d *Decision) {
	d.Held = p.held
	if v.Running[0].InFlight > 0 {
		return
	}
	for _, s := range v.Running {
		if !s.Ended {
			d.Tasks = append(d.Tasks, Task{Sequence: s, Tokens: 1, Blocks: s.Blocks})
		}
	}
	if p.Padded {
		d.PaddingRows = p.size - len(d.Tasks)
		p.readPadding(d)
	}
}

// readPadding adds the keys and values of nobody that a decode step reads. All
// sequences have generated as much as the first.
func (p *Static) readPadding(d *Decision) {
	if p.Reads == ReadOwn || len(d.Tasks) == 0 {
		return
	}
	for i := range d.Tasks {
		d.PaddingContext += int64(p.prompt - d.Tasks[i].Sequence.Prompt)
	}
	if p.Reads == ReadRows {
		d.PaddingContext += int64(d.PaddingRows) * int64(p.prompt+d.Tasks[0].Sequence.Generated)
		d.PaddingGrowth = d.PaddingRows
	}
}

// startBatch forms a batch from the front of the queue and prefills it.
func (p *Static) startBatch(v *View, d *Decision) {
	shape := shape{view: v, padded: p.Padded, longest: p.Longest}
	for d.Admit < min(p.BatchSize, v.Waiting.Len()) {
		s := v.Waiting.At(d.Admit)
		if !shape.addSequence(s) {
			d.Held = HeldByMemory
			break
		}
		d.admitWith(Task{Sequence: s, Tokens: s.Pending()})
	}
	for i := range d.Tasks {
		t := &d.Tasks[i]
		t.Blocks = shape.blocksOf(t.Sequence)
		if p.ByToken {
			t.Tokens = shape.shortest
			continue
		}
		if p.Padded && !p.Packed {
			t.Padding = shape.prompt - t.Tokens
		}
	}
	d.noteSlots(v, 0, p.BatchSize)
	p.size, p.prompt, p.held = d.Admit, shape.prompt, d.Held
}

// shape is the memory that a batch needs.
type shape struct {
	view     *View
	padded   bool
	longest  int // bound of a padded sequence; 0: none
	rows     int
	prompt   int // the longest
	shortest int // prompt
	output   int // the longest that memory is reserved for
	total    int // blocks, when not padded
}

// rowBlocks is the number of blocks of a padded sequence.
func (b *shape) rowBlocks() int {
	tokens := b.prompt + b.output
	if b.longest > 0 {
		tokens = min(tokens, b.longest)
	}
	return b.view.BlocksFor(tokens)
}

// addSequence puts s into the batch if it still fits.
func (b *shape) addSequence(s *Sequence) bool {
	next := *b
	next.rows++
	next.prompt, next.shortest = max(b.prompt, s.Prompt), s.Prompt
	if b.rows > 0 {
		next.shortest = min(b.shortest, s.Prompt)
	}
	next.output = max(b.output, s.Reserved-s.Prompt)
	next.total += b.view.BlocksFor(s.Reserved)
	need := next.total
	if b.padded {
		need = next.rows * next.rowBlocks()
	}
	if need > b.view.FreeBlocks {
		return false
	}
	*b = next
	return true
}

// blocksOf is the number of blocks that s holds until the batch ends.
func (b *shape) blocksOf(s *Sequence) int {
	if b.padded {
		return b.rowBlocks()
	}
	return b.view.BlocksFor(s.Reserved)
}
