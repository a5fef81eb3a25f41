package scenario

import (
	"testing"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// TestEndOfAll: a warm-up is over with the last token of its requests, those apart that were refused; one that has not ended may
// have tokens until the run is over.
func TestEndOfAll(t *testing.T) {
	ended, later := metrics.Request{State: metrics.Completed, Last: 5}, metrics.Request{State: metrics.Completed, Last: 7}
	refused, full := metrics.Request{State: metrics.Rejected}, metrics.Request{State: metrics.QueueFull}
	for name, c := range map[string]struct {
		requests []metrics.Request
		want     units.Seconds
	}{
		"the last one counts":     {[]metrics.Request{later, ended}, 7},
		"those refused have none": {[]metrics.Request{ended, refused, full}, 5},
		"one goes on":             {[]metrics.Request{ended, {State: metrics.Unfinished, Last: 6}, later}, 0},
		"one gave up":             {[]metrics.Request{ended, {State: metrics.TimedOut}}, 0},
		"one was lost":            {[]metrics.Request{{State: metrics.Lost, Last: 6}, later}, 0},
		"nobody had a token":      {[]metrics.Request{refused, full}, 0},
	} {
		if got := endOfAll(c.requests); got != c.want {
			t.Errorf("%s: the warm-up is over at %v, want %v", name, got, c.want)
		}
	}
}
