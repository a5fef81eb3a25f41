package policies

import "math/bits"

// Reservation says for how many tokens a sequence holds memory from admission
// on, given its prompt and the most tokens that it may generate. It is asked
// once, when the request arrives.
type Reservation func(prompt, maxOutput int) int

// NamedReservation is an entry of Reservations.
type NamedReservation struct {
	Description

	// New makes the rule for a replica in which no sequence gets longer than limit
	// tokens.
	New func(limit int) Reservation

	// Whole says that memory is set aside for whole sequences, so that
	// nobody runs out of it.
	Whole bool

	// Context says that model.max_model_len tokens are set aside for everybody: they
	// must be known, and fit.
	Context bool
}

// Reservations are all rules, in the order in which messages name them.
var Reservations = []NamedReservation{
	{
		Description: Description{
			Name: "paged",
			Key:  "reserve",
			Doc:  "KV blocks are taken as tokens come; the youngest sequence gives its own back when they run out",
		},
		New: func(int) Reservation { return ReservePaged },
	},
	{Description: Description{Name: "max", Key: "reserve", Doc: "memory for model.max_model_len tokens, from admission on"},
		New: ReserveMax, Whole: true, Context: true},
	{
		Description: Description{
			Name: "pow2",
			Key:  "reserve",
			Doc:  "memory for the prompt and the next power of two of the answer, from admission on",
		},
		New:   ReservePow2,
		Whole: true,
	},
	{Description: Description{Name: "oracle", Key: "reserve", Doc: "memory for the prompt and the answer, from admission on"},
		New: func(int) Reservation { return ReserveDeclared }, Whole: true},
}

// ReservePaged sets nothing aside: blocks are taken as tokens come.
func ReservePaged(int, int) int { return 0 }

// ReserveDeclared sets aside what the client declared as the longest answer.
// Clients of a benchmark declare exactly what will be generated, which makes
// this the oracle of the Orca comparison in the vLLM paper (SOSP 2023).
func ReserveDeclared(prompt, maxOutput int) int { return prompt + maxOutput }

// ReserveMax sets aside the whole context for everybody: Orca (Max) of the vLLM
// paper.
func ReserveMax(context int) Reservation {
	return func(int, int) int { return context }
}

// ReservePow2 sets aside the next power of two of the declared answer, as if its
// length were known to a factor of two, and no more than limit tokens in all:
// Orca (Pow2) of the vLLM paper.
func ReservePow2(limit int) Reservation {
	return func(prompt, maxOutput int) int { return min(prompt+pow2(maxOutput), limit) }
}

// Contiguous rounds what another Reservation sets aside up to the next power of
// two, but to no more than limit tokens: engines without paging keep a sequence in
// one piece, from a buddy allocator. How the pieces lie is not simulated.
// Source: section 6.1 of the vLLM paper, on its baselines.
func Contiguous(reserve Reservation, limit int) Reservation {
	return func(prompt, maxOutput int) int { return min(pow2(reserve(prompt, maxOutput)), limit) }
}

// pow2 is the least power of two from n on.
func pow2(n int) int { return 1 << bits.Len(uint(n-1)) }
