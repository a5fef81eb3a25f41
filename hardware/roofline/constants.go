package roofline

import (
	"fmt"

	"kneepoint/hardware"
)

// Constants are the measured constants that a deployment's cost model rests on:
// of the kernels that its steps launch and of the collectives that they wait for,
// each once. They are a value like the rest of a deployment, so that they can be
// varied, compared and written down; none at all means those of the catalogs.
type Constants struct {
	Kernels     []Kernel     // by operator and format
	Collectives []Collective // within a server, by operation, library and number of accelerators
	Networks    []Network    // between servers, by library
}

// Kernel is the constants of an operator's kernels in a format, as measured: the
// engine's share of them, hardware.Engine.ComputeEfficiency, comes on top.
type Kernel struct {
	Operator   hardware.Operator
	Format     string // as hardware.LookupEfficiency has it
	Efficiency hardware.Efficiency
	Estimated  string // what they rest on besides measurements of this case; empty: on those
}

// Collective is the constants of an operation over the links within a server.
type Collective struct {
	Operation    hardware.Operation
	Library      string
	Accelerators int
	Collective   hardware.Collective
	Estimated    string // as of a Kernel
}

// Network is the constants of a library's operations between servers.
type Network struct {
	Library    string
	Collective hardware.Collective
	Estimated  bool // whether they are a class default
}

// absent reports whether the constants have yet to be looked up: every
// deployment has kernels.
func (c *Constants) absent() bool { return len(c.Kernels) == 0 }

// constantSource is where a cost model gets its constants when it is built.
type constantSource interface {
	kernel(op hardware.Operator, format string) (Kernel, error)
	collective(op hardware.Operation, library string, accelerators int) (Collective, error)
	network(library string) (Network, error)
}

func (c *Constants) kernel(op hardware.Operator, format string) (Kernel, error) {
	for _, k := range c.Kernels {
		if k.Operator == op && k.Format == format {
			return k, nil
		}
	}
	return Kernel{}, fmt.Errorf("the deployment has no constants of %s in %s", op, format)
}

func (c *Constants) collective(op hardware.Operation, library string, accelerators int) (Collective, error) {
	for _, k := range c.Collectives {
		if k.Operation == op && k.Library == library && k.Accelerators == accelerators {
			return k, nil
		}
	}
	return Collective{}, fmt.Errorf("the deployment has no constants of %s by %s over %d", op.Words(), library, accelerators)
}

func (c *Constants) network(library string) (Network, error) {
	for _, n := range c.Networks {
		if n.Library == library {
			return n, nil
		}
	}
	return Network{}, fmt.Errorf("the deployment has no constants of %s between servers", library)
}
