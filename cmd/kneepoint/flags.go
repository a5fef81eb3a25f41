package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kneepoint/units/badinput"
	"kneepoint/units/printable"
)

// flagError says what is wrong with a flag in the words of every other error, and
// makes wrong input of it: cobra's own errors would end with status 1.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown)
	case errors.As(err, &invalid):
		return &badinput.Error{Key: "--" + invalid.GetFlag().Name, Value: invalid.GetValue(),
			Problem: "wrong kind of value", Allowed: valuesOf[invalid.GetFlag().Value.Type()]}
	default:
		return &badinput.Error{Problem: err.Error()}
	}
}

// unknownFlag refuses a flag, and suggests one that is spelled alike.
func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError) error {
	e := &badinput.Error{Problem: err.Error(), Allowed: "a flag that `" + cmd.CommandPath() + " --help` shows"}
	if near := badinput.Nearest(err.GetSpecifiedName(), flagNames(cmd)); near != "" {
		e.Nearest = "--" + near
	}
	return e
}

// asFlag names the flag whose value is wrong, where an error names a key of an
// experiment and not the flag: "hardware.tp" is "--tp". Flags are called like the last part of the
// key that they mean, so no table of them is needed.
func asFlag(err error) error {
	var bad *badinput.Error
	if !errors.As(err, &bad) {
		return err
	}
	if strings.HasPrefix(bad.Key, "--") {
		return err
	}
	key := bad.Key[strings.LastIndex(bad.Key, ".")+1:]
	return badinput.At("--"+strings.ReplaceAll(key, "_", "-"), err)
}

// checkFolderFlag refuses a folder that is given as nothing.
func checkFolderFlag(set *pflag.FlagSet, flag, folder string) error {
	if set.Changed(flag) && folder == "" {
		return &badinput.Error{Key: "--" + flag, Value: "", Problem: "must not be empty", Allowed: "a folder"}
	}
	return nil
}

// checkWorkers refuses a negative number of simulations at a time; 0 means one a core.
func checkWorkers(workers int) error {
	if workers < 0 {
		return &badinput.Error{Key: "--workers", Value: workers, Problem: "must not be negative"}
	}
	return nil
}

// oneOf refuses a flag's value that is none of those allowed.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return &badinput.Error{Key: flag, Value: value, Problem: "unknown value",
		Allowed: "one of " + strings.Join(allowed, ", "), Nearest: badinput.Nearest(value, allowed)}
}

// valuesOf says in words what a flag of a type takes: the errors of strconv, which
// pflag shows, name functions of Go.
var valuesOf = map[string]string{
	"int":     "a whole number",
	"uint64":  "a whole number that is not negative",
	"float64": "a number",
	"bool":    "true or false",
	"I/N":     "I/N, the I-th of N parts",
	"SIZE":    "an amount of memory with its unit, like 500MB or 2GiB",
}

// checkLines refuses names that messages, tables and results could not show. The values
// of --set are experiments' own, and checked as such.
func checkLines(cmd *cobra.Command, args []string) error {
	var wrong error
	check := func(key, text string) {
		if wrong == nil && !printable.Line(text) {
			wrong = &badinput.Error{Key: key, Value: text, Problem: "must be one line of text, without control characters"}
		}
	}
	for _, arg := range args {
		check(cmd.Name(), arg)
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "set" {
			check("--"+f.Name, f.Value.String())
		}
	})
	return wrong
}

// flagNames are the flags of a command, also those of the whole program.
func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
