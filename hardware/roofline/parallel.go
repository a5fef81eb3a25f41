package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// Accelerators is the number of accelerators of the replica.
func (d *Deployment) Accelerators() int { return d.ranks() * d.PP }

// ranks is the number of accelerators of one pipeline stage.
func (d *Deployment) ranks() int { return d.TP * d.DP }

// expertTP is the number of accelerators that share one expert's matrices.
func (d *Deployment) expertTP() int { return d.ranks() / d.EP }

func (d *Deployment) checkParallelism() error {
	if d.TP < 1 {
		return &badinput.Error{Key: "hardware.tp", Value: d.TP, Problem: "must be greater than 0", Allowed: intList(d.workingTPs())}
	}
	if !d.joined(d.TP) {
		return &badinput.Error{Key: "hardware.tp", Value: d.TP, Problem: d.separate("tp", d.TP), Allowed: intList(d.workingTPs()) + orNetwork()}
	}
	if !d.splits(d.TP) {
		return &badinput.Error{Key: "hardware.tp", Value: d.TP,
			Problem: fmt.Sprintf("%d heads and %d KV heads of %s cannot be split so", d.Architecture.Heads,
				d.Architecture.KVHeads, d.Architecture.Name),
			Allowed: intList(d.workingTPs())}
	}
	if d.PP < 1 || d.PP > d.Architecture.Layers {
		return &badinput.Error{Key: "hardware.pp", Value: d.PP,
			Problem: fmt.Sprintf("%s has %d layers", d.Architecture.Name, d.Architecture.Layers),
			Allowed: fmt.Sprintf("1 to %d", d.Architecture.Layers)}
	}
	if err := d.checkExpertParallelism(); err != nil {
		return err
	}
	if !d.joined(d.Accelerators()) {
		key, value := "hardware.dp", d.DP
		if d.PP > 1 {
			key, value = "hardware.pp", d.PP
		}
		return &badinput.Error{Key: key, Value: value, Problem: d.separate("tp*dp*pp", d.Accelerators()),
			Allowed: fmt.Sprintf("%d accelerators in all", d.Accelerator.Server()) + orNetwork()}
	}
	return nil
}

// joined reports whether links join n accelerators.
func (d *Deployment) joined(n int) bool {
	_, ok := d.Accelerator.Interconnect(n)
	return ok
}

// separate says that nothing joins n accelerators, the value of such a product.
func (d *Deployment) separate(product string, n int) string {
	return fmt.Sprintf("a server has %d %s, and no network joins servers for %s = %d", d.Accelerator.Server(), d.Accelerator.Name, product, n)
}

// orNetwork says how to give a network.
func orNetwork() string {
	return `; or a network, network = { bandwidth = "12.5GB/s" } in [hardware.custom]`
}

func (d *Deployment) checkExpertParallelism() error {
	a := &d.Architecture
	if a.Experts == nil {
		switch {
		case d.EP != 1:
			return &badinput.Error{Key: "hardware.ep", Value: d.EP, Problem: a.Name + " has no experts", Allowed: "1"}
		case d.DP != 1:
			return &badinput.Error{Key: "hardware.dp", Value: d.DP,
				Problem: a.Name + " has no experts to share among data-parallel groups", Allowed: "1, and hardware.replicas for more"}
		}
		return nil
	}
	if d.DP < 1 {
		return &badinput.Error{Key: "hardware.dp", Value: d.DP, Problem: "must be greater than 0"}
	}
	var fits []int
	for ep := 1; ep <= d.ranks(); ep++ {
		if d.ranks()%ep == 0 && a.Experts.Count%ep == 0 {
			fits = append(fits, ep)
		}
		if ep == d.EP && fits[len(fits)-1] == ep { // 1 fits always
			return nil
		}
	}
	return &badinput.Error{Key: "hardware.ep", Value: d.EP,
		Problem: fmt.Sprintf("%d experts on tp*dp = %d accelerators cannot be shared so", a.Experts.Count, d.ranks()),
		Allowed: intList(fits)}
}

// workingTPs lists the degrees of tensor parallelism that the model can be
// split into and links join: within a server, or over whole servers.
func (d *Deployment) workingTPs() []int {
	var tps []int
	server := d.Accelerator.Server()
	for tp := 1; tp <= d.Architecture.Heads; tp++ {
		if tp > server && tp%server > 0 {
			continue
		}
		if d.joined(tp*d.DP*d.PP) && d.splits(tp) && tp*d.DP%d.EP == 0 {
			tps = append(tps, tp)
		}
	}
	return tps
}

// splits reports whether the heads can be shared evenly by tp accelerators;
// where there are more accelerators than KV heads, each KV head is replicated.
// A latent vector serves all heads and is replicated everywhere.
func (d *Deployment) splits(tp int) bool {
	a := &d.Architecture
	if l := a.Linear; l != nil && !l.Splits(tp) {
		return false
	}
	if c := a.Compression; c != nil && c.Groups%tp > 0 {
		return false
	}
	return a.Heads%tp == 0 && (a.Latent != nil || a.KVHeads%tp == 0 || tp%a.KVHeads == 0)
}

// fastestLink is the fastest of the links that the replica uses, within servers
// and between them; zero for a single accelerator.
func (d *Deployment) fastestLink() hardware.Link {
	var fastest hardware.Link
	server := d.Accelerator.Server()
	for _, n := range []int{d.TP, d.ranks(), d.Accelerators(), min(2*d.ranks(), d.Accelerators())} {
		for _, n := range []int{n, min(n, server)} {
			if link, _ := d.Accelerator.Interconnect(n); n > 1 && link.Bandwidth > fastest.Bandwidth {
				fastest = link
			}
		}
	}
	return fastest
}
