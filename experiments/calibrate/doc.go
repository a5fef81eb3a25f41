// Package calibrate fits the few constants of a profile to a user's own
// measurements, and says how well they predict what was held out.
//
// Two kinds of measurements are read. Timed steps give the coefficients of
// hardware.Measured, by non-negative least squares on relative errors. Results
// of vLLM's serving benchmark give constants of an engine profile: every run is
// simulated, and the constants move until its latencies are met, no further
// from the starting profile than the runs demand.
//
// It knows the layout of the measurements and how an experiment repeats them.
// It must not know how a step's time follows from an engine's constants, nor
// print: a fit is returned with its errors and warnings.
package calibrate
