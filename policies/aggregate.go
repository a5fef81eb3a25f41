package policies

// Aggregate is a View in which the sequences that decode appear only as
// totals. Its Running is not set, but Ended is.
type Aggregate struct {
	View
	Decoding   int       // sequences of the batch that have one pending token each
	Demand     int       // blocks that these need to process it
	Paged      int       // of these, the ones that have not reserved memory for their whole length
	Prefilling *Sequence // the youngest of the batch that has not ended, when it does not decode; nil: all do

	// Where sequences guess, Rows are those that do, and Context is the tokens that they
	// attend to together. Overrunning is the number of those besides Decoding that have ended
	// but have a task. The policy asks Rows for the demand.
	Rows        Rows
	Context     int64
	Overrunning int
}

// Aggregating decides from totals where it need not look at the sequences that
// decode, one by one.
type Aggregating interface {
	// PlanAggregate is false when Plan must decide. Otherwise d is what Plan
	// would decide, without the tasks of the sequences that decode: each of them
	// processes its token, or none does if d says Stall. If d holds no task at all,
	// the decision must stay the same in the steps that follow as long as nothing
	// arrives, no sequence ends, and the free blocks meet the demand: it is not
	// asked again, so that a thousand steps cost what one does. Where it wants d.Spare
	// blocks to stay free, that holds as long as so many are free beyond the demand.
	PlanAggregate(v *Aggregate, d *Decision) bool
}

// freeBlockEach tells whether every sequence that decodes finds a free block as its
// turn comes, whether it needs one or not: for sure where one more than the demand is
// free. It notes in d that this must stay so.
func (v *Aggregate) freeBlockEach(d *Decision) bool {
	if v.Paged == 0 || v.Decoding+v.Ended == 1 && v.Prefilling == nil {
		return v.Demand <= v.FreeBlocks
	}
	d.Spare = 1
	return v.Demand < v.FreeBlocks
}

// SequenceBySequence is embedded in a policy that never plans from totals.
type SequenceBySequence struct{}

// Totals implements Batching.
func (SequenceBySequence) Totals() Aggregating { return nil }
