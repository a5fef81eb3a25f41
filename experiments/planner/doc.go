// Package planner finds how many units of which candidate serve a demand at the least cost.
//
// It knows candidates as scenarios of one unit, what a unit costs, and how many there may be;
// it simulates fleets of several units, and ranks them. It must not know how a plan is
// written, where prices come from, or how an answer is told: what it found is
// results.Option.
//
// The pipeline: pilots (pilot.go) tell of every candidate whether a request that has a unit for
// itself meets its objective, and about how many units the demand takes; the
// candidates are then sized (size.go) one look at a time, always the one whose next look is at the
// least price, so that what turns out to take more than was thought waits behind those that may be
// cheaper. Once two of an accelerator are sized, any other of it that misses the target with as many units
// as the second of them pays for is given up after that one look, so that what is left out is proved
// to be dearer, not guessed. The fleets that are answers are then measured (measure.go), spares
// included. All candidates see the same requests.
package planner
