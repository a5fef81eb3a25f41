// Package experiments turns an experiment file into results: it reads and
// checks the file, expands sweeps, builds and runs every simulation on all
// cores, and aggregates the replications into curves, knees and paired
// differences. The experiments that come with kneepoint are its *.toml files.
//
// It knows the schema of the file and how its parts become traffic, cost model
// and policies. It must not know how results are drawn or printed.
//
// The pipeline, one file each: Load (text to tree), override (single keys),
// resolve (tree to Spec, at one point, for one strategy), build (Spec to one
// simulation), Run (all of them), aggregate (runs to series), Write (a folder).
package experiments
