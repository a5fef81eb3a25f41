// Package scaling decides how many replicas a pool of a fleet has.
//
// It knows what an autoscaler of a real fleet is told: how many replicas are up, and
// what they report. It must not know the engine, nor what is still to arrive.
package scaling
