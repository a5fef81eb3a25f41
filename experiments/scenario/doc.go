// Package scenario is one simulation as a plain value: pools of replicas, traffic,
// objectives, what is measured, and the numbers that random draws depend on.
//
// A Scenario holds everything that its outcome depends on and nothing else: no
// function, no path, no name that a catalog would have to explain. Equal values
// have equal Bytes, and their Key, a hash of these bytes and of the engine's
// revision, is where a store finds the outcome. A catalog may therefore change
// under a name, and a finished simulation stays what it was.
//
// A Builder makes the engine's configuration of a scenario. What its parts ask of
// each other and cannot have, a model that does not fit or a reservation without a
// context, is found there.
//
// It knows the engine, policies, cost models and traffic. It must not know the
// experiment file, sweeps, or what outcomes are compared with.
package scenario
