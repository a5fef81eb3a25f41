package badinput

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Nearest returns the candidate that is closest to word in spelling, or "" when
// none is close enough to be a likely slip. Distance is the number of inserted,
// deleted, replaced or swapped letters (optimal string alignment), without
// regard to case; at most a third of the word's letters may differ, at least
// two, but only one of three. Another digit counts as two letters: it is rather another thing than a slip. Ties go
// to the first candidate, or the first that has the word's parts, as llama-2-70b has those of llama-70b. Where none is so
// close it is the one candidate that has the word's parts, such as
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
		d := distance(strings.ToLower(word), strings.ToLower(c))
		if d < max(len(word), len(c)) && (d < bestDistance || best != "" && d == bestDistance && hasParts(c, word) && !hasParts(best, word)) {
			best, bestDistance = c, d
		}
	}
	if best == "" {
		return only(word, candidates)
	}
	return best
}

// parts are those of a word, which end at "_", "-" and ".".
func parts(word string) []string {
	return strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return strings.ContainsRune("_-.", r) })
}

// hasParts tells whether a candidate has all parts of a word.
func hasParts(candidate, word string) bool {
	all := parts(candidate)
	return !slices.ContainsFunc(parts(word), func(part string) bool { return !slices.Contains(all, part) })
}

// only is the candidate that has the word's parts, if it is the only one.
func only(word string, candidates []string) string {
	const least = 4 // letters of a word that says what is meant
	if len(word) < least || len(parts(word)) == 0 {
		return ""
	}
	found := ""
	for _, c := range candidates {
		if !hasParts(c, word) {
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
			switch {
			case ra[i-1] == rb[j-1]:
			case unicode.IsDigit(ra[i-1]) && unicode.IsDigit(rb[j-1]):
				replace += 2
			default:
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
