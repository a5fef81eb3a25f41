package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

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
			names, _ := allNames()
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// show prints the entry of that name, whichever catalog it is in.
func show(w io.Writer, name string) error {
	for _, c := range catalogs() {
		text, err := c.show(name)
		var bad *badinput.Error
		switch {
		case err == nil:
			_, err := io.WriteString(w, text)
			return err
		case !errors.Is(err, errNotHere) && !errors.As(err, &bad):
			return err
		}
	}
	names, err := allNames()
	if err != nil {
		return err
	}
	return &badinput.Error{Problem: fmt.Sprintf("no catalog has an entry %q", name),
		Allowed: "a name that `kneepoint list KIND` shows", Nearest: badinput.Nearest(name, names)}
}

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
