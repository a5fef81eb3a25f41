package plots

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
)

// explained gives every point the same reasons.
func explained(res *results.Results, parts metrics.Parts) *results.Results {
	for i := range res.Series {
		for j := range res.Series[i].Points {
			res.Series[i].Points[j].Why = &metrics.Why{E2EL: metrics.Split{"mean": parts}}
		}
	}
	return res
}

func whyFigure(res *results.Results) (Figure, bool) {
	figures := Figures(res)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == "where-time-goes" })
	if i < 0 {
		return Figure{}, false
	}
	return figures[i], true
}

// The figure names the strategies, the swept values, and the parts that are seen.
func TestPartsAreDrawn(t *testing.T) {
	long := server{strings.Repeat("long-", 60), 6, 60, 9}
	f, ok := whyFigure(explained(madeUp(rates, chatSLO, static, long), metrics.Parts{metrics.Queue: 3, metrics.Decode: 1, metrics.Draft: 1e-6}))
	if !ok {
		t.Fatal("no figure")
	}
	drawn := svg(t, f)
	wellFormed(t, f.Name, drawn)
	for text, want := range map[string]bool{"static": true, "queue": true, "decode": true, "draft": false, "preemption": false,
		"32": true, "Request rate (req/s)": true, "100 %": true} {
		if got := bytes.Contains(drawn, []byte(">"+text+"</text>")); got != want {
			t.Errorf("%q is shown: %t, want %t", text, got, want)
		}
	}
}

// Without reasons, and with more curves or bars than fit, there is no figure.
func TestPartsThatAreNotDrawn(t *testing.T) {
	parts := metrics.Parts{metrics.Decode: 1}
	var thirteen []server
	for i := range 13 {
		thirteen = append(thirteen, server{fmt.Sprint("s", i), 5, 60, 9})
	}
	for name, res := range map[string]*results.Results{
		"no reasons":      madeUp(rates, chatSLO, static),
		"no time":         explained(madeUp(rates, chatSLO, static), metrics.Parts{}),
		"thirteen curves": explained(madeUp(rates, chatSLO, thirteen...), parts),
		"sixty points":    explained(madeUp(linearRates(60), chatSLO, static), parts),
		"no sweep":        explained(atOnePoint(4, chatSLO, static), parts),
	} {
		if _, ok := whyFigure(res); ok {
			t.Errorf("%s: drawn", name)
		}
	}
}
