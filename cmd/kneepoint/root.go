package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/experiments"
	"kneepoint/internal/crash"
	"kneepoint/units/badinput"
)

// Exit statuses that scripts may rely on.
const (
	exitDone        = 0
	exitFailed      = 1   // a simulation, a file or an expectation failed
	exitBadInput    = 2   // the input was wrong, nothing was simulated
	exitCrashed     = 3   // a fault of kneepoint's own
	exitInterrupted = 130 // as shells report a command that Ctrl-C ended: 128 + SIGINT
)

// execute runs one command line and returns its exit status. Results go to stdout,
// everything else to stderr, so that results can be piped while progress and messages
// stay on the terminal.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := caught(func() error { return root.ExecuteContext(ctx) })
	if err != nil && !errors.Is(err, context.Canceled) { // who interrupts knows why it ended
		fmt.Fprintln(stderr, "kneepoint: "+strings.TrimRight(err.Error(), "\n"))
	}
	return exitCode(err)
}

// caught is the error of a function, or its panic as one.
func caught(f func() error) (err error) {
	defer crash.Catch(&err)
	return f()
}

// exitCode is the status that an error means. An interrupt goes first: it may come
// with the failures of simulations that it cut short.
func exitCode(err error) int {
	var bad *badinput.Error
	var crashed *crash.Error
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &crashed):
		return exitCrashed
	case errors.As(err, &bad):
		return exitBadInput
	default:
		return exitFailed
	}
}

// newRoot makes the program's command tree, without state: tests run several.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "kneepoint",
		Short: "Simulate strategies for serving large language models",
		Long: `kneepoint simulates strategies for serving large language models: with this
model, this hardware, this traffic and this strategy, what will latency,
throughput and cost be, and at which load is the knee?`,
		Example: `  kneepoint run quickstart            run an experiment that comes with kneepoint
  kneepoint init > mine.toml          start an experiment of your own
  kneepoint run mine.toml             run it
  kneepoint plan plan-rag             how many of which accelerators, and what they cost
  kneepoint list models               the names that it can use`,
		Version:       experiments.Version,
		SilenceErrors: true, // execute prints them, on one line
		SilenceUsage:  true, // a page of usage would hide that line
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.Args = func(_ *cobra.Command, args []string) error { return unknownCommand(root, args) }
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error { return checkLines(cmd, args) }
	root.SetHelpCommand(newHelp(root))
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newRun(), newGather(), newStore(), newKnee(), newPlan(), newCompare(), newReproduce(), newEstimate(),
		newList(), newShow(), newInit(), newValidate(), newCalibrate())
	return root
}

// laterVerbs are known but not built: "unknown command" would send people looking for
// a misspelling.
var laterVerbs = []string{"schema", "workload"}

// unknownCommand refuses words after the program's name that are no verb. cobra's own
// message would lack the list of verbs, and the exit status of bad input.
func unknownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if slices.Contains(laterVerbs, args[0]) {
		return &badinput.Error{Problem: fmt.Sprintf("command %q: not supported yet", args[0])}
	}
	known := verbs(root)
	return &badinput.Error{Problem: fmt.Sprintf("unknown command %q", args[0]),
		Allowed: strings.Join(known, ", "), Nearest: badinput.Nearest(args[0], known)}
}

// verbs are the names of the commands that people type; completion is for shells.
func verbs(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return names
}

// exactly demands n arguments; what says in words which ones.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return &badinput.Error{Problem: fmt.Sprintf("%s needs %s, got %d", cmd.Name(), what, len(args)),
			Allowed: cmd.UseLine()}
	}
}
