// Command kneepoint simulates strategies for serving large language models.
// See `kneepoint help`.
//
// It knows verbs, flags, the tables on the terminal and exit statuses: it parses,
// prints, and calls. It must not know anything that a result depends on.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

// garbageShare is how much garbage, in percent of the memory in use, may pile up
// before the collector runs. Most of that memory holds records of requests, in which
// the collector has no pointers to follow: half of Go's usual 100 hardly costs time,
// and saves a quarter of the memory.
const garbageShare = 50

// heapFloor is memory in bytes that nobody touches, so that the machine provides none of it, but that the collector counts as in use.
// Many short simulations, such as those of a knee, would else have it run after every two megabytes.
const heapFloor = 32 << 20

func main() {
	if os.Getenv("GOGC") == "" { // who sets it knows better
		debug.SetGCPercent(garbageShare)
	}
	floor := make([]byte, heapFloor)
	// The first signal cancels ctx, so that what was finished can still be written.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second one ends the program at once
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	runtime.KeepAlive(floor)
	os.Exit(code)
}
