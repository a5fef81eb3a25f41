package uncertainty

import (
	"hash/fnv"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// Sample is n draws of some factors, in which each factor has one value in each n-th of its distribution.
func Sample(factors []Factor, n int, seed uint64) [][]float64 {
	draws := make([][]float64, n)
	for i := range draws {
		draws[i] = make([]float64, len(factors))
	}
	for k := range factors {
		f := &factors[k]
		probabilities := mat.NewDense(n, 1, nil)
		samplemv.LatinHypercube{Q: distmv.NewUnitUniform(1, nil), Src: f.stream(seed)}.Sample(probabilities)
		for i := range draws {
			draws[i][k] = f.Quantile(probabilities.At(i, 0))
		}
	}
	return draws
}

// stream is the random numbers of a factor alone.
func (f *Factor) stream(seed uint64) rand.Source {
	hash := fnv.New64a()
	_, _ = hash.Write([]byte(f.Text())) // a hash takes all
	return rand.NewPCG(seed, hash.Sum64())
}
