package plots

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kneepoint/internal/svgtext"
	"kneepoint/sim/metrics"
)

var update = flag.Bool("update", false, "write testdata/structure.txt anew")

// TestStructure holds the figures of an experiment against a file that says what each has:
// its texts in the order in which they are drawn, axes, units and names of curves among
// them, its caption, and the columns of its values.
func TestStructure(t *testing.T) {
	var b strings.Builder
	res := explained(madeUp(rates, chatSLO, static, continuous), metrics.Parts{metrics.Queue: 3, metrics.Decode: 1})
	for _, f := range append(Figures(res), Figures(atOnePoint(4, chatSLO, static, continuous))...) {
		fmt.Fprintf(&b, "== %s\n", f.Name)
		all, _, err := svgtext.Read(string(svg(t, f)))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range all {
			fmt.Fprintf(&b, "%s | ", text.Text)
		}
		fmt.Fprintf(&b, "\n%s%s\n\n", f.Caption(), strings.Join(f.Data.Header, ","))
	}
	const golden = "testdata/structure.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("the figures have changed (-want +got; -update accepts it):\n%s", diff)
	}
}
