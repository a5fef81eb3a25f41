package experiments

// Progress says how far the runs of an experiment are, in runs and in the requests that
// these have. Unless Options.Requests wants all in order, any part of the runs is like the
// rest, so that requests tell how much of the time is over.
type Progress struct {
	Done, Kept, Total                         int // runs that are done, those of them whose outcomes the store had before, and all
	DoneRequests, KeptRequests, TotalRequests int // of these runs
}

// add adds a run that has ended.
func (p *Progress) add(kept bool, requests int) {
	p.Done++
	p.DoneRequests += requests
	if kept {
		p.Kept++
		p.KeptRequests += requests
	}
}

// Searching says how far the search for knees is.
type Searching struct {
	Curve  string // whose knee it is
	Number int    // of the curve, from 1
	Curves int    // whose knees are searched
	Runs   int    // of the curve so far; nobody knows how many there will be

	BreakEven bool // it is a break-even with another strategy, and no knee
}
