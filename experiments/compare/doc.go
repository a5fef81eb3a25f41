// Package compare says how one strategy, or one folder of results, or one plan, differs from
// another: by how much, how sure that is, and whether it is worse by more than is tolerated.
//
// It knows results and plans as data. It must not know how they were simulated, where
// they were read from, or how a comparison is printed.
//
// A is the side that is compared with, B the one that is judged. Per metric and point the pipeline is:
// the values of both by replication, paired where both served the same requests (results.go); the
// difference and the ratio of the means with 95 % intervals (contrast.go); a verdict that
// holds for all metrics and points at once (verdict.go).
package compare
