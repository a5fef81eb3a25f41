package sim

import "kneepoint/units"

// link is one direction between a tier and the accelerators: a queue that sends one
// transfer after the other, in the order in which they were given to it. Latency
// passes beside the next transfer.
//
// Source: vllm/v1/kv_offload/cpu/gpu_worker.py, SingleDirectionOffloadingHandler.
type link struct {
	bandwidth units.BytesPerSecond
	latency   units.Seconds
	free      units.Seconds // when all has been sent that was given to it so far
}

// sent is when a number of bytes given to it now would have been sent:
//
//	max(now, free) + bytes / bandwidth
func (l *link) sent(now units.Seconds, bytes units.Bytes) units.Seconds {
	return max(now, l.free) + bytes.At(l.bandwidth)
}

// wait is how long a number of bytes given to it now would take to arrive.
func (l *link) wait(now units.Seconds, bytes units.Bytes) units.Seconds {
	return l.sent(now, bytes) + l.latency - now
}

// send gives it a number of bytes now, and returns when they arrive.
func (l *link) send(now units.Seconds, bytes units.Bytes) units.Seconds {
	l.free = l.sent(now, bytes)
	return l.free + l.latency
}

// duplex is both directions between a tier and the accelerators, which do not
// hold each other up: in is to the accelerators, out from them.
type duplex struct{ in, out link }

func newLinks(tiers []Tier) []duplex {
	links := make([]duplex, len(tiers))
	for i, t := range tiers {
		links[i] = duplex{in: link{bandwidth: t.Bandwidth, latency: t.Latency}, out: link{bandwidth: t.Out(), latency: t.Latency}}
	}
	return links
}

// sendSome is send for bytes that there may be none of, which arrive at once.
func (l *link) sendSome(now units.Seconds, bytes units.Bytes) units.Seconds {
	if bytes == 0 {
		return now
	}
	return l.send(now, bytes)
}
