package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/compare"
	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// renderComparison writes what is compared, all differences, and what they come to.
func renderComparison(p page, c *compare.Comparison) {
	p.paragraph(p.bold(fmt.Sprintf("A: %s   B: %s", c.A, c.B)))
	p.paragraph(differsText(c))
	fmt.Fprintln(p)
	comparisonSheet(c).print(p)
	fmt.Fprintln(p)
	for _, line := range comparisonWords(c) {
		p.paragraph(line)
	}
}

// mostKeys is how many keys are named that differ.
const mostKeys = 6

// differsText names the keys that differ between two folders.
func differsText(c *compare.Comparison) string {
	var parts []string
	for _, key := range c.Differs[:min(len(c.Differs), mostKeys)] {
		parts = append(parts, fmt.Sprintf("%s %s → %s", key.Path, keyText(key.A), keyText(key.B)))
	}
	if more := len(c.Differs) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more, which --json has", more))
	}
	if len(parts) == 0 {
		return ""
	}
	return "differs: " + strings.Join(parts, "; ")
}

// mostRunes is how much of a value is written.
const mostRunes = 40

// keyText is the value of a key, cut where it is long.
func keyText(v any) string {
	text := []rune(compare.Text(v))
	if len(text) > mostRunes {
		return string(text[:mostRunes-1]) + "…"
	}
	return string(text)
}

// comparisonSheet is a row for each metric and point.
func comparisonSheet(c *compare.Comparison) *sheet {
	heads := []head{{title: "metric", name: isName}}
	if severalStrategies(c) {
		heads = append(heads, head{title: "strategy", name: isName})
	}
	paths := sweptPaths(c)
	for _, path := range paths {
		heads = append(heads, head{title: shortPath(path), name: isNumber})
	}
	heads = append(heads, head{title: "A", spare: 1}, head{title: "B", spare: 1}, head{title: "B - A", spare: 2},
		head{title: "B / A"}, head{title: "95% interval"}, head{title: "verdict"})
	t := newSheet(heads...)
	for i := range c.Rows {
		r := &c.Rows[i]
		row := table.Row{strings.TrimSpace(r.Label + " " + r.Unit)}
		if severalStrategies(c) {
			row = append(row, r.Strategy)
		}
		for _, path := range paths {
			row = append(row, settingText(r, path))
		}
		t.AppendRow(append(row, known(r.A.Mean, units.Significant), known(r.B.Mean, units.Significant), differenceText(r),
			known(r.Ratio.Value, ratioText), rangeText(r.Ratio), verdictText(r)))
	}
	return t
}

// severalStrategies tells whether rows are of several.
func severalStrategies(c *compare.Comparison) bool {
	return slices.ContainsFunc(c.Rows, func(r compare.Row) bool { return r.Strategy != c.Rows[0].Strategy })
}

