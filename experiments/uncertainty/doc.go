// Package uncertainty says what a scenario's constants may be off by, and what a scenario is
// where they are: every one of its factors is log-normal with a median of 1, and multiplies one
// kind of constants. As an efficiency, none makes a kernel faster than the hardware's peaks.
//
// Factors of hardware are those of an accelerator, since what is not known of one says nothing of
// another; those of the workload and the host are common to all scenarios. They are sampled
// by Latin hypercubes, each factor from a stream of its own: without one of them, or with a width of
// 0, the others are as they were.
//
// It knows which constants scenarios have, and how well they are measured. It must not know plans,
// candidates, or what is made of the samples.
package uncertainty
