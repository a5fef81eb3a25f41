package workloads

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/distuv"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// serveGenWindow is a part of a client's day: how many requests it sent, and how unlike their gaps are. A folder of ServeGen's has
// no requests, but for each client how they come, which is drawn once, with numbers of its own: all replications replay the same.
type serveGenWindow struct {
	client        int
	start, length float64 // in seconds
	requests      int
	weibull       bool // the gaps' law; else they are of a gamma law
	shape         float64
	tokens        *serveGenTokens
}

// usualWindow is how long a window is that has no other one after it or before it.
const usualWindow = 600

// serveGenFolder reads a folder of chunk-N-trace.csv and chunk-N-dataset.json, one of each for a client.
func serveGenFolder(_ layout, s *TraceSpec) fileReader {
	return func(folder *os.File, add addRow) error {
		clients, err := serveGenClients(folder.Name())
		if err != nil {
			return err
		}
		var windows []serveGenWindow
		for _, client := range clients {
			of, err := serveGenClient(folder.Name(), client)
			if err != nil {
				return err
			}
			windows = append(windows, of...)
		}
		slices.SortFunc(windows, func(a, b serveGenWindow) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.client, b.client))
		})
		return drawWindows(windows, s, add)
	}
}

// drawWindows hands on the requests of windows, which are in order of their starts. Of windows before the time that is asked for none is drawn.
func drawWindows(windows []serveGenWindow, s *TraceSpec, add addRow) error {
	var drawn []row
	for i := range windows {
		w := &windows[i]
		if w.start+w.length > float64(s.Start) {
			if len(drawn)+w.requests > mostRows {
				return tooMuch(fmt.Sprintf("%d rows", mostRows))
			}
			drawn = w.draw(drawn)
		} else if _, err := add(row{at: w.start}); err != nil { // which is not asked for, but seen
			return err
		}
		next := math.Inf(1)
		if i+1 < len(windows) {
			next = windows[i+1].start
		}
		if next == w.start {
			continue
		}
		slices.SortStableFunc(drawn, func(a, b row) int { return cmp.Compare(a.at, b.at) })
		n, _ := slices.BinarySearchFunc(drawn, next, func(r row, at float64) int { return cmp.Compare(r.at, at) })
		for _, r := range drawn[:n] {
			if more, err := add(r); err != nil || !more {
				return err
			}
		}
		drawn = slices.Delete(drawn, 0, n)
	}
	return nil
}

// draw appends as many requests as were counted in the window. Their gaps, and that from the last one to the window's end, are drawn alike and
// scaled to fill it. Prompts and answers are drawn apart: what they have in common is the client.
func (w *serveGenWindow) draw(rows []row) []row {
	u := StreamOf(0, w.client, StreamServeGen, int(w.start))
	first, at := len(rows), 0.0
	for range w.requests {
		at += w.gap(u)
		rows = append(rows, row{at: at, input: w.tokens.input.at(u.Float64()), output: w.tokens.output.at(u.Float64())})
	}
	all := at + w.gap(u)
	for i := first; i < len(rows); i++ {
		rows[i].at = w.start + w.length*rows[i].at/max(all, math.SmallestNonzeroFloat64)
	}
	return rows
}

// gap draws one of the law, of any mean.
func (w *serveGenWindow) gap(u *rand.Rand) float64 {
	if w.weibull {
		return math.Pow(u.ExpFloat64(), 1/w.shape)
	}
	return distuv.Gamma{Alpha: w.shape, Beta: 1, Src: u}.Rand()
}

// readServeGenWindows reads lines of start in s, requests per second, CV, law of the gaps, its shape and its scale. The scale is not used,
// since the number of requests says it.
func readServeGenWindows(text io.Reader) ([]serveGenWindow, error) {
	lines := csv.NewReader(text)
	lines.FieldsPerRecord, lines.ReuseRecord = -1, true
	var windows []serveGenWindow
	var rates []float64
	for {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badinput.NotCSV(err)
		}
		w, rate, err := parseServeGenWindow(fields)
		if err == nil && len(windows) > 0 && w.start <= windows[len(windows)-1].start {
			err = &badinput.Error{Problem: "does not begin after the line before"}
		}
		if err != nil {
			return nil, badinput.AtRecord(err, lines)
		}
		windows, rates = append(windows, w), append(rates, rate)
	}
	for i := range windows {
		w := &windows[i]
		switch w.length = usualWindow; {
		case i+1 < len(windows):
			w.length = windows[i+1].start - w.start
		case i > 0:
			w.length = windows[i-1].length
		}
		n := math.Round(rates[i] * w.length)
		if n > mostRows {
			return nil, tooMuch(fmt.Sprintf("%d rows", mostRows))
		}
		w.requests = int(n)
	}
	return slices.DeleteFunc(windows, func(w serveGenWindow) bool { return w.requests == 0 }), nil
}

// parseServeGenWindow is the window of a line but for its length, and its requests per second.
func parseServeGenWindow(fields []string) (w serveGenWindow, rate float64, err error) {
	if len(fields) != 6 {
		return w, 0, &badinput.Error{Problem: fmt.Sprintf("has %d columns", len(fields)), Allowed: "start, rate, CV, law, shape, scale"}
	}
	for _, number := range []struct {
		name, text string
		to         *float64
	}{{"start", fields[0], &w.start}, {"rate", fields[1], &rate}, {"shape", fields[4], &w.shape}} {
		x, ok := units.ParseDecimal(strings.TrimSpace(number.text))
		if !ok || !nonnegative(x) || x > float64(units.Longest) {
			return w, 0, &badinput.Error{Problem: fmt.Sprintf("%s %.40q is not a number from 0 to %g", number.name, number.text, float64(units.Longest))}
		}
		*number.to = x
	}
	const mostShape = 1e6
	leastShape := 1e-3
	if fields[3] == "Weibull" {
		leastShape = 1e-2 // below it gaps are beyond any number
	}
	switch law := fields[3]; {
	case rate == 0:
		return w, 0, nil
	case law != "Gamma" && law != "Weibull":
		return w, 0, &badinput.Error{Problem: fmt.Sprintf("the law %.40q is unknown", law), Allowed: "Gamma or Weibull where requests come"}
	case w.shape < leastShape || w.shape > mostShape:
		return w, 0, &badinput.Error{Problem: fmt.Sprintf("shape %g is not one of a law of gaps", w.shape), Allowed: fmt.Sprintf("%g to %g", leastShape, mostShape)}
	}
	w.weibull = fields[3] == "Weibull"
	return w, rate, nil
}
