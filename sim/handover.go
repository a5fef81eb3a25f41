package sim

import (
	"kneepoint/units"
	"kneepoint/workloads"
)

// handover is a request between the replica that computes its prompt and the one that
// generates the answer.
type handover struct {
	request workloads.Request

	before    *lost // what it had of it that was lost; nil: nothing
	generated int   // tokens of its answer with which it is passed on: one more

	from     *replica      // nil: the prompt is not computed yet
	kept     *sequence     // there, whose blocks are held until all has arrived
	last     units.Seconds // when the last token came
	computed int           // tokens whose keys and values are there
	tokens   float64       // the same in whole blocks
	early    early
	landed   bool
	lost     *loss // of its keys and values; nil: they are there, or have landed

	to       *replica  // nil: not known yet
	sequence *sequence // there, outside the batch, that waits; nil: has no blocks yet
	cached   float64   // share of the tokens that is cached there, and need not be sent
	delivery *delivery // nil: nothing is sent yet
}

// newHandover is that of a request whose prompt is to be computed.
func newHandover(v *visit) *handover {
	return &handover{request: v.Request, before: v.lost, generated: v.generated() + 1}
}

// cutOff is the loss of a link that a transfer would go over, where that is known; nil: none is.
func (h *handover) cutOff() *loss {
	if lost := h.from.connection.known(); lost != nil {
		return lost
	}
	return h.to.connection.known()
}

// toSend is how many tokens' keys and values are to be sent when the prompt is computed, and as many more as a state
// is as large as. That is in the memory of either side where it is more, which exceeds the other's where heads of keys and
// values are copied to several accelerators; it is complete with the last token, and nobody has it cached.
func (h *handover) toSend() float64 {
	return h.tokens*(1-h.cached) + max(h.from.pool.Sent.stateInTokens(), h.to.pool.Sent.stateInTokens())
}

// left is what a request has that was passed on, when its keys and values are lost.
func (h *handover) left() *lost {
	return &lost{generated: h.generated, computed: h.computed, last: h.last}
}

// again is the request that was passed on, without its keys and values.
func (h *handover) again() visit {
	return visit{Request: h.request, opened: true, counted: true, lost: h.left()}
}
