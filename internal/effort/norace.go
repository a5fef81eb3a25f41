//go:build !race

package effort

// detector is what is left of counts without the race detector: all.
const detector = 1
