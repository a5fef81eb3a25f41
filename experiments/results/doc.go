// Package results is what simulations found out, as data: runs, curves, knees,
// paired differences, and verdicts on what was expected and claimed.
//
// It knows a plan (what was asked) and outcomes by key (what each simulation
// yielded), and makes results of them: Aggregate is a pure function, so results
// can be made again from a folder of files, on another machine, years later. It
// must not know how a simulation is built or run, which policies or hardware it
// had, how an experiment file is read, or how results are drawn or printed. Of
// the engine it imports the metrics alone.
//
// The pipeline, one file each: group (runs of one strategy at one point), series
// (groups to curves), knee, difference (pairs of groups), expectations and
// claims (verdicts), warnings. A Folder is where results are written, and Read
// brings back what Aggregate made them of.
package results
