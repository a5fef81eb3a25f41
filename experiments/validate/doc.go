// Package validate holds predictions against measurements: it turns rows of
// measured serving runs into experiments, simulates them, and reports the error
// of every number and of every group of rows.
//
// It knows the layout of the measurements (e2e/experiments.csv with its
// per-request files, silicon/closed_loop.csv) and what must be assumed where a
// row is silent. It must not know a constant of the cost model, nor adjust one:
// a row that cannot be simulated is reported as skipped, never dropped.
package validate
