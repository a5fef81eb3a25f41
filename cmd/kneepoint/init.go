package main

import (
	_ "embed"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

// starter is a file of its own, so that tests run it as people get it.
//
//go:embed starter.toml
var starter string

// newInit makes the verb that starts an experiment. Without FILE the text goes to
// stdout, where it can be looked at or redirected.
func newInit() *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE]",
		Short: "Start an experiment: a small commented TOML file",
		Long:  "Init writes a small commented experiment to FILE, or to stdout. An existing file is left alone.",
		Example: `  kneepoint init mine.toml
  kneepoint run mine.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly(1, "at most one file name")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				_, err := fmt.Fprint(cmd.OutOrStdout(), starter)
				return err
			}
			return createStarter(args[0])
		},
	}
}

// createStarter writes the starter file, unless there is a file already: it may be an
// experiment that somebody wrote. O_EXCL leaves no moment between looking and writing.
func createStarter(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		return &badinput.Error{File: path, Problem: "exists already and is left alone", Allowed: "the name of a new file"}
	}
	if err != nil {
		return &badinput.Error{File: path, Problem: "cannot be written: " + err.Error()}
	}
	if _, err := file.WriteString(starter); err != nil {
		return err
	}
	return file.Close()
}
