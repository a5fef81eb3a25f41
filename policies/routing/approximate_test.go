package routing

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// library names the prefixes of texts.
type library map[string]int

// spelled is a prompt that has letters as its tokens.
type spelled struct {
	letters string
	names   library
}

// At implements Content.
func (t *spelled) At(token int) int {
	prefix := t.letters[:token+1]
	if _, known := t.names[prefix]; !known {
		t.names[prefix] = len(t.names)
	}
	return t.names[prefix]
}

// prompt is a request for a text of which so many letters have names.
func (l library) prompt(letters string, named int) *Request {
	return &Request{Prompt: len(letters), Session: -1, Content: &spelled{letters, l}, Named: named}
}

// record is what an approximate index should say, block by block: each replica has
// the blocks that were sent to it last, as many as it can.
type record struct {
	blockSize, capacity, maxPrefix int
	used                           map[int][]string // by number: blocks, the one used last first
	unnamed                        int
}

// blocks are those of a prompt, each with all before it, those without a name unlike any other.
func (h *record) blocks(letters string, named int) []string {
	var all []string
	for end := h.blockSize; end <= len(letters) && (h.maxPrefix == 0 || len(all) < h.maxPrefix); end += h.blockSize {
		if end <= named {
			all = append(all, letters[:end])
		} else {
			h.unnamed++
			all = append(all, strings.Repeat("?", h.unnamed))
		}
	}
	return all
}

func (h *record) match(number int, blocks []string) int {
	n := 0
	for n < len(blocks) && slices.Contains(h.used[number], blocks[n]) {
		n++
	}
	return n * h.blockSize
}

func (h *record) sent(r *replica, blocks []string) {
	used := slices.DeleteFunc(h.used[r.number], func(b string) bool { return slices.Contains(blocks, b) })
	used = append(slices.Clone(blocks), used...)
	capacity := h.capacity
	if capacity == 0 {
		capacity = r.TotalBlocks
	}
	h.used[r.number] = used[:min(len(used), capacity)]
}

// TestApproximate compares the index with the blocks of each replica in the order of their
// last use, over prompts that share beginnings, end within others, have no names
// behind some token, and replicas that come and go, and lose what they have.
func TestApproximate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := &record{
			blockSize: rapid.IntRange(1, 3).Draw(t, "block size"),
			capacity:  rapid.SampledFrom([]int{0, 1, 2, 5, 9, 1000}).Draw(t, "capacity"),
			maxPrefix: rapid.SampledFrom([]int{0, 0, 1, 4}).Draw(t, "max prefix"),
			used:      map[int][]string{},
		}
		a := &Approximate{BlockSize: h.blockSize, Capacity: h.capacity, MaxPrefix: h.maxPrefix}
		names, c := library{}, crowd{fleet: alike(rapid.IntRange(1, 4).Draw(t, "replicas"))}
		for i := range c.fleet {
			c.fleet[i].TotalBlocks = 6
		}
		for range 60 {
			c.change(t)
			f := c.fleet
			if rapid.IntRange(0, 9).Draw(t, "loss") == 0 {
				lost := rapid.SampledFrom(slices.Concat(c.away, f)).Draw(t, "lost").number
				a.Forget(lost)
				h.used[lost] = nil
			}
			letters := rapid.StringOfN(rapid.SampledFrom([]rune("aaaab")), 0, 20, -1).Draw(t, "prompt")
			named := rapid.SampledFrom([]int{0, len(letters) / 2, len(letters), len(letters) + 7}).Draw(t, "named")
			blocks := h.blocks(letters, named)
			got := a.Match(names.prompt(letters, named), f)
			for i, r := range f {
				if want := h.match(r.number, blocks); got[i] != want {
					t.Fatalf("replica %d has %d tokens of %q, want %d", r.number, got[i], letters, want)
				}
			}
			checkTree(t, a)
			if rapid.IntRange(0, 9).Draw(t, "nowhere") == 0 {
				continue
			}
			i := rapid.IntRange(0, len(f)-1).Draw(t, "to")
			a.Sent(i)
			h.sent(f[i], blocks)
			if got, want := a.Size(i), len(h.used[f[i].number]); got != want {
				t.Fatalf("replica %d has %d blocks, want %d", f[i].number, got, want)
			}
		}
	})
}

