package roofline

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kneepoint/hardware"
	"kneepoint/units"
)

// networked is a deployment on ideal H200s in servers of eight, over a network
// of this bandwidth.
func networked(t fatal, name string, tp int, bandwidth float64) Deployment {
	d := deployment(t, "h200-sxm", "ideal", name, tp)
	d.Accelerator.Memory = 1 << 50
	d.Accelerator.Network = &hardware.Network{Name: "network", Bandwidth: units.BytesPerSecond(bandwidth)}
	return d
}

// collective is the time of a collective of a number of bytes over n of the model's
// accelerators, whether or not its deployment has such a one.
func collective(t fatal, m *Model, op hardware.Operation, n int, bytes float64) float64 {
	m.constants = &catalogs{accelerator: &m.deployment.Accelerator}
	transfers, err := m.transfers(op, group{n, 1}, bytes)
	if err != nil {
		t.Fatal(err)
	}
	e := exchange{times: 1, transfers: transfers}
	return float64(e.time(1))
}

func TestHierarchicalCollectives(t *testing.T) {
	const link, network, bytes = 450e9, 50e9, 1e6
	m := build(t, networked(t, "llama-3.1-70b", 1, network))
	for _, c := range []struct {
		op   hardware.Operation
		n    int
		want float64
	}{
		{hardware.AllReduce, 8, 2 * 7.0 / 8 * bytes / link},
		{hardware.AllGather, 8, 7.0 / 8 * bytes / link},
		{hardware.AllReduce, 16, 2*7.0/8*bytes/link + 2*1.0/2*bytes/8/network},
		{hardware.AllReduce, 32, 2*7.0/8*bytes/link + 2*3.0/4*bytes/8/network},
		{hardware.AllGather, 32, 7.0/8*bytes/link + 3.0/4*bytes/8/network},
		{hardware.ReduceScatter, 16, 7.0/8*bytes/link + 1.0/2*bytes/8/network},
	} {
		about(t, string(c.op), collective(t, m, c.op, c.n, bytes), c.want, 1e-12)
	}
}

// A token goes once to each other server with an expert of it, and from there, or from its own accelerator, to each
// accelerator of the server with one. The oracle draws the experts of tokens and counts.
func TestTokensGoOnceToEachServer(t *testing.T) {
	const link, network, bytes, tokens = 450e9, 50e9, 1e6, 200000
	d := networked(t, "deepseek-v3", 1, network)
	d.Engine.Dispatch = "alltoall"
	d.DP, d.EP = 32, 32
	m := build(t, d)
	random := rand.New(rand.NewPCG(1, 2))
	between, inside := 0, 0
	for range tokens {
		var servers [4]bool
		var accelerators [32]bool
		for range m.experts.mixture.Active { // each in any group with equal probability, as assumed
			at := random.IntN(32)
			servers[at/8], accelerators[at] = true, true
		}
		for at, reached := range accelerators {
			if reached && at%8 != 0 { // the token is accelerator 0's; elsewhere it arrives at place 0
				inside++
			}
		}
		for _, reached := range servers[1:] {
			if reached {
				between++
			}
		}
	}
	transfers, err := m.scatter(bytes)
	if err != nil {
		t.Fatal(err)
	}
	e := exchange{times: 1, transfers: transfers}
	about(t, "all-to-all", float64(e.time(1)), float64(inside)/tokens*bytes/link+float64(between)/tokens*bytes/network, 0.005)
}

// Half of the experts is in each two of four servers: a token goes to the other half at most once.
func TestTokensGoOnceToSharedExperts(t *testing.T) {
	d := networked(t, "deepseek-v3", 1, 50e9)
	d.Engine.Dispatch = "alltoall"
	d.DP, d.EP = 32, 2
	transfers, err := build(t, d).scatter(1e6)
	if err != nil {
		t.Fatal(err)
	}
	between := transfers[len(transfers)-1]
	about(t, "between servers", float64(between.bytesPerSlot), (1-1.0/256)*1e6, 1e-12) // unless all eight experts are here
}

// One accelerator of a server sends everything over the network, to its
// counterparts in data parallelism for instance.
func TestGroupsAcrossServersOnly(t *testing.T) {
	d := networked(t, "deepseek-v3", 8, 50e9)
	d.DP, d.EP = 4, 32
	m := build(t, d)
	transfers, err := m.transfers(hardware.AllGather, d.dataGroup(), 1e6)
	if err != nil {
		t.Fatal(err)
	}
	if len(transfers) != 1 || transfers[0].link.Name != "network" || math.Abs(float64(transfers[0].bytesPerSlot)/0.75e6-1) > 1e-12 {
		t.Errorf("%+v", transfers)
	}
}

