package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

// newShow makes the verb that prints one entry in a form that can be copied, changed
// and used in its place.
func newShow() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show one entry of a catalog, with its source",
		Example: `  kneepoint show h100-sxm
  kneepoint show llama-3.1-8b
  kneepoint show quickstart > mine.toml`,
		Args: exactly(1, "a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return show(cmd.OutOrStdout(), args[0])
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			names, _ := allNames() // a shell that asks for names has no use for an error
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// show prints the entry of a name, whichever catalog it is in. Catalogs are asked in
// their order, so an experiment hides a model of the same name.
func show(w io.Writer, name string) error {
	for _, c := range catalogs() {
		text, err := c.show(name)
		if err == nil {
			_, err := io.WriteString(w, text)
			return err
		}
		if !isElsewhere(err) {
			return err
		}
	}
	return unknownEntry(name)
}

// isElsewhere tells whether a catalog lacks an entry, in contrast to one that has it
// and cannot read it.
func isElsewhere(err error) bool {
	var bad *badinput.Error
	return errors.Is(err, errNotHere) || errors.As(err, &bad)
}

// unknownEntry refuses a name, and suggests those that it begins, such as h100-sxm for h100, or else
// the nearest one of all catalogs: who types a name need not know of which kind it is.
func unknownEntry(name string) error {
	names, err := allNames()
	if err != nil {
		return err
	}
	bad := &badinput.Error{Problem: fmt.Sprintf("no catalog has an entry %q", name),
		Allowed: "a name that `kneepoint list KIND` shows", Nearest: badinput.Nearest(name, names)}
	variants := slices.DeleteFunc(names, func(entry string) bool { return !strings.HasPrefix(entry, name+"-") })
	if len(variants) > 0 {
		bad.Allowed, bad.Nearest = "one of "+strings.Join(variants, ", "), ""
	}
	return bad
}

// allNames are the names of the entries of all catalogs.
func allNames() ([]string, error) {
	var names []string
	for _, c := range catalogs() {
		rows, err := c.rows()
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			names = append(names, row[0])
		}
	}
	return names, nil
}
