package main

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/experiments"
	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/internal/strict"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

// catalog is one kind of thing that an experiment can name.
type catalog struct {
	kind    string
	doc     string
	columns []string
	rows    func() ([][]string, error)
	show    func(name string) (text string, err error)
}

// catalogs lists every kind, in the order of `kneepoint list`.
func catalogs() []catalog {
	return []catalog{
		{"experiments", "experiments that come with kneepoint: kneepoint run NAME",
			[]string{"name", "title"}, experimentRows, showExperiment},
		{"models", "model.name",
			[]string{"name", "parameters", "layers", "heads", "KV heads", "context", "KV bytes/token"}, modelRows, showModel},
		{"accelerators", "hardware.accelerator",
			[]string{"name", "memory", "bandwidth", "bf16/fp16 TFLOP/s", "link GB/s", "TDP W", "$/h"}, acceleratorRows, showAccelerator},
		{"engines", "hardware.engine",
			[]string{"name", "title"}, engineRows, showEngine},
		{"workloads", "workload.name",
			[]string{"name", "title"}, workloadRows, showWorkload},
		{"acceptance", "acceptance of [strategy.speculation]",
			[]string{"name", "title", "by place in the proposal"}, acceptanceRows, showAcceptance},
		{"policies", "keys of [[strategy]]",
			[]string{"name", "key", "what it does", "reads"}, policyRows, showPolicy},
		{"metrics", "keys of results",
			[]string{"name", "unit", "meaning"}, metricRows, showMetric},
	}
}

func experimentRows() ([][]string, error) {
	var rows [][]string
	for _, name := range experiments.Names() {
		var file struct{ Title string }
		source, _ := experiments.Source(name)
		if _, err := toml.Decode(source, &file); err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, file.Title})
	}
	return rows, nil
}

func showExperiment(name string) (string, error) {
	source, ok := experiments.Source(name)
	if !ok {
		return "", errNotHere
	}
	return source, nil
}

func modelRows() ([][]string, error) {
	var rows [][]string
	for _, name := range model.Names() {
		a, err := model.Lookup(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, parameters(a.Parameters()), fmt.Sprint(a.Layers), fmt.Sprint(a.Heads),
			fmt.Sprint(a.KVHeads), fmt.Sprint(a.MaxContext), fmt.Sprintf("%.0f", float64(a.KVBytesPerToken(hardware.BF16)))})
	}
	return rows, nil
}

func showModel(name string) (string, error) {
	a, err := model.Lookup(name)
	if err != nil {
		return "", err
	}
	text, err := asTOML(strict.Encode(&a))
	return text + fmt.Sprintf("\n# %s parameters; weights take %s in bf16, and each token %s of KV cache\n",
		parameters(a.Parameters()), units.Bytes(2*a.Parameters()), a.KVBytesPerToken(hardware.BF16)), err
}

// parameters writes a number of parameters as model cards do: "559M", "8.03B",
// "1.03T".
func parameters(n float64) string {
	switch {
	case n < 999.5e6:
		return units.Decimals(n/1e6, 0) + "M"
	case n < 999.5e9:
		return units.Short(n/1e9) + "B"
	default:
		return units.Short(n/1e12) + "T"
	}
}

func acceleratorRows() ([][]string, error) {
	var rows [][]string
	for _, name := range hardware.Accelerators() {
		a, err := hardware.LookupAccelerator(name)
		if err != nil {
			return nil, err
		}
		price, link := "–", "–"
		if a.USDPerHour > 0 {
			price = fmt.Sprintf("%.2f", a.USDPerHour)
		}
		if a.ScaleUp.World > 1 {
			link = fmt.Sprintf("%.0f", float64(a.ScaleUp.Bandwidth)/1e9)
		}
		bandwidth, _ := a.Bandwidth.MarshalText()
		rows = append(rows, []string{name, a.Memory.String(), string(bandwidth),
			units.Shortest(units.Round(max(a.BF16TFLOPS, a.FP16TFLOPS), 4)), link, fmt.Sprintf("%.0f", a.TDPWatts), price})
	}
	return rows, nil
}

func showAccelerator(name string) (string, error) {
	a, err := hardware.LookupAccelerator(name)
	if err != nil {
		return "", err
	}
	return asTOML(strict.Encode(&a))
}

func engineRows() ([][]string, error) {
	var rows [][]string
	for _, name := range hardware.Engines() {
		e, err := hardware.LookupEngine(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, e.Title})
	}
	return rows, nil
}

func showEngine(name string) (string, error) {
	e, err := hardware.LookupEngine(name)
	if err != nil {
		return "", err
	}
	return asTOML(strict.Encode(&e))
}

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

func acceptanceRows() ([][]string, error) {
	all, err := workloads.MeasuredAcceptances()
	var rows [][]string
	for _, m := range all {
		rows = append(rows, []string{m.Name, m.Title, probabilities(m.Probabilities)})
	}
	return rows, err
}

func showAcceptance(name string) (string, error) {
	m, err := workloads.MeasuredAcceptance(name)
	if err != nil {
		return "", errNotHere
	}
	return fmt.Sprintf("# %s\n# source: %s\nacceptance = [%s]\n", m.Title, m.Source, probabilities(m.Probabilities)), nil
}

func probabilities(all []float64) string {
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = units.Shortest(p)
	}
	return strings.Join(texts, ", ")
}

func policyRows() ([][]string, error) {
	var rows [][]string
	for _, p := range policies.Catalog() {
		rows = append(rows, []string{p.Name, p.Key, p.Doc, strings.Join(p.Keys, ", ")})
	}
	return rows, nil
}

func showPolicy(name string) (string, error) {
	for _, p := range policies.Catalog() {
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
	return strings.TrimSpace(fmt.Sprintf("%s %s", d.Key, d.Unit)) + ": " + d.Doc + "\n", nil
}

// asTOML writes a catalog entry as it would stand in a file.
func asTOML(table map[string]any) (string, error) {
	var b strings.Builder
	e := toml.NewEncoder(&b)
	e.Indent = ""
	err := e.Encode(table)
	return b.String(), err
}
