package workloads

import (
	"fmt"
	"math"
	"math/rand/v2"

	"kneepoint/units/badinput"
)

// lengthPair draws the lengths of a request: an input by its law, and an output by its
// own, whose place among the outputs follows the input's place among the inputs. Both
// laws stay what they are, and so do the inputs that are drawn.
type lengthPair struct {
	input, output LengthLaw
	normals       float64 // correlation of the normals that couple the places; 0: independent lengths
}

// newLengthPair couples two laws so that their lengths have the rank correlation that
// the output's table asks for. Its errors are relative to that table.
func newLengthPair(input, output LengthLaw, correlation float64) (p lengthPair, err error) {
	p = lengthPair{input: input, output: output}
	if correlation == 0 {
		return p, nil
	}
	p.normals, err = coupling(input.midranks(), output.midranks(), correlation)
	return p, err
}

// draw takes one number from each stream. Its coupling is the Gaussian copula: with the
// standard normals x of the input's place and y drawn apart, the output's place is that
// of normals·x + sqrt(1-normals²)·y.
func (p *lengthPair) draw(inputs, outputs *rand.Rand) (input, output int) {
	u, v := inputs.Float64(), outputs.Float64()
	if p.normals == 0 {
		return p.input.At(u), p.output.At(v)
	}
	return p.input.At(u), p.output.AtPlace(coupled(p.normals, p.input.place(u), v))
}

// coupled is the place in [0, 1) of an output whose input is at place u, from a number v
// drawn apart.
func coupled(normals, u, v float64) float64 {
	y := math.Sqrt(1-normals*normals) * standardNormal(inside(v))
	return inside(normalPlace(normals*standardNormal(inside(u)) + y))
}

// normalPlace is the standard normal distribution function.
func normalPlace(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// inside moves a probability off the ends, where normals are infinite.
func inside(p float64) float64 { return min(max(p, 1e-16), 1-1e-15) }

// rankSlices is the number of equally likely slices by which ties of a law are seen.
const rankSlices = 1024

// midranks are the ranks of the lengths in equally likely slices of a law, in order,
// from -1/2 to 1/2 around a mean of 0; equal lengths share the mean of theirs.
func (l LengthLaw) midranks() []float64 {
	ranks := make([]float64, rankSlices)
	at := func(i int) int { return l.AtPlace((float64(i) + 0.5) / rankSlices) }
	for from := 0; from < rankSlices; {
		end, length := from+1, at(from)
		for end < rankSlices && at(end) == length {
			end++
		}
		for i := from; i < end; i++ {
			ranks[i] = float64(from+end)/2/rankSlices - 0.5
		}
		from = end
	}
	return ranks
}

// coupling is the correlation of normals that gives lengths with these midranks a rank
// correlation (Spearman's, equal lengths with their mean rank). Without ties it is
// 2·sin(π·ρ/6); ties bring ranks closer together, and normals must make up for that.
//
// Source: Kruskal, "Ordinal measures of association", JASA 53 (1958).
func coupling(inputs, outputs []float64, rho float64) (float64, error) {
	const noTies = 1e-3
	if spread(inputs) > 1-noTies && spread(outputs) > 1-noTies {
		return 2 * math.Sin(math.Pi/6*rho), nil
	}
	sign := math.Copysign(1, rho)
	if most := rankCorrelation(inputs, outputs, sign); !(math.Abs(most) >= math.Abs(rho)) {
		return 0, &badinput.Error{Key: "correlation", Value: rho, Problem: "cannot be reached by these laws, in which many lengths are equal",
			Allowed: allowedCorrelation(most)}
	}
	low, high := 0.0, 1.0
	for high-low > 1e-4 {
		middle := (low + high) / 2
		if math.Abs(rankCorrelation(inputs, outputs, sign*middle)) < math.Abs(rho) {
			low = middle
		} else {
			high = middle
		}
	}
	return sign * high, nil
}

func allowedCorrelation(most float64) string {
	if math.IsNaN(most) {
		return "0, or laws of which neither is fixed"
	}
	return fmt.Sprintf("0 to %.2f", math.Trunc(100*most)/100)
}

// spread is the variance of midranks over that of ranks without ties, 1/12.
func spread(ranks []float64) float64 {
	sum := 0.0
	for _, r := range ranks {
		sum += r * r
	}
	return 12 * sum / float64(len(ranks))
}

// rankCorrelation is Spearman's correlation of lengths with these midranks under a
// Gaussian copula, as the mean over a grid of equally likely places; NaN where all
// lengths of a law are equal.
func rankCorrelation(inputs, outputs []float64, normals float64) float64 {
	const steps = 128
	sum := 0.0
	for i := range steps {
		u := (float64(i) + 0.5) / steps
		rank := 0.0
		for j := range steps {
			v := coupled(normals, u, (float64(j)+0.5)/steps)
			rank += outputs[int(v*rankSlices)]
		}
		sum += inputs[int(u*rankSlices)] * rank
	}
	return 12 * sum / (steps * steps) / math.Sqrt(spread(inputs)*spread(outputs))
}
