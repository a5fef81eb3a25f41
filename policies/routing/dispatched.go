package routing

// dispatched is what a router has sent to each replica, by number. Engines take requests in
// order of arrival: of n that wait at a replica, they are the last n that were sent there.
type dispatched []history

// history is the requests that were sent to one replica, as running totals.
type history struct {
	totals  []tokens
	longest int // so many of the last ones were asked for
}

// tokens are those of prompts, and those of them that were not cached when they were sent.
type tokens struct{ prompt, uncached int }

// add takes note of a request.
func (d *dispatched) add(number int, t tokens) {
	*d = grown(*d, number)
	h := &(*d)[number]
	if len(h.totals) == 0 {
		h.totals = append(h.totals, tokens{})
	}
	if keep := h.longest + 1024; len(h.totals) > 2*keep {
		h.totals = append(h.totals[:0], h.totals[len(h.totals)-keep:]...)
	}
	last := h.totals[len(h.totals)-1]
	h.totals = append(h.totals, tokens{prompt: last.prompt + t.prompt, uncached: last.uncached + t.uncached})
}

// last is the sum of the last n requests that were sent to a replica.
func (d dispatched) last(number, n int) tokens {
	if number >= len(d) || len(d[number].totals) == 0 {
		return tokens{}
	}
	h := &d[number]
	h.longest = max(h.longest, n)
	to := len(h.totals) - 1
	from := max(0, to-n)
	return tokens{prompt: h.totals[to].prompt - h.totals[from].prompt, uncached: h.totals[to].uncached - h.totals[from].uncached}
}
