// Package experiments turns an experiment file into results: it reads and
// checks the file, expands sweeps, makes a scenario of every strategy at every
// point, and has them run. The experiments that come with kneepoint are its *.toml
// files.
//
// It knows the schema of the file and looks up the names in it. It must not
// know how a scenario is simulated, or how results are drawn or printed.
//
// The pipeline, one file each: Load (text to tree), override (single keys),
// resolve (tree to Spec, at one point, for one strategy), scenario (Spec to one
// simulation as a value), plan (what is asked, as data), Run (all of them). Package
// scenario builds a simulation, runner has many of them done, and results makes
// curves, knees and verdicts of their outcomes.
package experiments
