package roofline

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units"
)

// group is accelerators that work together: size of them, at every stride-th
// place. Places are given to tensor parallelism first, then to data parallelism,
// then to the stages of a pipeline, and a server takes whole ones of these where
// they fit.
type group struct{ size, stride int }

func (d *Deployment) tensorGroup() group { return group{d.TP, 1} }
func (d *Deployment) dataGroup() group   { return group{d.DP, d.TP} }
func (d *Deployment) stageGroup() group  { return group{d.ranks(), 1} }

// perServer is how many of a stage's group are in one server.
func (d *Deployment) perServer(g group) int {
	server := d.Accelerator.Server()
	if d.TP <= server {
		server -= server % d.TP
	}
	return max(1, min(g.size, server/g.stride))
}

// servers is the number of servers over which a stage's group spreads.
func (d *Deployment) servers(g group) int {
	n := d.perServer(g)
	return (g.size + n - 1) / n
}

// transfers are those of a collective over a group, by which each of its
// accelerators has the data, or gives them away: all together, n times what one
// has its own. A group in one server needs one. Over several servers with n of
// the group in each, the collective is hierarchical: within the servers the data
// are scattered or gathered, and between servers each accelerator exchanges its
// n-th part with those at its place in the others:
//
//	all-reduce      reduce-scatter within, all-reduce between, all-gather within
//	all-gather      all-gather between, all-gather within
//	reduce-scatter  reduce-scatter within, reduce-scatter between
func (m *Model) transfers(op hardware.Operation, g group, data float64) ([]transfer, error) {
	d := &m.deployment
	servers, n := d.servers(g), d.perServer(g)
	if servers == 1 {
		return m.within(op, g.size*g.stride, op.Sent(g.size)*data)
	}
	between, err := m.between(op.Words(), op, op.Sent(servers)*data/float64(n))
	if err != nil || n == 1 {
		return between, err
	}
	var before, after []transfer
	if op != hardware.AllGather {
		before, err = m.within(hardware.ReduceScatter, n*g.stride, hardware.ReduceScatter.Sent(n)*data)
	}
	if op != hardware.ReduceScatter && err == nil {
		after, err = m.within(hardware.AllGather, n*g.stride, hardware.AllGather.Sent(n)*data)
	}
	return append(append(before, between...), after...), err
}

// scatter sends tokens to where their experts are, of which each accelerator has so many bytes, to every group once; the results
// come back the same way. Between servers a token goes once to each server with an expert of it, to the accelerator at its
// own place there, which hands it on within the server.
//
// Source: deepseek-ai/DeepEP, README.md and csrc/kernels/internode.cu (dispatch and combine of the normal kernels).
func (m *Model) scatter(bytes float64) ([]transfer, error) {
	g := m.deployment.stageGroup()
	servers, n := m.deployment.servers(g), m.deployment.perServer(g)
	groups := m.experts.groups
	elsewhere := func(shares float64) float64 { return m.experts.reached(shares) * (1 - 1/shares) }
	if servers == 1 {
		return m.within(hardware.AllToAll, n, elsewhere(groups)*bytes)
	}
	between, err := m.between(hardware.AllToAll.Words(), hardware.AllToAll, elsewhere(min(groups, float64(servers)))*bytes)
	if err != nil || n == 1 {
		return between, err
	}
	inside, err := m.within(hardware.AllToAll, n, m.experts.reached(groups)*(1-1/float64(n))*bytes)
	return append(inside, between...), err
}

// within is a collective over n accelerators of a server, each of which sends
// bytes.
func (m *Model) within(op hardware.Operation, n int, bytes float64) ([]transfer, error) {
	c, err := m.constants.collective(op, m.library(op), n)
	if err != nil {
		return nil, err
	}
	m.estimate(c.Estimated)
	link, _ := m.deployment.Accelerator.Interconnect(n)
	return []transfer{{units.Bytes(bytes), c.Collective, link}}, nil
}

// between is what words say, over the network between servers.
func (m *Model) between(words string, op hardware.Operation, bytes float64) ([]transfer, error) {
	a := &m.deployment.Accelerator
	c, err := m.constants.network(m.library(op))
	if err != nil {
		return nil, err
	}
	link, _ := a.Interconnect(a.Server() + 1)
	if c.Estimated {
		m.estimate(fmt.Sprintf("%s between servers of %s over %s: class default", words, a.Name, link.Name))
	}
	return []transfer{{units.Bytes(bytes), c.Collective, link}}, nil
}

// library is that of the engine's all-reduce; NCCL for everything else.
func (m *Model) library(op hardware.Operation) string {
	library := m.deployment.Engine.AllReduce
	if op != hardware.AllReduce && library != hardware.IdealLibrary {
		return hardware.NCCL
	}
	return library
}
