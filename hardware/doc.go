// Package hardware knows what machines can do: accelerators and their links,
// the software that drives them (engine profiles), and how close kernels come
// to the hardware's peaks. It also defines the contract of a cost model: what a
// step must do (Work) and what it takes (Cost). Two cost models need no model of
// an LLM: Synthetic has given constants, Measured has fitted ones.
//
// The catalogs are TOML data under catalog/, each entry with its source. They
// are parsed once, on first use, and never change; lookups return copies.
//
// The package must not know models, requests, policies or the engine: what a
// step costs for a given model is the business of the cost models in
// hardware/roofline, and which steps there are is the business of sim.
package hardware
