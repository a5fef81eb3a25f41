// Package policies holds the decisions of a serving engine: which sequences the
// next step works on, how many of their tokens, which requests join the batch,
// and which must give their memory back.
//
// A policy sees a read-only View of one replica and returns a Decision; the
// engine carries it out. A policy must not know the engine, the clock's future,
// nor how many tokens a sequence will really generate: a View has no such field.
// Nor does a View tell the cost of a step; a policy that predicts it, as adaptive
// speculation does, is given the prediction when it is made. Where an engine of the field does know a bound, as
// when every client declares its max_tokens, a Reservation turns it into memory
// to set aside when the request arrives.
package policies
