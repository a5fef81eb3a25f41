package policies

// Aggregate is a View in which the sequences that decode appear only as
// totals. Its Running is not set.
type Aggregate struct {
	View
	Decoding   int       // sequences of the batch that have one pending token each
	Demand     int       // blocks that these need to process it
	Prefilling *Sequence // the youngest of the batch, when it does not decode; nil otherwise
}

// Aggregating decides from totals where it need not look at the sequences that
// decode, one by one.
type Aggregating interface {
	// PlanAggregate is false when Plan must decide. Otherwise d is what Plan
	// would decide, without the tasks of the sequences that decode: each of them
	// processes its token, or none does if d says Stall. If d holds no task at all,
	// the decision must stay the same in the steps that follow as long as nothing
	// arrives, no sequence ends, and the free blocks meet the demand: it is not
	// asked again, so that a thousand steps cost what one does.
	PlanAggregate(v *Aggregate, d *Decision) bool
}

// SequenceBySequence is embedded in a policy that never plans from totals.
type SequenceBySequence struct{}

// Totals implements Batching.
func (SequenceBySequence) Totals() Aggregating { return nil }
