package main

import "testing"

// TestExpertSkewOfZero: 0 is what the measured kernels have, as model.expert_skew has it, and the default.
func TestExpertSkewOfZero(t *testing.T) {
	status, want, stderr := command(t, estimateMoE...)
	if status != exitDone {
		t.Fatal(stderr)
	}
	if status, got, stderr := command(t, with(estimateMoE, "--expert-skew", "0")...); status != exitDone || got != want {
		t.Errorf("exit status %d: %s\n%s\nwant\n%s", status, stderr, got, want)
	}
}
