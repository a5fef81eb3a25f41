package hardware

import "kneepoint/units"

// Link is a connection between accelerators, or between one and its host.
type Link struct {
	Name      string               `toml:"name"`
	Bandwidth units.BytesPerSecond `toml:"bandwidth" check:"positive"` // per accelerator and direction
	World     int                  `toml:"world" check:"nonnegative"`  // accelerators that it joins; of a host link, that share it
}

// Network joins servers: InfiniBand, or Ethernet.
type Network struct {
	Name      string               `toml:"name"`
	Bandwidth units.BytesPerSecond `toml:"bandwidth" check:"positive" required:"true"` // per accelerator and direction
	Server    int                  `toml:"server" check:"positive"`                    // accelerators of a server; 0: as many as the links within it join

	// A collective's Latency, and the Fraction of the bandwidth that it reaches; 0:
	// as NCCL with RDMA does.
	Latency  units.Seconds `toml:"latency" check:"positive"`
	Fraction float64       `toml:"fraction" check:"share"`
}

// serverSize is the number of accelerators that share a host's PCIe fabric.
const serverSize = 8

// Server is the number of accelerators of one server: what the network says, or
// as many as the scale-up link and the host's PCIe fabric join.
func (a *Accelerator) Server() int {
	if a.Network != nil && a.Network.Server > 0 {
		return a.Network.Server
	}
	return a.joined()
}

// joined is the number of accelerators that the links within a server join.
func (a *Accelerator) joined() int {
	if a.HostLink.Bandwidth > 0 {
		return max(serverSize, a.ScaleUp.World)
	}
	return max(1, a.ScaleUp.World)
}

// Interconnect is the slowest link that n accelerators need to work on one
// model: the scale-up link where it joins that many, the host link (PCIe) within
// a server, the network beyond. It is false where nothing joins them; one alone
// needs none.
func (a *Accelerator) Interconnect(n int) (link Link, ok bool) {
	switch {
	case n <= 1:
		return Link{}, n == 1
	case n > a.Server():
		return a.network()
	case n <= a.ScaleUp.World:
		return a.ScaleUp, true
	default:
		return Link{Name: a.HostLink.Name, Bandwidth: a.HostLink.Bandwidth, World: a.Server()}, true
	}
}

// Between is the link between the accelerators at two places, where each server
// and each scale-up link joins neighbouring places. It is false where nothing
// joins them.
func (a *Accelerator) Between(from, to int) (link Link, ok bool) {
	server, world := a.Server(), max(1, a.ScaleUp.World)
	switch {
	case from/server != to/server:
		return a.network()
	case from%server/world == to%server/world:
		return a.ScaleUp, true
	default:
		return a.Interconnect(server)
	}
}

// network is the network as a link.
func (a *Accelerator) network() (link Link, ok bool) {
	if a.Network == nil {
		return Link{}, false
	}
	return Link{Name: a.Network.Name, Bandwidth: a.Network.Bandwidth}, true
}
