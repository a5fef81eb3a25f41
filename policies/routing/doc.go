// Package routing decides which replica of a fleet serves a request.
//
// It knows what a router of a real fleet is told: what a request looks like from
// outside, and what replicas report, as late as they report it. It must not know the
// engine, nor how long an answer will be.
package routing
