package main

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/experiments/results"
)

// mostLines is how long a summary is at most.
const mostLines = 15

// renderSummary writes what most people want to know, last, where they look first: of every
// strategy its knee and what limits it, what the numbers rest on, the verdicts, and only then
// where there is more.
func renderSummary(p page, res *results.Results, verbose bool) {
	fmt.Fprintln(p)
	for _, line := range summary(p, res, verbose) {
		fmt.Fprintln(p, line)
	}
}

// summary is the lines of a summary. Notes take up to two lines each, or one where that makes
// room for more of what was found.
func summary(p page, res *results.Results, verbose bool) []string {
	title := p.atMost(2, kneeMeaning(res))
	title[0] = p.bold(title[0])
	where := p.atMost(2, whereText(res, verbose))
	var lines []string
	most := -1
	for _, long := range []int{2, 1} {
		notes := slices.Concat(p.atMost(long, estimatedText(res)), p.atMost(long, notesText(res)), p.atMost(1, pricesText(res)))
		knees, verdicts := findings(p, res, mostLines-len(title)-len(notes)-len(where))
		if found := len(knees) + len(verdicts); found > most {
			lines, most = slices.Concat(title, knees, notes, verdicts, where), found
		}
	}
	return lines
}

// findings are the knees, and what came of expectations and claims, in up to so many lines. What was
// missed and three strategies go first; of the other strategies, and then of the claims that
// failed, there are as many as fit.
func findings(p page, res *results.Results, lines int) (knees, verdicts []string) {
	expected, claimed := expectationsSection(p, res), claimsSection(p, res)
	lines -= len(expected.count) + len(claimed.count)
	misses := expected.take(lines - len(kneeLines(p, res, min(len(res.Series), 3), lines)))
	knees = kneeLines(p, res, len(res.Series), lines-len(misses))
	failures := claimed.take(lines - len(misses) - len(knees))
	return knees, slices.Concat(expected.count, misses, claimed.count, failures)
}

// kneeLines is the table of as many of the first n curves as fit into some lines, the last of
// which says how many more there are.
func kneeLines(p page, res *results.Results, n, lines int) []string {
	for ; n > 0; n-- {
		t := kneeSheet(res, n)
		t.fit(p)
		table := t.lines(p, slices.Concat(t.names(), t.values()))
		if n < len(res.Series) {
			table = append(table, p.atMost(1, fmt.Sprintf("and %d more: above, and in %s", len(res.Series)-n, tablesFile))...)
		}
		if len(table) <= lines {
			return table
		}
	}
	return p.atMost(1, fmt.Sprintf("%d strategies: %s", len(res.Series), tablesFile))
}

// section is a line that counts, and what it counts in full.
type section struct {
	count []string
	items [][]string // lines
}

// take is the lines of as many of the items as fit into some lines.
func (s *section) take(lines int) []string {
	var taken []string
	for _, item := range s.items {
		if len(taken)+len(item) <= lines {
			taken = append(taken, item...)
		}
	}
	return taken
}

// expectationsSection counts the expectations, and has those that were missed.
func expectationsSection(p page, res *results.Results) section {
	var s section
	if len(res.Expectations) == 0 {
		return s
	}
	all := missed(res.Expectations)
	for _, x := range all {
		s.items = append(s.items, p.wrap(expectationText(p, x)))
	}
	text := fmt.Sprintf("expectations: all %d met", len(res.Expectations))
	if len(all) > 0 {
		text = fmt.Sprintf("expectations: %d of %d missed", len(all), len(res.Expectations))
	}
	s.count = p.atMost(1, text)
	return s
}

// claimsSection counts the verdicts on claims, and has the claims that do not hold everywhere.
func claimsSection(p page, res *results.Results) section {
	var s section
	if len(res.Claims) == 0 {
		return s
	}
	count := map[ruling]int{}
	for i := range res.Claims {
		c := &res.Claims[i]
		failed := false
		for k := range c.Verdicts {
			verdict := verdictOn(c, &c.Verdicts[k])
			count[verdict]++
			failed = failed || verdict == fails
		}
		if failed {
			s.items = append(s.items, p.wrap(claimText(c)+": "+verdictsText(c)))
		}
	}
	var parts []string
	for _, verdict := range rulings {
		if count[verdict] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[verdict], verdict.ofSeveral))
		}
	}
	s.count = p.atMost(1, "claims, by places: "+strings.Join(parts, ", "))
	return s
}

// whereText says what else there is, and where.
func whereText(res *results.Results, verbose bool) string {
	if verbose {
		return ""
	}
	more := []string{"where the time goes"}
	if len(res.Sweep) > 0 {
		more = append([]string{"every point"}, more...)
	}
	if len(res.Differences) > 0 {
		more = append(more, "differences")
	}
	return strings.Join(more, ", ") + ": " + tablesFile + ", or --verbose"
}
