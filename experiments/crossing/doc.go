// Package crossing finds at which value of a variable two things are as good as each other, and
// how sure that is.
//
// It knows paired differences as a function of the variable: at every value as many as are asked for, the
// i-th of which has the same random numbers everywhere. It must not know what differs, or what the variable is.
//
// The range is looked at in a few places (find.go), and between those at which the difference is known to have opposite
// signs there is a crossing. It is where the mean difference is 0, and its 95 % interval is all values at which that of the mean
// difference, by Student's distribution, holds 0: the test of a tie, inverted, which for differences along
// a line is Fieller's interval. Three roots are so found of one function (root.go). Where the interval is wider
// than was asked for, there are more replications.
package crossing
