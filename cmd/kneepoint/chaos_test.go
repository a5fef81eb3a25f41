//go:build chaos && unix

package main

import (
	"testing"

	"kneepoint/internal/effort"
)

// TestChaosInterruptions interrupts hundreds of runs.
func TestChaosInterruptions(t *testing.T) {
	interruptMany(t, effort.Times(t, 240), []string{"nothing", "empty", "earlier", "foreign", "inside", "mount"})
}
