package workloads

import "testing"

// TestRefusedClientsDoNotSendForEver: without num_requests, only time ends a
// closed loop, and a refusal takes none.
func TestRefusedClientsDoNotSendForEver(t *testing.T) {
	traffic := mustNew(t, "duration = '2s'\n[arrival]\nprocess = 'closed'\nstart = 'at_once'\nconcurrency = 3"+fixedLengths, 1)
	sent := 0
	for ; sent < 10000; sent++ {
		r, ok := traffic.Pop()
		if !ok {
			break
		}
		traffic.Done(r.ID, r.Arrival)
	}
	if sent != 3*2001 {
		t.Errorf("3 clients that were refused sent %d requests in 2 s, want %d", sent, 3*2001)
	}
}
