package plots

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
	"kneepoint/plots/chart"
	"kneepoint/sim/metrics"
)

// pageText is a text on a page.
type pageText struct {
	text string
	box  vg.Rectangle // of capitals above the baseline
}

// texts reads where an SVG has which text, and how large its page is.
func texts(t *testing.T, s *chart.Style, svg []byte) (all []pageText, page vg.Point) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	var at *vg.Point
	var size float64
	bold := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all, page
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			attributes := map[string]string{}
			for _, a := range e.Attr {
				attributes[a.Name.Local] = a.Value
			}
			if e.Name.Local == "svg" {
				box := strings.Fields(attributes["viewBox"])
				page = vg.Point{X: vg.Length(parsed(t, box[2])), Y: vg.Length(parsed(t, box[3]))}
			}
			if at = nil; e.Name.Local == "text" {
				at = &vg.Point{X: vg.Length(parsed(t, attributes["x"])), Y: -vg.Length(parsed(t, attributes["y"]))}
				size = parsed(t, fontSize.FindStringSubmatch(attributes["style"])[1])
				bold = strings.Contains(attributes["style"], "font-weight:bold")
			}
		case xml.EndElement:
			at = nil
		case xml.CharData:
			if at == nil {
				continue
			}
			style := s.Text(size/float64(s.Em(1)), s.Ink)
			if bold {
				style = s.Bold(size/float64(s.Em(1)), s.Ink)
			}
			end := at.Add(vg.Point{X: style.Width(string(e)), Y: 0.7 * vg.Length(size)})
			all = append(all, pageText{string(e), vg.Rectangle{Min: *at, Max: end}})
		}
	}
}

var fontSize = regexp.MustCompile(`font-size:([0-9.]+)px`)

func parsed(t *testing.T, number string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// legible reports texts that lie on each other or leave the page.
func legible(t *testing.T, s *chart.Style, f Figure) {
	t.Helper()
	svg, err := f.Sheet(s).File("svg")
	if err != nil {
		t.Fatal(err)
	}
	const tolerance = 0.6
	all, page := texts(t, s, svg)
	for i, a := range all {
		if a.box.Min.X < -tolerance || a.box.Max.X > page.X+tolerance || a.box.Min.Y < -tolerance || a.box.Max.Y > page.Y+tolerance {
			t.Errorf("%s, %s: %q leaves the page of %v: %v", f.Name, s.Size.Name, a.text, page, a.box)
		}
		for _, b := range all[:i] {
			if min(a.box.Max.X, b.box.Max.X)-max(a.box.Min.X, b.box.Min.X) > tolerance && min(a.box.Max.Y, b.box.Max.Y)-max(a.box.Min.Y, b.box.Min.Y) > tolerance {
				t.Errorf("%s, %s: %q at %v lies on %q at %v", f.Name, s.Size.Name, a.text, a.box, b.text, b.box)
			}
		}
	}
}

// TestLabelsAreLegible draws the figures of random experiments in every size: no text
// lies on another or leaves the page.
func TestLabelsAreLegible(t *testing.T) {
	for seed := range effort.Times(t, 100) {
		random := rand.New(rand.NewPCG(uint64(seed), 1))
		res := anyResults(random)
		for _, f := range Figures(res) {
			s := chart.NewStyle(chart.Sizes[seed%len(chart.Sizes)], chart.Themes[0], nil)
			legible(t, s, f)
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// anyResults are of 1 to 12 strategies with names of up to 60 letters, over up to six
// decades of loads.
func anyResults(random *rand.Rand) *results.Results {
	var servers []server
	for range 1 + random.IntN(12) {
		scale := math.Pow(10, 4*random.Float64()-2)
		servers = append(servers, server{anyName(random), 5 * scale, 10 + 500*random.Float64(), 1 + 100*random.Float64()})
	}
	var values []any
	decades := 6 * random.Float64()
	for i, n := 0, 1+random.IntN(16); i < n; i++ {
		values = append(values, units3(math.Pow(10, decades*float64(i)/float64(n)-2)))
	}
	slo := chatSLO
	if random.IntN(4) == 0 {
		slo = results.SLO{}
	}
	return explained(madeUp(values, slo, servers...), metrics.Parts{metrics.Queue: 3, metrics.Prefill: 1, metrics.Decode: 2})
}

// units3 rounds to three digits, as users write values.
func units3(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return v
}

func anyName(random *rand.Rand) string {
	words := []string{"static", "continuous", "chunked-prefill", "int4", "max_num_seqs", "speculative", "8", "kv offload", "Sarathi", "a"}
	name := words[random.IntN(len(words))]
	for random.IntN(3) > 0 && len(name) < 45 {
		name += []string{" ", "-", ", ", "_"}[random.IntN(4)] + words[random.IntN(len(words))]
	}
	return name + strconv.Itoa(random.IntN(1000))
}
