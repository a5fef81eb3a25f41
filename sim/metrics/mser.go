package metrics

// mserBatch is the number of observations in a batch mean: the 5 of MSER-5.
const mserBatch = 5

// WarmUp is how many observations at the start of a series, in their order, belong to
// its warm-up by MSER-5, the marginal standard error rule (White, Cobb and Spratt 2000,
// "A comparison of five steady-state truncation heuristics for simulation"): with the
// m means z of 5 consecutive observations, the number d of means, at most m/2, that
// minimises
//
//	Σ (z_j - mean of z_d … z_m)² / (m - d)²,   j from d to m
//
// the squared standard error of what is left; of equal minima the first. settled is false
// where the minimum is at m/2: the series is too short to say where its warm-up ends.
// Observations after the last whole batch are not looked at. A series that starts in its
// steady state may lose some of it, which costs precision and no bias.
func WarmUp(series []float64) (observations int, settled bool) {
	means := batchMeans(series)
	m := len(means)
	if m < 2 {
		return 0, false
	}
	// From the end on, so that each further mean updates the sum of squares.
	var n, mean, squares float64
	best, least := 0, 0.0
	for d := m - 1; d >= 0; d-- {
		n++
		off := means[d] - mean
		mean += off / n
		squares += off * (means[d] - mean)
		if value := squares / (n * n); d <= m/2 && (d == m/2 || value <= least) {
			best, least = d, value
		}
	}
	return best * mserBatch, best < m/2
}

// batchMeans are the means of consecutive batches, without the rest at the end.
func batchMeans(series []float64) []float64 {
	means := make([]float64, len(series)/mserBatch)
	for i := range means {
		for _, x := range series[i*mserBatch : (i+1)*mserBatch] {
			means[i] += x / mserBatch
		}
	}
	return means
}
