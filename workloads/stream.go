package workloads

import (
	"hash/fnv"
	"math/rand/v2"
)

// The purposes for which random numbers are drawn.
const (
	StreamArrivals      = "arrivals"
	StreamPhases        = "arrival phases"
	StreamModulation    = "arrival modulation"
	StreamInputLengths  = "input lengths"
	StreamOutputLengths = "output lengths"
	StreamPrefixes      = "prefixes"
	StreamTicks         = "clock ticks"
	StreamClients       = "clients"
	StreamTurns         = "turns"
	StreamThinkTimes    = "think times"
	StreamStarts        = "starts of clients"
	StreamPlaces        = "turns at which users join"
	StreamPredictions   = "predicted output lengths"
	StreamRouting       = "routing"
	StreamStartups      = "startups of replicas"
	StreamFailures      = "failures of replicas"
	StreamRepairs       = "repairs of replicas"
	StreamRegret        = "requests looked back at"
	StreamServeGen      = "requests of ServeGen's clients"
)

// Stream returns the random numbers for one purpose in one replication of an
// experiment. Streams that differ in seed, replication or purpose are
// independent for every practical purpose: the three are mixed into the 128
// bits of a PCG generator's state.
func Stream(seed uint64, replication int, purpose string) *rand.Rand {
	return generator(state(seed, replication, purpose))
}

// StreamOf returns the random numbers of one request for one purpose. They do not
// depend on who asked before.
func StreamOf(seed uint64, replication int, purpose string, request int) *rand.Rand {
	return generator(mix(state(seed, replication, purpose) + uint64(request)))
}

func state(seed uint64, replication int, purpose string) uint64 {
	name := fnv.New64a()
	name.Write([]byte(purpose))
	return mix(mix(mix(seed)+uint64(replication)) + name.Sum64())
}

func generator(state uint64) *rand.Rand { return rand.New(rand.NewPCG(state, mix(state))) }

// mix is one step of SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable
// pseudorandom number generators"): a bijection in which every input bit
// changes about half of the output bits.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
