// Package policies holds the decisions of a serving engine: which sequences the
// next step works on, how many of their tokens, which requests join the batch,
// and which must give their memory back.
//
// A policy knows a read-only View of one replica and returns a Decision; the
// engine carries it out. It must not know the engine, the clock's future, nor
// how many tokens a sequence will really generate: a View has no such field. Nor
// does a View tell the cost of a step; a policy that predicts it, as adaptive
// speculation does, is given the prediction when it is made. Where an engine of
// the field does know a bound, as when every client declares its max_tokens, a
// Reservation turns it into memory to set aside when the request arrives, or a policy
// reads it as the Most that a sequence may come to.
//
// # Tables
//
// Schedulers, Orders, Reservations, Evictions and SpeculationMethods list what an
// experiment can name. An entry has its name and documentation, the keys that it
// reads, what it may be combined with, and how it is made; an entry with a type of
// its own is written in the file of that type. The schema of the experiment file,
// the command line's list and the tests read the tables, so that nothing else has
// to know an entry by name. Policies that no table lists are used from Go.
//
// # Wrappers
//
// Swapping, LayerWise and Speculative change the decisions of another policy. They
// keep it in a field: a wrapper that embedded it would hand out the other's Totals
// as its own.
package policies
