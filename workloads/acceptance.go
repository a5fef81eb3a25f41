package workloads

import (
	_ "embed"
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
	limits        [maskedPlaces]int64
	state         uint64
}

// NewAcceptance starts the draws of a replication.
func NewAcceptance(probabilities []float64, seed uint64, replication int) *Acceptance {
	return &Acceptance{Probabilities: probabilities, limits: limitsOf(probabilities), state: Stream(seed, replication, StreamAcceptance).Uint64()}
}

// probability is that of the guess at index i.
func (a *Acceptance) probability(i int) float64 {
	return a.Probabilities[min(i, len(a.Probabilities)-1)]
}

// Accepted is how many guesses, from the first one on, are accepted after the
// token at an index of a request's answer.
func (a *Acceptance) Accepted(request, index, guesses int) int {
	for i := range guesses {
		if a.draw(request, index+i) >= a.probability(i) {
			return i
		}
	}
	return guesses
}

// draw is the uniform random number of a token of an answer.
func (a *Acceptance) draw(request, index int) float64 {
	bits := mix(mix(a.state^uint64(request)) + uint64(index))
	return float64(bits>>11) / (1 << 53)
}

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
