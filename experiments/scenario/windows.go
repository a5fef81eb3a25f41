package scenario

import "kneepoint/sim"

// freesWindows tells whether blocks come free that layers with sliding-window attention
// do not attend to any more: where memory is taken as tokens come, and nobody finds or
// moves what a sequence held. Requests that share no tokens find nothing, so that
// prefix caching stands in the way only where some do.
func (s *Strategy) freesWindows(e *entries, shared bool) bool {
	return !e.reservation.Whole && s.Offload == "none" && s.Speculation == nil && (e.eviction == nil || !shared)
}

// freeWindows lets the pool's blocks behind windows come free. Without windows nothing
// changes. A sequence that is preempted computes all of it again, since it
// has lost the start of what a cache could find.
func (s *Strategy) freeWindows(p *sim.Pool, e *entries, r *server) {
	windows, blocks := r.windowed(p.Blocks)
	if windows.Groups == 0 {
		return
	}
	p.Windows, p.Blocks, p.Eviction = windows, blocks, nil
	if e.scheduler.Chunks {
		_, p.Chunk, _ = s.limits(e, r)
	}
}

// keptWindows is what is assumed where blocks behind windows do not come free.
const keptWindows = "layers with a sliding window keep the keys and values behind it " +
	"(memory is reserved or moved, prompts are shared or computed apart, or tokens are guessed)"

// outgrowsWindow tells whether sequences may get longer than the window of a layer. What an indexer
// selects is no window: all is kept.
func (r *server) outgrowsWindow() bool {
	if r.deployment != nil && r.deployment.Architecture.Indexer != nil {
		return false
	}
	return r.cost.Window() > 0 && r.context > r.cost.Window()
}
