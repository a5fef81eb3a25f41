package workloads

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// serveGenTokens is the laws of the lengths of a client's requests for some hours, until the next ones.
type serveGenTokens struct {
	start         float64
	input, output tokenLaw
}

// tokensAt is the laws at a time, of some in order of their starts; nil where there are none.
func tokensAt(laws []serveGenTokens, at float64) *serveGenTokens {
	for i := len(laws) - 1; i >= 0; i-- {
		if l := &laws[i]; l.start <= at {
			if l.input.none() || l.output.none() {
				return nil
			}
			return l
		}
	}
	return nil
}

// readServeGenTokens reads an object of objects by their starts in s, in each of which input_tokens and output_tokens are texts of a
// Python dict: the probability of each length. What else is there, such as images, has no tokens of a text.
func readServeGenTokens(text io.Reader) ([]serveGenTokens, error) {
	var laws map[string]struct {
		Input  string `json:"input_tokens"`
		Output string `json:"output_tokens"`
	}
	if err := json.NewDecoder(text).Decode(&laws); err != nil {
		return nil, &badinput.Error{Problem: "not JSON: " + err.Error(), Allowed: "an object with input_tokens and output_tokens for each time"}
	}
	var all []serveGenTokens
	for start, law := range laws {
		at, ok := units.ParseDecimal(start)
		if !ok || !nonnegative(at) {
			return nil, &badinput.Error{Key: start, Problem: "is not a time in s"}
		}
		t := serveGenTokens{start: at}
		for _, length := range []struct {
			name, text string
			to         *tokenLaw
		}{{"input_tokens", law.Input, &t.input}, {"output_tokens", law.Output, &t.output}} {
			var err error
			if *length.to, err = parseTokenLaw(length.text); err != nil {
				return nil, &badinput.Error{Key: start + "." + length.name, Problem: err.Error(), Allowed: "{tokens: probability, …}"}
			}
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b serveGenTokens) int { return cmp.Compare(a.start, b.start) })
	return all, nil
}

// tokenLaw is a law of a number of tokens: upTo is the probability of no more than as many, times what they all sum to.
type tokenLaw struct {
	tokens []int32
	upTo   []float64
}

func (l *tokenLaw) none() bool { return len(l.tokens) == 0 }

// at is a quantile.
func (l *tokenLaw) at(quantile float64) int32 {
	last := len(l.tokens) - 1
	i, _ := slices.BinarySearch(l.upTo, quantile*l.upTo[last])
	return l.tokens[min(i, last)]
}

// parseTokenLaw reads one like {45: 0.25, 46: 0.75}; {} is that of no request.
func parseTokenLaw(text string) (tokenLaw, error) {
	probability := map[int32]float64{}
	inside, braced := strings.CutPrefix(strings.TrimSpace(text), "{")
	inside, closed := strings.CutSuffix(inside, "}")
	if !braced || !closed {
		return tokenLaw{}, fmt.Errorf("%.40q is not a law of lengths", text)
	}
	for pair := range strings.SplitSeq(inside, ",") {
		if strings.TrimSpace(inside) == "" {
			break
		}
		key, value, _ := strings.Cut(pair, ":")
		n, ok := units.ParseCount(strings.TrimSpace(key))
		p, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if !ok || n < 1 || n > mostTokens || err != nil || !nonnegative(p) || p > 1 {
			return tokenLaw{}, fmt.Errorf("%.40q is not a number of tokens with its probability", strings.TrimSpace(pair))
		}
		if p > 0 {
			probability[int32(n)] += p
		}
	}
	var l tokenLaw
	for n := range probability {
		l.tokens = append(l.tokens, n)
	}
	slices.Sort(l.tokens)
	sum := 0.0
	for _, n := range l.tokens {
		sum += probability[n]
		l.upTo = append(l.upTo, sum)
	}
	return l, nil
}