// sweptPaths are the variables that rows have values of.
func sweptPaths(c *compare.Comparison) []string {
	paths := map[string]bool{}
	for i := range c.Rows {
		for path := range c.Rows[i].Point {
			paths[path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// shortPath is the last part of a path.
func shortPath(path string) string { return path[strings.LastIndex(path, ".")+1:] }

// settingText is the value of a variable at a row; nothing of a knee, which is over all of them.
func settingText(r *compare.Row, path string) string {
	if v, there := r.Point[path]; there {
		return v.String()
	}
	return ""
}

// differenceText is the difference with its interval.
func differenceText(r *compare.Row) string {
	return known(r.Difference.Mean, func(x float64) string { return signed(x) + plusMinus(r.Difference.Half) })
}

// ratioText writes a ratio with as many digits as small differences take.
func ratioText(x float64) string {
	if x < 0.01 || x >= 100 {
		return units.Significant(x)
	}
	return fmt.Sprintf("%.3f", x)
}

// rangeText is the interval of a ratio; nothing where it is not known.
func rangeText(i compare.Interval) string {
	if math.IsNaN(i.Low) || math.IsNaN(i.High) {
		return ""
	}
	return ratioText(i.Low) + " to " + ratioText(i.High)
}

// verdictText is the verdict of a row, short enough for a column, and whether it is beyond the tolerance.
func verdictText(r *compare.Row) string {
	switch {
	case r.Beyond:
		return "beyond tolerance"
	case r.Verdict == compare.Unclear:
		return "not significant"
	}
	return string(r.Verdict)
}

// atText is the strategy and point of a row.
func atText(r *compare.Row) string {
	var parts []string
	for _, path := range slices.Sorted(maps.Keys(r.Point)) {
		parts = append(parts, fmt.Sprintf("%s %v", shortPath(path), r.Point[path]))
	}
	if len(parts) == 0 {
		return " of " + r.Strategy
	}
	return " of " + r.Strategy + " at " + strings.Join(parts, ", ")
}

// factorText is by how much a row is worse.
func factorText(r *compare.Row) string {
	switch {
	case math.IsNaN(r.B.Mean):
		return "has no value"
	case math.IsNaN(r.Ratio.Value):
		return fmt.Sprintf("is %s instead of %s", units.Significant(r.B.Mean), units.Significant(r.A.Mean))
	}
	return fmt.Sprintf("is %s%%", percentOf(metrics.Estimate{Mean: r.Ratio.Value - 1, Half: math.NaN()}))
}

// comparisonWords count the verdicts, and say what they rest on.
func comparisonWords(c *compare.Comparison) []string {
	var counts []string
	for _, v := range []compare.Verdict{compare.Better, compare.Worse, compare.More, compare.Less, compare.Equal, compare.Unclear,
		compare.Unknown, compare.Missing} {
		if n := c.Count(v); n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, v))
		}
	}
	words := []string{fmt.Sprintf("%s: %s.", countOf(len(c.Rows), "comparison"), strings.Join(counts, ", "))}
	if text := toleranceText(c); text != "" {
		words = append(words, text)
	}
	words = append(words, evidenceText(c))
	if text := rareText(c); text != "" {
		words = append(words, text)
	}
	if len(c.Interrupted) > 0 {
		words = append(words, "Interrupted, so that a part is missing: "+strings.Join(c.Interrupted, " and ")+".")
	}
	return append(words, append(aloneText("A", c.OnlyA), aloneText("B", c.OnlyB)...)...)
}

// aloneText names the points that one side has alone; nothing where there is none.
func aloneText(side string, points []string) []string {
	if len(points) == 0 {
		return nil
	}
	text := fmt.Sprintf("in %s alone: %s", side, strings.Join(points[:min(len(points), mostKeys)], "; "))
	if more := len(points) - mostKeys; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return []string{text}
}

// toleranceText says how many differences are worse than is tolerated, and how many may be; empty where none is held against
// a tolerance.
func toleranceText(c *compare.Comparison) string {
	held, undecided := 0, 0
	for i := range c.Rows {
		if c.Rows[i].Tolerance != nil {
			held++
		}
		if c.Rows[i].Undecided() {
			undecided++
		}
	}
	if held == 0 {
		return ""
	}
	text := fmt.Sprintf("Worse than is tolerated: %d of %d.", len(c.Beyond()), held)
	if undecided > 0 {
		text += fmt.Sprintf(" %d more may be: their intervals reach beyond the tolerance, and more replications would narrow them.", undecided)
	}
	return text
}

// rareText says what paired replications do not tell of differences that few of them have; empty where there are none of these.
func rareText(c *compare.Comparison) string {
	var sentences []string
	rare, unseen := 0, 0.0
	for i := range c.Rows {
		if c.Rows[i].Rare() {
			rare++
		}
		unseen = max(unseen, c.Rows[i].Unseen())
	}
	if rare > 0 {
		sentences = append(sentences, fmt.Sprintf("Rows that differ in fewer than half of their replications: %d. An interval is too narrow there;"+
			" longer runs differ in more.", rare))
	}
	if unseen > 0 && len(c.Differs) > 0 {
		sentences = append(sentences, fmt.Sprintf("Equal is what all replications are: a difference that up to %s of them have may be unseen (95%%).",
			units.Percent(unseen)))
	}
	return strings.Join(sentences, " ")
}

// evidenceText says what intervals and verdicts rest on.
func evidenceText(c *compare.Comparison) string {
	text := "Both served the same requests: paired by replication."
	if !c.Paired {
		text = fmt.Sprintf("Not paired: %s.", c.Unpaired)
	}
	if c.Count(compare.Unknown) > 0 {
		text += " Where it is not known what is chance: it takes three replications that differ."
	}
	if slices.ContainsFunc(c.Rows, func(r compare.Row) bool { return r.Chance != nil }) {
		text += " Each interval is one of 95%. Verdicts allow for their number: of the differences that are called such at most" +
			" one in twenty is chance's, and where nothing differs none is in 95 of 100 comparisons (Benjamini-Hochberg)."
	}
	return text
}
