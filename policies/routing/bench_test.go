package routing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// names are one for each block of a prompt.
type names struct {
	blocks    []int
	blockSize int
}

// At implements Content.
func (n *names) At(token int) int { return n.blocks[min(token/n.blockSize, len(n.blocks)-1)] }

// conversations are prompts of a number of blocks of 16 tokens, in ten turns each that
// grow by a tenth; all begin with one of ten system prompts of a quarter of the blocks.
func conversations(blocks, requests int) []*Request {
	random, all := rand.New(rand.NewPCG(1, 2)), make([]*Request, requests)
	system, open, next := blocks/4, make([]*names, 200), 1<<20
	for id := range all {
		s := random.IntN(len(open))
		if open[s] == nil || len(open[s].blocks) >= blocks {
			first := random.IntN(10)
			open[s] = &names{blockSize: 16}
			for b := range system {
				open[s].blocks = append(open[s].blocks, first*system+b)
			}
		}
		c := &names{blockSize: 16, blocks: append([]int(nil), open[s].blocks...)}
		for range max(1, blocks/10) {
			next++
			c.blocks = append(c.blocks, next)
		}
		open[s] = c
		all[id] = &Request{ID: id, Session: s, Prompt: 16*len(c.blocks) + 5, Content: c, Named: 16 * len(c.blocks)}
	}
	return all
}

// BenchmarkRoute is the time of a request of which a router knows 64 replicas.
func BenchmarkRoute(b *testing.B) {
	for _, e := range Routers {
		for _, blocks := range []int{32, 400} {
			if !e.PrefixCaching && blocks > 32 {
				continue
			}
			b.Run(fmt.Sprintf("%s/%d", e.Name, blocks), func(b *testing.B) {
				f, requests := alike(64), conversations(blocks, 20000)
				router := e.New(e.Defaults, seeded(1))
				load := make([]int, 0, 1000) // the last thousand requests are at the replicas
				for i := 0; b.Loop(); i++ {
					to := router.Route(requests[i%len(requests)], f)
					if f[to].Running++; len(load) < cap(load) {
						load = append(load, to)
						continue
					}
					f[load[i%cap(load)]].Running--
					load[i%cap(load)] = to
				}
			})
		}
	}
}

// BenchmarkApproximate is the time of a match and of an insertion, with as many blocks of
// each of 64 replicas remembered as an H100 has for an 8B model.
func BenchmarkApproximate(b *testing.B) {
	for _, capacity := range []int{31250, math.MaxInt} {
		for _, blocks := range []int{32, 400} {
			b.Run(fmt.Sprintf("capacity %d/%d blocks", capacity, blocks), func(b *testing.B) {
				f, requests := alike(64), conversations(blocks, 50000)
				a := &Approximate{BlockSize: 16, Capacity: capacity}
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					r := requests[i%len(requests)]
					a.Match(r, f)
					a.Sent(r.Session % 64)
				}
			})
		}
	}
}
