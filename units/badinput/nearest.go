package badinput

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that is closest to word in spelling, or "" when
// none is close enough to be a likely slip. Distance is the number of inserted,
// deleted, replaced or swapped letters (optimal string alignment), without
// regard to case; at most a third of the word's letters may differ, at least
// two, but only one of three. Ties go to the first candidate. Where none is so
// close it is the one candidate that has the word among its parts, such as
// enable_prefix_caching for prefix_caching.
func Nearest(word string, candidates []string) string {
	limit := max(2, len(word)/3)
	if len(word) <= 3 {
		limit = 1
	}
	best, bestDistance := "", limit+1
	letters := utf8.RuneCountInString(word)
	for _, c := range candidates {
		if n := utf8.RuneCountInString(c) - letters; max(n, -n) > limit {
			continue // so many letters must be inserted or deleted: a word of a million is not compared
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c)); d < bestDistance && d < max(len(word), len(c)) {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return only(word, candidates)
	}
	return best
}

// only is the candidate that has all parts of the word beside others, if it is the only one; parts end at "_", "-" and ".".
func only(word string, candidates []string) string {
	const least = 4 // letters of a word that says what is meant
	if len(word) < least {
		return ""
	}
	separated := strings.NewReplacer("-", "_", ".", "_")
	part := "_" + separated.Replace(strings.ToLower(word)) + "_"
	found := ""
	for _, c := range candidates {
		if !strings.Contains("_"+separated.Replace(strings.ToLower(c))+"_", part) {
			continue
		}
		if found != "" {
			return ""
		}
		found = c
	}
	return found
}

func distance(a, b string) int {
	ra, rb := []rune(a), []rune(b)
	var before []int
	previous := make([]int, len(rb)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(ra); i++ {
		current := make([]int, len(rb)+1)
		current[0] = i
		for j := 1; j <= len(rb); j++ {
			replace := previous[j-1]
			if ra[i-1] != rb[j-1] {
				replace++
			}
			current[j] = min(replace, previous[j]+1, current[j-1]+1)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous = previous, current
	}
	return previous[len(rb)]
}
