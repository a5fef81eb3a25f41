//go:build race

package effort

// detector is what is left of counts under the race detector, which takes ten times as
// long: it sees what goroutines share the first time that they do.
const detector = 0.1