// A server of eight takes whole tensor-parallel groups: two of three accelerators, one of five.
func TestServersTakeWholeGroups(t *testing.T) {
	for _, c := range []struct{ tp, dp, stage, data, servers int }{
		{1, 12, 8, 8, 2}, {2, 8, 8, 4, 2}, {3, 4, 6, 2, 2}, {5, 3, 5, 1, 3}, {8, 2, 8, 1, 2}, {16, 1, 8, 1, 2}, {3, 1, 3, 1, 1},
	} {
		d := networked(t, "deepseek-v3", c.tp, 50e9)
		d.DP = c.dp
		stage, data, servers := d.perServer(d.stageGroup()), d.perServer(d.dataGroup()), d.servers(d.stageGroup())
		if stage != c.stage || data != c.data || servers != c.servers {
			t.Errorf("tp %d, dp %d: %d of a stage and %d of its groups in a server, %d servers, want %+v", c.tp, c.dp, stage, data, servers, c)
		}
	}
}

// Where no accelerator has experts of its own there is nothing to dispatch: tokens are gathered,
// whatever the engine does with experts that are apart.
func TestSplitExpertsAreNotDispatched(t *testing.T) {
	names := func(ep int) (names []string) {
		d := networked(t, "qwen3-30b-a3b", 1, 50e9)
		d.DP, d.EP, d.Engine.Dispatch = 4, ep, "alltoall"
		for _, e := range build(t, d).exchanges {
			names = append(names, e.name)
		}
		return names
	}
	if got := names(1); !slices.Equal(got, []string{"all-gather", "reduce-scatter"}) {
		t.Errorf("experts split over all: %v", got)
	}
	if got := names(4); !slices.Equal(got, []string{"all-to-all", "all-to-all"}) {
		t.Errorf("experts on four accelerators: %v", got)
	}
}

func TestAnInfiniteNetworkCostsNothing(t *testing.T) {
	m := build(t, networked(t, "llama-3.1-70b", 1, 1e30))
	for _, op := range []hardware.Operation{hardware.AllReduce, hardware.AllGather, hardware.ReduceScatter} {
		about(t, string(op), collective(t, m, op, 64, 1e6), collective(t, m, op, 8, 1e6), 1e-9)
	}
}

func TestCollectivesGrowWithTheirGroup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, err := New(networked(t, "llama-3.1-70b", 1, rapid.Float64Range(1e9, 1e12).Draw(t, "bandwidth")))
		if err != nil {
			t.Fatal(err)
		}
		op := rapid.SampledFrom([]hardware.Operation{hardware.AllReduce, hardware.AllGather, hardware.ReduceScatter}).Draw(t, "operation")
		n, bytes := rapid.IntRange(1, 100).Draw(t, "n"), rapid.Float64Range(1, 1e9).Draw(t, "bytes")
		if small, large := collective(t, m, op, n, bytes), collective(t, m, op, n+1, bytes); large < small*(1-1e-12) {
			t.Fatalf("%v s over %d, %v s over one more", small, n, large)
		}
	})
}

// Latencies of NCCL between servers are class defaults unless the network has its
// own.
func TestNetworkConstants(t *testing.T) {
	d := deployment(t, "h100-sxm", "vllm-v1", "llama-3.1-405b", 16)
	estimated := func(d Deployment) string { return strings.Join(build(t, d).Estimated(), "; ") }
	if got := estimated(d); !strings.Contains(got, "all-reduce between servers of h100-sxm over InfiniBand NDR: class default") {
		t.Errorf("rests on %s", got)
	}
	network := *d.Accelerator.Network
	network.Latency, network.Fraction = 1e-3, 0.5
	slow := d
	slow.Accelerator.Network = &network
	if got := estimated(slow); strings.Contains(got, "between servers") {
		t.Errorf("its own constants, and rests on %s", got)
	}
	// An all-reduce for every product and one after the embedding, each over the
	// network once; and the logits.
	w := decode(1, 100)
	got := build(t, slow).Step(w).Time - build(t, d).Step(w).Time
	hidden := 16384 * 2 / 8.0
	about(t, "what a millisecond of latency adds", float64(got), (2*126+1)*(1e-3-19e-6+hidden/50e9*(1/0.5-1/0.9)), 0.01)
}

// A norm over the queries and keys of all heads needs the sums of all ranks: an all-reduce of eight bytes a token in
// every layer, and nothing on one accelerator.
func TestNormsAcrossRanks(t *testing.T) {
	const sequences = 32
	for _, tp := range []int{1, 4, 8} {
		d := deployment(t, "h200-sxm", "vllm-v1", "minimax-m2.5", tp)
		d.Accelerator.Memory = 1 << 40
		within := d
		within.Architecture.QKNormAcross = false
		step := func(d Deployment) float64 { return float64(build(t, d).Step(decode(sequences, 1000)).Time) }
		want := step(within)
		if tp > 1 {
			want += float64(d.Architecture.Layers) * collective(t, build(t, d), hardware.AllReduce, tp, 8*sequences)
		}
		about(t, strconv.Itoa(tp)+" ranks", step(d), want, 1e-9)
	}
}
