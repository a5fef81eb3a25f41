package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kneepoint/experiments/results"
	"kneepoint/internal/effort"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestPrintedResults: what a run prints of made-up results, in a pipe.
func TestPrintedResults(t *testing.T) {
	for name, m := range madeUps {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", "printed", name+".txt")
			got := printed(m.results(), page{width: unknownWidth}, false)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func printed(res *results.Results, p page, verbose bool) string {
	var text strings.Builder
	renderRun(p.on(&text), res, verbose, false)
	return text.String()
}

// randomResults are results of an experiment that nobody would think of.
func randomResults(random *rand.Rand) *results.Results {
	chance := func(n int) bool { return random.IntN(n) == 0 }
	m := madeUp{loads: random.IntN(14), config: chance(4), closed: chance(4), replications: 1 + 2*random.IntN(2), clients: chance(5),
		pools: random.IntN(2) * random.IntN(4), expected: random.IntN(2) * random.IntN(9), claimed: chance(2)}
	if !chance(4) {
		m.slo = ordinary
	}
	for range random.IntN(4) {
		m.notes = append(m.notes, rests)
	}
	for i := range 1 + random.IntN(14) {
		m.strategies = append(m.strategies, randomName(random, i))
	}
	if cells := max(m.loads, 1) * len(m.strategies) * m.replications; chance(3) {
		m.unfinished = random.IntN(cells)
	}
	return m.results()
}

// randomName is a name of up to 60 characters, some of which are two columns wide.
func randomName(random *rand.Rand, i int) string {
	words := []string{"static", "continuous", "連続バッチ", "with_a_long_underscored_name", "int4", "максимум", "🙂", "chunked prefill"}
	name := fmt.Sprint(i)
	for range random.IntN(5) {
		if word := words[random.IntN(len(words))]; len([]rune(name+word)) < 60 {
			name += " " + word
		}
	}
	return name
}

// TestPrintedFits: nothing printed is wider than the page, whatever is printed, and a summary is
// at most 15 lines.
func TestPrintedFits(t *testing.T) {
	for seed := range effort.Times(t, 60) {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		res := randomResults(random)
		for _, width := range []int{40, 80, 200} {
			for _, verbose := range []bool{false, true} {
				p := page{width: width, colour: random.IntN(2) == 0, drawn: random.IntN(2) == 0}
				text := printed(res, p, verbose)
				for _, line := range strings.Split(text, "\n") {
					if widest([]string{line}) > width {
						t.Errorf("seed %d: %d columns, of %d: %q", seed, widest([]string{line}), width, line)
					}
					if line != strings.TrimRight(line, " ") {
						t.Errorf("seed %d: spaces at the end of %q", seed, line)
					}
				}
				if lines := summary(p, res, verbose); len(lines) > 15 {
					t.Errorf("seed %d, width %d: %d lines of summary:\n%s", seed, width, len(lines), strings.Join(lines, "\n"))
				}
				if hasColour := strings.Contains(text, "\x1b"); hasColour && !p.colour {
					t.Errorf("seed %d: colour where there is none", seed)
				}
			}
		}
	}
}

// unitOf is what follows the number of a cell, and the sign of a factor before it.
var unitOf = regexp.MustCompile(`^([×÷]?)[+−≈-]?[0-9.]+(?:e[+-][0-9]+)?([^ 0-9±(]*)( [a-zA-Zµ/$]+)?( ±.*)?$`)

// TestOneUnitPerColumn: numbers of a column have one unit, which none of them says but percents
// and factors.
func TestOneUnitPerColumn(t *testing.T) {
	for seed := range effort.Times(t, 60) {
		res := randomResults(rand.New(rand.NewPCG(uint64(seed), 1)))
		for name, s := range sheetsOf(res) {
			oneUnit(t, fmt.Sprintf("seed %d, %s", seed, name), s)
		}
	}
}

// sheetsOf are tables of a run.
func sheetsOf(res *results.Results) map[string]*sheet {
	sheets := map[string]*sheet{"points": pointSheet(page{}, res, res.Series), "knees": kneeSheet(res, len(res.Series))}
	if rows := poolRows(res, &res.Series[0]); rows != nil {
		sheets["pools"] = poolSheet(res, rows)
	}
	if len(res.Differences) > 0 {
		sheets["differences"] = differenceSheet(res)
	}
	if len(res.Sweep) > 0 {
		sheets["overview"] = overviewSheet(res, firstKnee(res) != nil)
	}
	return sheets
}

func oneUnit(t *testing.T, name string, s *sheet) {
	t.Helper()
	found := make([]map[string]bool, len(s.heads))
	for _, row := range strings.Split(s.RenderTSV(), "\n")[1:] {
		for i, cell := range strings.Split(row, "\t") {
			if i >= len(s.heads) || s.heads[i].name != isValue || cell == "0" {
				continue
			}
			match := unitOf.FindStringSubmatch(cell)
			if match == nil {
				continue // a word
			}
			if found[i] == nil {
				found[i] = map[string]bool{}
			}
			unit := match[1] + match[2] + match[3]
			if match[1] != "" {
				unit = "×"
			}
			found[i][unit] = true
		}
	}
	for i, units := range found {
		if len(units) > 1 {
			t.Errorf("%s: units %v in %q", name, units, s.heads[i].title)
		}
		for unit := range units {
			if unit != "" && unit != "%" && unit != "×" {
				t.Errorf("%s: unit %q in cells of %q", name, unit, s.heads[i].title)
			}
		}
	}
}
