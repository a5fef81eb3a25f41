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
	"runtime/debug"
	"syscall"
)

// garbageShare is how much garbage, in percent of what is in use, may pile up. Most
// that is in use are records of requests, in which the collector has nothing to
// follow: half of the usual share hardly costs time, and a quarter of the memory.
const garbageShare = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbageShare)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
