// Package heldout says how wrong predictions are of what no constant was chosen with: it
// fits the constants that serving runs entered again, without a model, an accelerator or a
// version of an engine, and predicts the runs that were left out.
//
// Refitted are constants of engine profiles and the launches of expert kernels (see
// constants). Each is moved over a list of values, from what the kernels' tables alone
// say, to lessen
//
//	the mean of sqrt(0.05² + x²) over runs and their mean latencies, x = min(0.5, |ln(predicted/measured)|)
//
// one after the other, and two that do much the same against each other, until no neighbouring
// value is better. Those of the front end are judged by runs with cached prompts alone,
// where a profile has any. Constants of kernels
// are not refitted, since no serving run entered them; without an accelerator they are
// those of its class, or of another of its architecture.
//
// It knows which constants were chosen with serving runs in view, and what a profile
// without a run of its own is given instead. It must not know how a run is repeated, which is
// package validate's, nor change a constant that is built in.
package heldout
