package plots

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// withRequests gives results the requests of some classes at the highest rate.
func withRequests(res *results.Results, arrivals int, classes ...string) *results.Results {
	d := results.DrawnTraffic{Point: results.Setting{}}
	for _, axis := range res.Sweep {
		d.Point[axis.Path] = axis.Values[len(axis.Values)-1]
	}
	for i, name := range classes {
		var input, output []float64
		for k := range 500 {
			input, output = append(input, float64(10+k*(i+1))), append(output, float64(1+k/7))
		}
		d.Classes = append(d.Classes, results.NewDrawnClass(name, input, output))
	}
	for i := range arrivals {
		d.Bucket, d.Arrivals = 0.5, append(d.Arrivals, float64(20+i%7))
	}
	res.Drawn = []results.DrawnTraffic{d}
	return watched(res, 1, 0) // has the points of the plan
}

func TestTraffic(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotTraffic, At: results.Place{Word: results.Highest}, File: "traffic"}
	f := specFigure(t, withRequests(madeUp(rates, chatSLO, static, continuous), 20, ""), spec)
	if f.Title != "The median request has 260 prompt and 36 output tokens" || f.plainTitle != "Lengths and arrivals of the requests at 32 req/s" {
		t.Errorf("%q, %q", f.Title, f.plainTitle)
	}
	image := svg(t, f)
	for _, words := range []string{"prompts", "outputs", "Tokens", "Share of the requests that are no longer", "Requests per second", "mean 45.7", "Time after the first arrival (s)"} {
		if !bytes.Contains(image, []byte(">"+words+"</text>")) {
			t.Errorf("the figure does not say %q", words)
		}
	}
	data := string(f.Data.CSV())
	for _, row := range []string{"prompts,50,,259.5,tok", "outputs,100,,72,tok", "arrivals,,0.25,40,req/s"} {
		if !strings.Contains(data, "\n"+row+"\n") {
			t.Errorf("no row %q in\n%s", row, data)
		}
	}

	// Without arrivals there is one panel, and of several classes no median.
	f = specFigure(t, withRequests(madeUp(rates, chatSLO, static), 0, "chat", "reports"), spec)
	image = svg(t, f)
	if f.Title != f.plainTitle || bytes.Contains(image, []byte("Requests per second")) || !bytes.Contains(image, []byte("reports outputs")) {
		t.Errorf("%q", f.Title)
	}
	spec.At = results.Place{Word: results.Lowest}
	if _, ok := draw(withRequests(madeUp(rates, chatSLO, static), 9, ""), spec); ok {
		t.Error("requests of another place are drawn")
	}
}

func TestTrafficIsLegible(t *testing.T) {
	spec := results.PlotSpec{Kind: results.PlotTraffic, At: results.Place{Word: results.Highest}, File: "traffic"}
	fixed := withRequests(madeUp(rates, chatSLO, static), 1, "")
	for i := range fixed.Drawn[0].Classes[0].Input {
		fixed.Drawn[0].Classes[0].Input[i], fixed.Drawn[0].Classes[0].Output[i] = 512, 1
	}
	for i, res := range []*results.Results{
		withRequests(madeUp(rates, chatSLO, static), 100, ""),
		withRequests(madeUp(rates, chatSLO, static), 100, "a", strings.Repeat("long-", 20), "c", "d", "e", "f"),
		fixed,
	} {
		for k, size := range chart.Sizes {
			t.Run(fmt.Sprint(i, " ", size.Name), func(t *testing.T) {
				legible(t, chart.NewStyle(size, chart.Themes[k%2], nil), specFigure(t, res, spec))
			})
		}
	}
}
