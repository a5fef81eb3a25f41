// Package policytest holds the contract that every batching policy must keep,
// as a property test: Check drives a policy on small replicas drawn at random,
// with little memory, and looks at each of its decisions. Any policy can be
// checked, those of other modules too.
//
// It knows what the engine relies on. It must not know any policy, nor what
// makes a good decision: schedules are compared elsewhere.
package policytest
