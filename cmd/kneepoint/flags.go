package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kneepoint/units/badinput"
)

// flagError tells what is wrong with a flag in the words of every other error.
func flagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		e := &badinput.Error{Problem: err.Error(), Allowed: "a flag that `" + cmd.CommandPath() + " --help` shows"}
		if near := badinput.Nearest(unknown.GetSpecifiedName(), flagNames(cmd)); near != "" {
			e.Nearest = "--" + near
		}
		return e
	case errors.As(err, &invalid):
		return &badinput.Error{Key: "--" + invalid.GetFlag().Name, Value: invalid.GetValue(),
			Problem: "wrong kind of value", Allowed: valuesOf[invalid.GetFlag().Value.Type()]}
	default:
		return &badinput.Error{Problem: err.Error()}
	}
}

// valuesOf says what a flag of a type takes.
var valuesOf = map[string]string{
	"int":     "a whole number",
	"uint64":  "a whole number that is not negative",
	"float64": "a number",
	"bool":    "true or false",
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
