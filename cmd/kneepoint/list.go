package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"kneepoint/units/badinput"
)

// newList makes the verb that shows which names an experiment may use.
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
		ValidArgs: kinds(), // for the completion of shells
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// kinds are the names of the catalogs, for messages and completion.
func kinds() []string {
	var names []string
	for _, c := range catalogs() {
		names = append(names, c.kind)
	}
	return names
}

// listKinds prints what can be listed: the answer to `kneepoint list` alone, from
// which people go on.
func listKinds(w io.Writer, asJSON bool) error {
	var rows [][]string
	for _, c := range catalogs() {
		rows = append(rows, []string{c.kind, c.doc})
	}
	return printRows(w, []string{"kind", "what it names"}, rows, asJSON)
}

// listKind prints one catalog. "model" does for "models": the singular is what an
// experiment file has.
func listKind(w io.Writer, kind string, asJSON bool) error {
	for _, c := range catalogs() {
		if c.kind != kind && c.kind != kind+"s" {
			continue
		}
		rows, err := c.rows()
		if err != nil {
			return err
		}
		return printRows(w, c.columns, rows, asJSON)
	}
	return &badinput.Error{Problem: fmt.Sprintf("nothing of kind %q can be listed", kind),
		Allowed: strings.Join(kinds(), ", "), Nearest: badinput.Nearest(kind, kinds())}
}

// printRows writes a table, or the same as a JSON list of objects.
func printRows(w io.Writer, columns []string, rows [][]string, asJSON bool) error {
	if asJSON {
		return printJSON(w, asObjects(columns, rows))
	}
	var heads []head
	for _, title := range columns {
		heads = append(heads, head{title: title, name: isName})
	}
	t := newSheet(heads...)
	for _, row := range rows {
		t.AppendRow(tableRow(row))
	}
	var text strings.Builder
	t.print(page{Writer: &text})
	_, err := io.WriteString(w, text.String())
	return err
}

// asObjects keys the cells of every row by their columns: programs that read JSON
// should not depend on the order of columns.
func asObjects(columns []string, rows [][]string) []map[string]string {
	list := make([]map[string]string, len(rows)) // [] and not null where there are none
	for i, row := range rows {
		list[i] = map[string]string{}
		for j, cell := range row {
			list[i][columns[j]] = cell
		}
	}
	return list
}

// tableRow makes of texts what the table writer takes.
func tableRow(texts []string) table.Row {
	row := make(table.Row, len(texts))
	for i, s := range texts {
		row[i] = s
	}
	return row
}
