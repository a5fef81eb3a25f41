package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"kneepoint/units/badinput"
)

func TestExitCode(t *testing.T) {
	crashed := caught(func() error { panic("index out of range") })
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("disk full"), 1},
		{fmt.Errorf("run 3: %w", &badinput.Error{Problem: "is wrong"}), 2},
		{errors.Join(errors.New("run 3"), fmt.Errorf("run 4: %w", crashed)), 3},
		{errors.Join(crashed, context.Canceled), 130},
	} {
		if got := exitCode(c.err); got != c.want {
			t.Errorf("status %d of %v, want %d", got, c.err, c.want)
		}
	}
}
