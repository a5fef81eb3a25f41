// Package estimate answers questions about a deployment without a simulation: does
// a model fit, how fast is a prompt and a token, where does the time go, how many
// sequences does a replica serve at a time and at what price, how long does it take
// to start, how far does a battery reach.
//
// It knows a cost model of package roofline, whose steps it puts together, and
// what an accelerator draws and costs. It must not know requests that come at
// times of their own, policies or the clock: nothing waits in a queue, and where
// that matters a simulation says more.
//
//	question -> steps of the cost model -> phases and service -> report
package estimate