// TestKeepLast compares what is left with the blocks of the last requests of each replica.
func TestKeepLast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &record{blockSize: rapid.IntRange(1, 3).Draw(t, "block size"), used: map[int][]string{}}
		a := &Approximate{BlockSize: r.blockSize, Capacity: math.MaxInt}
		names, f := library{}, alike(3)
		sent := make([][][]string, len(f)) // to each replica, those that have not ended
		for range 60 {
			for i := range f {
				f[i].Running = rapid.IntRange(0, 6).Draw(t, "requests")
				sent[i] = sent[i][max(0, len(sent[i])-f[i].Running):]
				r.used[i] = slices.Concat(sent[i]...)
			}
			letters := rapid.StringOfN(rapid.SampledFrom([]rune("aaaab")), 0, 20, -1).Draw(t, "prompt")
			named := rapid.SampledFrom([]int{0, len(letters) / 2, len(letters)}).Draw(t, "named")
			blocks := r.blocks(letters, named)
			a.KeepLast(f)
			for i, got := range a.Match(names.prompt(letters, named), f) {
				if want := r.match(i, blocks); got != want {
					t.Fatalf("replica %d has %d tokens of %q in use, want %d", i, got, letters, want)
				}
			}
			checkTree(t, a)
			i := rapid.IntRange(0, len(f)-1).Draw(t, "to")
			a.Sent(i)
			sent[i] = append(sent[i], blocks)
		}
	})
}

// checkTree compares what replicas hold with what nodes are held by.
func checkTree(t *rapid.T, a *Approximate) {
	held := map[*holding]bool{}
	for at, n := range a.tree {
		if at != n.place(n.start) || len(n.holders) == 0 {
			t.Fatalf("a node of %d blocks at %v, with %d holders", n.blocks, at, len(n.holders))
		}
		for _, h := range n.holders {
			if h.node != n || h.blocks < 1 || h.blocks > n.blocks {
				t.Fatalf("%d of %d blocks held", h.blocks, n.blocks)
			}
			held[h] = true
		}
	}
	for _, c := range a.known {
		if c == nil {
			continue
		}
		blocks := 0
		for h := c.oldest(); h != &c.ring; h = h.newer {
			blocks += h.blocks
			if h.node != nil && !held[h] || h.newer.older != h || h.unnamed() && h.newer.unnamed() {
				t.Fatal("a holding that no node knows, or out of order")
			}
			delete(held, h)
		}
		if blocks != c.blocks || blocks > c.capacity {
			t.Fatalf("%d blocks, counted as %d of %d", blocks, c.blocks, c.capacity)
		}
	}
	if len(held) > 0 {
		t.Fatalf("%d holdings of no replica", len(held))
	}
}

// TestApproximateFirst: of several replicas with the longest match the first one that had
// it, whatever happens to the node.
func TestApproximateFirst(t *testing.T) {
	names, f := library{}, alike(3)
	a := &Approximate{BlockSize: 2, Capacity: math.MaxInt}
	expect := func(letters string, want int) {
		t.Helper()
		a.Match(names.prompt(letters, len(letters)), f)
		if got, ok := a.First(); got != want && ok || ok != (want >= 0) {
			t.Errorf("%q: replica %d had it first, want %d", letters, got, want)
		}
	}
	send := func(letters string, to int) {
		a.Match(names.prompt(letters, len(letters)), f)
		a.Sent(to)
	}
	expect("aabbcc", -1)
	send("aabbcc", 2)
	send("aabbcc", 1)
	expect("aabbcc", 2)
	send("aabbdd", 0) // splits it
	expect("aabb", 2)
	expect("aabbdd", 0)
	expect("aabbccdd", 2)
	expect("aabbee", 2)
	expect("xx", -1)
	all := f
	f = f[:2]
	expect("aabbcc", 1)
	expect("aabb", 1)
	expect("aabbdd", 0)
	f = f[1:]
	expect("aabbdd", 0) // its index is another one
	f = all
	expect("aabbcc", 2)
	a.Forget(2)
	expect("aabbcc", 1)
}

// TestPrecise: an index that follows the engines knows what they know.
func TestPrecise(t *testing.T) {
	f := alike(3)
	f[1].cached = 48
	if got := (&Precise{}).Match(&Request{}, f); !slices.Equal(got, []int{0, 48, 0}) {
		t.Errorf("matches %v", got)
	}
}
