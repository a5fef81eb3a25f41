//go:build unix

package main

import (
	"syscall"
	"time"
)

// cpuSeconds is the CPU that this process has taken so far; 0 where the system does not say it.
func cpuSeconds() float64 {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return (time.Duration(usage.Utime.Nano()) + time.Duration(usage.Stime.Nano())).Seconds()
}
