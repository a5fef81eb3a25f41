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

// summary is the lines of a summary. What was missed and three strategies go first; of the
// other strategies, and then of the claims that failed, there are as many as fit. Where not
// all of them do, notes are cut to a line each.
func summary(p page, res *results.Results, verbose bool) []string {
	title := p.atMost(2, kneeMeaning(res))
	title[0] = p.bold(title[0])
	where := p.atMost(2, whereText(verbose))
	expected, claimed := expectationsSection(p, res), claimsSection(p, res)
	for long := 2; ; long-- {
		notes := slices.Concat(p.atMost(long, estimatedText(res)), p.atMost(long, notesText(res)))
		left := mostLines - len(title) - len(notes) - len(where) - len(expected.count) - len(claimed.count)
		few, _ := kneeLines(p, res, min(len(res.Series), 3), left)
		misses := expected.take(left - len(few))
		knees, all := kneeLines(p, res, len(res.Series), left-len(misses))
		failures := claimed.take(left - len(misses) - len(knees))
		if all && len(misses) == expected.lines() && len(failures) == claimed.lines() || long == 1 {
			return slices.Concat(title, knees, notes, expected.count, misses, claimed.count, failures, where)
		}
	}
}

// kneeLines is the table of as many of the first n curves as fit into some lines, the last of
// which says how many more there are, and whether all are there.
func kneeLines(p page, res *results.Results, n, lines int) (table []string, all bool) {
	for ; n > 0; n-- {
		t := kneeSheet(res, n)
		t.fit(p)
		table = t.lines(p, slices.Concat(t.names(), t.values()))
		if n < len(res.Series) {
			table = append(table, p.atMost(1, fmt.Sprintf("and %d more: above, and in %s", len(res.Series)-n, tablesFile))...)
		}
		if len(table) <= lines {
			return table, n == len(res.Series)
		}
	}
	return p.atMost(1, fmt.Sprintf("%d strategies: %s", len(res.Series), tablesFile)), false
}

// section is a line that counts, and what it counts in full.
type section struct {
	count []string
	items [][]string // lines
}

// lines is how many lines the items have.
func (s *section) lines() int {
	n := 0
	for _, item := range s.items {
		n += len(item)
	}
	return n
}

// take is the lines of as many of the first items as fit into some lines.
func (s *section) take(lines int) []string {
	var taken []string
	for _, item := range s.items {
		if len(taken)+len(item) > lines {
			break
		}
		taken = append(taken, item...)
	}
	return taken
}

// expectationsSection counts the expectations, and has those that were missed.
func expectationsSection(p page, res *results.Results) section {
	var s section
	if len(res.Expectations) == 0 {
		return s
	}
	all := missed(res)
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

// whereText says where there is more.
func whereText(verbose bool) string {
	if verbose {
		return ""
	}
	return "every point, where the time goes, differences: " + tablesFile + ", or --verbose"
}
