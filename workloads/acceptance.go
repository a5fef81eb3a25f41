package workloads

import (
	_ "embed"
	"math"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"kneepoint/units/badinput"
)

// StreamAcceptance is the purpose of the random numbers of Acceptance.
const StreamAcceptance = "acceptance"

// Acceptance says which guesses of speculative decoding are accepted: the i-th
// of a proposal with probability Probabilities[i], given that those before it
// are; the last probability holds for all that follow. Whether a certain token of
// a certain answer is guessed right depends on nothing but the seed and the
// replication: strategies are compared on the same answers.
type Acceptance struct {
	Probabilities []float64
	state         uint64
	limits        []uint64 // by place of a proposal: a guess is right whose draw is below
	levels        levels
	walks         [LongestWalk + 1]*walk // by number of guesses
}

// NewAcceptance starts the draws of a replication.
func NewAcceptance(probabilities []float64, seed uint64, replication int) *Acceptance {
	a := &Acceptance{Probabilities: probabilities, state: Stream(seed, replication, StreamAcceptance).Uint64()}
	for _, p := range probabilities {
		a.limits = append(a.limits, uint64(math.Ceil(math.Ldexp(p, drawBits))))
	}
	a.levels = newLevels(a.limits[:min(len(a.limits), LongestWalk)])
	return a
}

// probability is that of the guess at index i.
func (a *Acceptance) probability(i int) float64 {
	return a.Probabilities[min(i, len(a.Probabilities)-1)]
}

// Accepted is how many guesses, from the first one on, are accepted after the
// token at an index of a request's answer.
func (a *Acceptance) Accepted(request, index, guesses int) int {
	key := a.keyOf(request)
	for i := range guesses {
		if key.draw(index+i) >= a.limits[min(i, len(a.limits)-1)] {
			return i
		}
	}
	return guesses
}

// keyOf is what the draws of a request's answer begin with.
func (a *Acceptance) keyOf(request int) answerKey { return answerKey(mix(a.state ^ uint64(request))) }

// Expected is the mean number of tokens of a step with this number of guesses, the
// model's own token included:
//
//	1 + p0 + p0*p1 + ...
//
// which is (1-a^(k+1))/(1-a) for a constant probability a (Leviathan, Kalman and
// Matias 2023, eq. 1).
func (a *Acceptance) Expected(guesses int) float64 {
	sum, all := 1.0, 1.0
	for i := range guesses {
		all *= a.probability(i)
		sum += all
	}
	return sum
}

//go:embed acceptance.toml
var acceptanceText string

// AcceptanceData is a measurement of how often guesses are accepted.
type AcceptanceData struct {
	Name          string    `toml:"name"`
	Title         string    `toml:"title"`
	Source        string    `toml:"-"`
	Probabilities []float64 `toml:"probabilities"`
}

var measuredAcceptance = sync.OnceValues(func() ([]AcceptanceData, error) {
	var file struct {
		Source   string           `toml:"source"`
		Measured []AcceptanceData `toml:"measured"`
	}
	_, err := toml.Decode(acceptanceText, &file)
	for i := range file.Measured {
		file.Measured[i].Source = file.Source
	}
	return file.Measured, err
})

// MeasuredAcceptances lists the measurements of the catalog.
func MeasuredAcceptances() ([]AcceptanceData, error) { return measuredAcceptance() }

// MeasuredAcceptance is the measurement of that name.
func MeasuredAcceptance(name string) (AcceptanceData, error) {
	all, err := measuredAcceptance()
	if err != nil {
		return AcceptanceData{}, err
	}
	names := make([]string, len(all))
	for i, m := range all {
		if names[i] = m.Name; m.Name == name {
			return m, nil
		}
	}
	return AcceptanceData{}, &badinput.Error{Value: name, Problem: "no such measurement",
		Allowed: "a probability, a list of them, or one of " + strings.Join(names, ", "), Nearest: badinput.Nearest(name, names)}
}
