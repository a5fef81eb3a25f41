// Package metrics turns what the engine recorded into the numbers that results
// show: latencies and their percentiles, throughput, goodput, utilizations,
// energy and cost, the saturation flag, and confidence intervals over
// replications.
//
// It knows definitions and statistics. It must not know how a record came
// about: no engine, no policy. Of the cost model it asks one thing, what the mean
// step waits for, to name the bottleneck. Every metric that results can
// hold is listed, with its unit and meaning, in Definitions.
package metrics
