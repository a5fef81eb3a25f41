package workloads

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// TestAcceptedMatchesExpected: guesses are accepted as often as they should be.
func TestAcceptedMatchesExpected(t *testing.T) {
	for _, probabilities := range [][]float64{{0}, {1}, {0.7}, {0.9, 0.5, 0.1}} {
		a := NewAcceptance(probabilities, 7, 0)
		for _, guesses := range []int{0, 1, 3, 6} {
			const draws = 40_000
			tokens := 0
			for place := range draws {
				tokens += 1 + a.Accepted(place%17, place*guesses, guesses)
			}
			if got, want := float64(tokens)/draws, a.Expected(guesses); math.Abs(got-want) > 0.01*want {
				t.Errorf("%v, %d guesses: %.4f tokens a step, want %.4f", probabilities, guesses, got, want)
			}
		}
	}
}

// TestAcceptanceIsTheTexts: whether a guess is right depends on the request and
// the place alone. So a longer proposal brings as much as a shorter one, and more
// only where all of that is accepted.
func TestAcceptanceIsTheTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := NewAcceptance([]float64{rapid.Float64Range(0, 1).Draw(t, "acceptance")}, rapid.Uint64().Draw(t, "seed"), 0)
		request, place := rapid.IntRange(0, 1000).Draw(t, "request"), rapid.IntRange(0, 1000).Draw(t, "place")
		n := rapid.IntRange(0, 8).Draw(t, "guesses")
		short, long := a.Accepted(request, place, n), a.Accepted(request, place, n+1)
		if long < short || long > short && short != n {
			t.Fatalf("%d of %d accepted, and %d of %d", short, n, long, n+1)
		}
		if from := a.Accepted(request, place+1, n); long > 1 && from != long-1 {
			t.Fatalf("%d of %d are accepted, from the next place on %d of %d", long, n+1, from, n)
		}
	})
}

// TestMeasuredAcceptance compares the built-in lists with the measured means of
// tokens a step, for every length up to eight.
func TestMeasuredAcceptance(t *testing.T) {
	file, err := os.Open("../../shared/measured/specdec/specdecode_bench_llama3.1_8b_al.csv")
	if err != nil {
		t.Skip("needs ../shared/measured/specdec")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		guesses, _ := strconv.Atoi(row[2])
		mean, _ := strconv.ParseFloat(row[3], 64)
		if guesses > 8 {
			continue
		}
		measured, err := MeasuredAcceptance(row[1] + "-" + row[0])
		if err != nil {
			t.Fatal(err)
		}
		if got := NewAcceptance(measured.Probabilities, 1, 0).Expected(guesses); math.Abs(got-mean) > 0.005*mean {
			t.Errorf("%s, %d guesses: %.4f tokens a step, measured %v", measured.Name, guesses, got, mean)
		}
	}
}

// The mean tokens of a step with one guess and with eight of multi-token
// prediction for DeepSeek-V4-Pro are 1.79 and 2.58 (golden_al_distribution of
// SemiAnalysisAI/InferenceX). A constant acceptance of 0.79 would bring 4.2.
func TestConstantAcceptancePromisesTooMuch(t *testing.T) {
	if got := NewAcceptance([]float64{0.79}, 1, 0).Expected(8); math.Abs(got-4.2) > 0.05 {
		t.Errorf("a constant acceptance promises %.2f tokens", got)
	}
	falling := NewAcceptance([]float64{0.79, 0.48 / 0.79, 0.22 / 0.48, 0.05 / 0.22, 0.2}, 1, 0)
	if got := falling.Expected(8); math.Abs(got-2.58) > 0.05 {
		t.Errorf("one that falls brings %.2f", got)
	}
}
