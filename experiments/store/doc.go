// Package store keeps what simulations found, so that none is made twice: a file for
// each outcome in a folder, by a hash of all that the outcome depends on, which several
// processes and machines may share.
//
// An entry is found by the key of its scenario, which holds everything that was asked,
// and by Build, which tells the programs apart that may find something else. So nothing
// is ever out of date: what was asked differently, or of another program, is not found.
// An entry is written whole or not at all, and checked when it is read: one that is
// damaged counts as none.
//
// It knows buckets of files, keys, and that what is kept is plain data. It must not know
// what a scenario, an outcome or an experiment is.
package store
