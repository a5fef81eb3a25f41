package main

import (
	"fmt"
	"strings"

	"kneepoint/units"
	"kneepoint/workloads"
)

// workloadRows have the title alone, which says what was measured: the laws of a
// workload do not fit into a row.
func workloadRows() ([][]string, error) {
	var rows [][]string
	for _, name := range workloads.Names() {
		d, err := workloads.Describe(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, d.Title})
	}
	return rows, nil
}

// showWorkload is the table under the name that it has in an experiment. Where it is
// from, and under which licence, is in comments: no key of an experiment says it.
func showWorkload(name string) (string, error) {
	table, err := workloads.Builtin(name)
	if err != nil {
		return "", err
	}
	d, err := workloads.Describe(name)
	if err != nil {
		return "", err
	}
	text, err := asTOML(map[string]any{"workload": table})
	return fmt.Sprintf("# %s\n# source: %s\n# licence: %s\n\n", d.Title, d.Source, d.Licence) + text, err
}

// acceptanceRows have the probabilities too: they are what people compare with their own.
func acceptanceRows() ([][]string, error) {
	all, err := workloads.MeasuredAcceptances()
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{m.Name, m.Title, probabilities(m.Probabilities)})
	}
	return rows, err
}

// showAcceptance is the key as [strategy.speculation] reads it.
func showAcceptance(name string) (string, error) {
	m, err := workloads.MeasuredAcceptance(name)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("# %s\n# source: %s\nacceptance = [%s]\n", m.Title, m.Source, probabilities(m.Probabilities)), nil
}

// probabilities writes them as a TOML list does, without its brackets.
func probabilities(all []float64) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = units.Shortest(p)
	}
	return strings.Join(texts, ", ")
}
