package main

import (
	"fmt"
	"strings"

	"kneepoint/policies"
	"kneepoint/policies/routing"
	"kneepoint/policies/scaling"
	"kneepoint/sim/metrics"
)

// allPolicies describes what keys of [[strategy]] and [fleet] name.
func allPolicies() []policies.Description {
	all := policies.Catalog()
	for _, r := range routing.Routers {
		all = append(all, r.Description)
	}
	for _, s := range scaling.Scalers {
		all = append(all, s.Description)
	}
	return all
}

// policyRows have the keys that a policy reads beside the one that names it.
func policyRows() ([][]string, error) {
	var rows [][]string
	for _, p := range allPolicies() {
		rows = append(rows, []string{p.Name, p.Key, p.Doc, strings.Join(p.Keys, ", ")})
	}
	return rows, nil
}

// showPolicy is one line, or two with the keys: all that is known of a policy is in
// its own room.
func showPolicy(name string) (string, error) {
	for _, p := range allPolicies() {
		if p.Name != name {
			continue
		}
		text := fmt.Sprintf("%s (%s): %s\n", p.Name, p.Key, p.Doc)
		if len(p.Keys) > 0 {
			text += fmt.Sprintf("reads: %s\n", strings.Join(p.Keys, ", "))
		}
		return text, nil
	}
	return "", errNotHere
}

// metricRows are in the order of the columns of results.csv.
func metricRows() ([][]string, error) {
	var rows [][]string
	for _, d := range metrics.Definitions {
		rows = append(rows, []string{d.Key, d.Unit, d.Doc})
	}
	return rows, nil
}

func showMetric(name string) (string, error) {
	d, ok := metrics.Lookup(name)
	if !ok {
		return "", errNotHere
	}
	// A count or a ratio has no unit, and then no space before the colon.
	return strings.TrimSpace(fmt.Sprintf("%s %s", d.Key, d.Unit)) + ": " + d.Doc + "\n", nil
}
