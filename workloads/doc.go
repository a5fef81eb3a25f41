// Package workloads says who asks for what, and when: requests with their
// arrival times, their numbers of tokens and what they have in common, from laws,
// from traces, or from built-in workloads that were fitted to published traces.
//
// A Spec is the [workload] table of an experiment. New turns it into a Traffic,
// which yields requests one by one, in order of arrival, without keeping them.
// Every purpose draws from its own random stream (see Stream), and arrivals are
// drawn at unit rate and their times then scaled: two runs that differ in the strategy,
// or in the rate, serve the same requests.
//
// It knows what clients do, whoever serves them. It must not know models,
// hardware, batches or latencies. It does not resolve paths, and it does not look
// up the name of a workload by itself: the caller merges a user's tables over
// Builtin with Merge.
package workloads
