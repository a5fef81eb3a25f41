package routing

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestContract: every router names a replica that is there, whatever replicas report and
// wherever they come and go, takes the only one, changes nothing that it is shown, and
// decides the same from the same random numbers.
func TestContract(t *testing.T) {
	for _, e := range Routers {
		t.Run(e.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				seed := rapid.Uint64().Draw(t, "seed")
				router, twin := e.New(Parameters{Random: seeded(seed)}), e.New(Parameters{Random: seeded(seed)})
				f := alike(rapid.IntRange(1, mostReplicas).Draw(t, "replicas"))
				numbers := len(f)
				for id := range 40 {
					change(t, &f, &numbers)
					drawReports(t, f)
					r := drawRequest(t, id)
					shown, asked := f.views(), *r
					i := router.Route(r, f)
					switch {
					case i < 0 || i >= len(f):
						t.Fatalf("chose replica %d of %d", i, len(f))
					case !slices.Equal(f.views(), shown) || *r != asked:
						t.Fatalf("changed what it was shown")
					}
					if j := twin.Route(r, f); i != j {
						t.Fatalf("chose %d and %d from the same random numbers", i, j)
					}
				}
			})
		})
	}
}

func (f fleet) views() []View {
	all := make([]View, len(f))
	for i := range f {
		all[i] = f[i].View
	}
	return all
}

func drawReports(t *rapid.T, f fleet) {
	few := rapid.SampledFrom([]int{0, 1, 5, 1 << 40})
	for _, r := range f {
		if rapid.Bool().Draw(t, "reports") {
			total := few.Draw(t, "blocks")
			r.View = View{Waiting: few.Draw(t, "waiting"), Running: few.Draw(t, "running"), Pending: few.Draw(t, "pending"),
				TotalBlocks: total, FreeBlocks: min(total, few.Draw(t, "free"))}
		}
	}
}

func drawRequest(t *rapid.T, id int) *Request {
	return &Request{
		ID:      id,
		Prompt:  rapid.SampledFrom([]int{1, 15, 16, 1000}).Draw(t, "prompt"),
		Session: rapid.IntRange(-1, 3).Draw(t, "session"),
	}
}
