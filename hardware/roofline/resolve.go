package roofline

import (
	"cmp"
	"slices"

	"kneepoint/hardware"
)

// Resolve fills in the defaults, and the constants that the deployment needs from
// the catalogs of package hardware where it has none. What New makes of the result
// depends on nothing else: neither on a catalog nor on a file. Errors are those of
// New.
func (d Deployment) Resolve() (Deployment, error) {
	d = d.withDefaults()
	if !d.Constants.absent() {
		return d, nil
	}
	found := catalogs{accelerator: &d.Accelerator, backend: d.Engine.Backend}
	if _, err := assemble(d, &found); err != nil {
		return Deployment{}, err
	}
	d.Constants = found.sorted()
	return d, nil
}

// catalogs looks constants up, and notes which ones were asked for.
type catalogs struct {
	accelerator *hardware.Accelerator
	backend     string
	asked       Constants
}

func (c *catalogs) kernel(op hardware.Operator, format string) (Kernel, error) {
	if k, err := c.asked.kernel(op, format); err == nil {
		return k, nil
	}
	e, estimated, err := hardware.LookupEfficiency(op, c.accelerator, c.backend, format)
	k := Kernel{op, format, e, estimated}
	c.asked.Kernels = append(c.asked.Kernels, k)
	return k, err
}

func (c *catalogs) collective(op hardware.Operation, library string, accelerators int) (Collective, error) {
	if k, err := c.asked.collective(op, library, accelerators); err == nil {
		return k, nil
	}
	found, estimated, err := hardware.LookupCollective(op, c.accelerator, library, accelerators)
	k := Collective{op, library, accelerators, found, estimated}
	c.asked.Collectives = append(c.asked.Collectives, k)
	return k, err
}

func (c *catalogs) network(library string) (Network, error) {
	if n, err := c.asked.network(library); err == nil {
		return n, nil
	}
	found, estimated, err := c.accelerator.Network.Collective(library)
	n := Network{library, found, estimated}
	c.asked.Networks = append(c.asked.Networks, n)
	return n, err
}

// sorted is what was asked for, in an order that does not depend on how a model
// is built: equal deployments have equal constants.
func (c *catalogs) sorted() Constants {
	slices.SortFunc(c.asked.Kernels, func(a, b Kernel) int {
		return cmp.Or(cmp.Compare(a.Operator, b.Operator), cmp.Compare(a.Format, b.Format))
	})
	slices.SortFunc(c.asked.Collectives, func(a, b Collective) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Library, b.Library), cmp.Compare(a.Accelerators, b.Accelerators))
	})
	slices.SortFunc(c.asked.Networks, func(a, b Network) int { return cmp.Compare(a.Library, b.Library) })
	return c.asked
}
