package hardware

import (
	"slices"
	"strings"

	"kneepoint/internal/catalog"
	"kneepoint/units"
)

// Collective says how fast accelerators combine their parts over a link:
//
//	t = Latency + volume/(Fraction*bandwidth)
//
// where volume is what an accelerator sends: 2(n-1)/n of the data for an
// all-reduce, (n-1)/n for the others. Libraries change their algorithm with the
// volume: from each of the larger ones on, its constants hold.
type Collective struct {
	Latency  units.Seconds
	Fraction float64 // of the link's bandwidth in one direction
	Larger   []LargerCollective
}

// LargerCollective is the constants of a collective from a volume on.
type LargerCollective struct {
	From     units.Bytes // that an accelerator sends; ascending in a collective
	Latency  units.Seconds
	Fraction float64
}

// Time is the duration for a volume sent per accelerator over the link: no less than a
// smaller volume's, which could be sent instead with something added to it.
func (c *Collective) Time(volume units.Bytes, link Link) units.Seconds {
	sent := func(latency units.Seconds, fraction float64, v units.Bytes) units.Seconds {
		return latency + units.Seconds(float64(v)/(float64(link.Bandwidth)*fraction))
	}
	latency, fraction, least := c.Latency, c.Fraction, units.Seconds(0)
	for i := range c.Larger {
		l := &c.Larger[i]
		if volume < l.From {
			break
		}
		least = max(least, sent(latency, fraction, l.From))
		latency, fraction = l.Latency, l.Fraction
	}
	return max(least, sent(latency, fraction, volume))
}

// LatencyOf is the part of Time that does not depend on the link.
func (c *Collective) LatencyOf(volume units.Bytes) units.Seconds {
	latency := c.Latency
	for i := range c.Larger {
		if volume >= c.Larger[i].From {
			latency = c.Larger[i].Latency
		}
	}
	return latency
}

// Faster is the collective with its shares of the bandwidth times a factor, 1 at most.
func (c *Collective) Faster(factor float64) Collective {
	scaled := Collective{Latency: c.Latency, Fraction: min(c.Fraction*factor, 1), Larger: slices.Clone(c.Larger)}
	for i := range scaled.Larger {
		scaled.Larger[i].Fraction = min(scaled.Larger[i].Fraction*factor, 1)
	}
	return scaled
}

// Operation is a kind of collective with constants of its own.
type Operation string

// The operations of the collective tables.
const (
	AllReduce     Operation = "all_reduce"
	AllGather     Operation = "all_gather"
	ReduceScatter Operation = "reduce_scatter"
	AllToAll      Operation = "all_to_all"
)

// Libraries that have constants for every operation.
const (
	NCCL         = "nccl"
	IdealLibrary = "ideal" // no latency, the link's full bandwidth
)

// Collective returns the constants of a library between servers, the same for
// every operation: the network's own, or those of NCCL with RDMA, which are class
// defaults; the ideal library has none.
func (n *Network) Collective(library string) (c Collective, estimated bool, err error) {
	if library == IdealLibrary {
		return Collective{Fraction: 1}, false, nil
	}
	var class struct {
		LatencyUS float64 `toml:"t0_us"`
		Fraction  float64 `toml:"fraction"`
		Source    string  `toml:"source"`
	}
	if err := catalog.Decode(catalogFiles, "catalog/network.toml", &class); err != nil {
		return Collective{}, false, err
	}
	c = Collective{Latency: n.Latency, Fraction: n.Fraction}
	if c.Latency == 0 {
		c.Latency = units.Microseconds(class.LatencyUS)
	}
	if c.Fraction == 0 {
		c.Fraction = class.Fraction
	}
	return c, n.Latency == 0 || n.Fraction == 0, nil
}

// Sent is what each of n accelerators sends in a collective, as a part of the
// data: 2(n-1)/n in an all-reduce, (n-1)/n in the others.
func (op Operation) Sent(n int) float64 {
	if op == AllReduce {
		return 2 * float64(n-1) / float64(n)
	}
	return float64(n-1) / float64(n)
}

// Words is the operation's name in a sentence.
func (op Operation) Words() string { return strings.ReplaceAll(string(op), "_", "-") }
