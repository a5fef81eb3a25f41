package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

// errNotHere is what a catalog's show answers to a name that it does not know.
var errNotHere = errors.New("not in this catalog")

func newList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [KIND]",
		Short: "List what an experiment can name: models, accelerators, workloads, …",
		Example: `  kneepoint list                the kinds
  kneepoint list models         the models, with their sizes
  kneepoint list metrics        every key of the results, with its meaning`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactly(1, "at most one kind")(cmd, args)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listKinds(cmd.OutOrStdout(), asJSON)
			}
			return listKind(cmd.OutOrStdout(), args[0], asJSON)
		},
		ValidArgs: kinds(),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func kinds() []string {
	var names []string
	for _, c := range catalogs() {
		names = append(names, c.kind)
	}
	return names
}

func listKinds(w io.Writer, asJSON bool) error {
	var rows [][]string
	for _, c := range catalogs() {
		rows = append(rows, []string{c.kind, c.doc})
	}
	return printRows(w, []string{"kind", "what it names"}, rows, asJSON)
}

func listKind(w io.Writer, kind string, asJSON bool) error {
	for _, c := range catalogs() {
		if c.kind == kind || c.kind == kind+"s" {
			rows, err := c.rows()
			if err != nil {
				return err
			}
			return printRows(w, c.columns, rows, asJSON)
		}
	}
	return &badinput.Error{Problem: fmt.Sprintf("nothing of kind %q can be listed", kind),
		Allowed: strings.Join(kinds(), ", "), Nearest: badinput.Nearest(kind, kinds())}
}

// printRows writes a table, or the same as a JSON list of objects.
func printRows(w io.Writer, columns []string, rows [][]string, asJSON bool) error {
	if asJSON {
		list := make([]map[string]string, len(rows))
		for i, row := range rows {
			list[i] = map[string]string{}
			for j, cell := range row {
				list[i][columns[j]] = cell
			}
		}
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(list)
	}
	t := newTable()
	t.AppendHeader(cells(columns))
	for _, row := range rows {
		t.AppendRow(cells(row))
	}
	for _, line := range strings.Split(t.Render(), "\n") {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	return nil
}

func cells(texts []string) table.Row {
	row := make(table.Row, len(texts))
	for i, s := range texts {
		row[i] = s
	}
	return row
}
