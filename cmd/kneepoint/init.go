package main

import (
	"embed"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

// starter is a file of its own, so that tests run it as people get it.
//
//go:embed starter.toml
var starter string

// goalFiles are experiments worth running, by what is wanted of a service: NAME.toml each.
//
//go:embed goals/*.toml
var goalFiles embed.FS

// goals are what is wanted of a service, in the order of docs/guide.md, and the question of each file.
var goals = []struct{ name, question string }{
	{"chat", "first tokens in time, then a steady stream"},
	{"batch", "most tokens an hour; nobody waits for single answers"},
	{"agents", "long conversations with tools, each turn in time"},
	{"rag", "long prompts and short answers"},
	{"laptop", "one person, and a battery"},
}

// newInit makes the verb that starts an experiment. Without FILE the text goes to
// stdout, where it can be looked at or redirected.
func newInit() *cobra.Command {
	var goal string
	cmd := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Start an experiment: a small commented TOML file",
		Long: `Init writes a small commented experiment to FILE, or to stdout. An existing file is left
alone. With --goal it compares the strategies that are worth it for what is wanted:

` + goalList() + `
docs/guide.md says what comes out of each.`,
		Example: `  kneepoint init mine.toml
  kneepoint init --goal chat mine.toml
  kneepoint run mine.toml`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly(1, "at most one file name")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := starterFor(cmd.Flags().Changed("goal"), goal)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				_, err := fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			return create(args[0], text)
		},
	}
	cmd.Flags().StringVar(&goal, "goal", "", "what is wanted: "+strings.Join(goalNames(), ", "))
	return cmd
}

// goalNames are the names of all goals.
func goalNames() []string {
	var names []string
	for _, g := range goals {
		names = append(names, g.name)
	}
	return names
}

// goalList has a line for each goal.
func goalList() string {
	var text strings.Builder
	for _, g := range goals {
		fmt.Fprintf(&text, "  %-8s %s\n", g.name, g.question)
	}
	return text.String()
}

// starterFor is the text of an experiment: that of a goal, where one is given.
func starterFor(given bool, goal string) (string, error) {
	if !given {
		return starter, nil
	}
	if err := oneOf("--goal", goal, goalNames()...); err != nil {
		return "", err
	}
	text, err := goalFiles.ReadFile("goals/" + goal + ".toml")
	return string(text), err
}

// create writes a new file, unless there is one already: it may be an
// experiment that somebody wrote. O_EXCL leaves no moment between looking and writing.
func create(path, text string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if os.IsExist(err) {
		return &badinput.Error{File: path, Problem: "exists already and is left alone", Allowed: "the name of a new file"}
	}
	if err != nil {
		return &badinput.Error{File: path, Problem: "cannot be written: " + err.Error()}
	}
	if _, err := file.WriteString(text); err != nil {
		return err
	}
	return file.Close()
}
