package main

import (
	"errors"
	"strings"

	"github.com/BurntSushi/toml"

	"kneepoint/experiments"
	"kneepoint/hardware"
)

// catalog is one kind of thing that an experiment can name, or that results have.
// `kneepoint list` prints its rows, `kneepoint show` one of its entries.
type catalog struct {
	kind    string   // plural, as people type it
	doc     string   // where an experiment uses the names
	columns []string // titles; the first column is the name, by which show finds an entry

	// rows are the entries, in the order of the catalog's own room.
	rows func() ([][]string, error)
	// show is an entry as text. A name that the catalog does not have gives
	// errNotHere or wrong input, since several rooms suggest a spelling themselves.
	show func(name string) (text string, err error)
}

// errNotHere is the answer of a catalog's show to a name that it does not have.
var errNotHere = errors.New("not in this catalog")

// catalogs lists every kind in the order of an experiment file: what an experiment
// is first, what its results are called last.
func catalogs() []catalog {
	return []catalog{
		{"experiments", "experiments that come with kneepoint: kneepoint run NAME",
			[]string{"name", "title"}, func() ([][]string, error) { return titleRows(experiments.Names()) }, showExperiment},
		{"plans", "plans that come with kneepoint: kneepoint plan NAME",
			[]string{"name", "title"}, func() ([][]string, error) { return titleRows(experiments.Plans()) }, showExperiment},
		{"models", "model.name",
			[]string{"name", "parameters", "layers", "heads", "KV heads", "context", "KV bytes/token"}, modelRows, showModel},
		{"accelerators", "hardware.accelerator",
			[]string{"name", "memory", "bandwidth", "bf16/fp16 TFLOP/s", "link GB/s", "TDP W", "$/h, " + hardware.DefaultPriceBasis},
			acceleratorRows, showAccelerator},
		{"engines", "hardware.engine",
			[]string{"name", "title"}, engineRows, showEngine},
		{"prices", "prices.basis",
			[]string{"name", "title", "date", "accelerators"}, priceRows, showPrices},
		{"workloads", "workload.name",
			[]string{"name", "title"}, workloadRows, showWorkload},
		{"acceptance", "acceptance of [strategy.speculation]",
			[]string{"name", "title", "by place in the proposal"}, acceptanceRows, showAcceptance},
		{"policies", "keys of [[strategy]] and [fleet]",
			[]string{"name", "key", "what it does", "reads"}, policyRows, showPolicy},
		{"metrics", "keys of results",
			[]string{"name", "unit", "meaning"}, metricRows, showMetric},
	}
}

// titleRows are the names and titles of experiments. It reads the title alone: to list an
// experiment it need not be resolved, which takes the time of drawing its traffic.
func titleRows(names []string) ([][]string, error) {
	var rows [][]string
	for _, name := range names {
		var file struct{ Title string }
		source, _ := experiments.Source(name)
		if _, err := toml.Decode(source, &file); err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, file.Title})
	}
	return rows, nil
}

// showExperiment is the file with its comments, so that it can be copied and changed.
func showExperiment(name string) (string, error) {
	source, ok := experiments.Source(name)
	if !ok {
		return "", errNotHere
	}
	return source, nil
}

// asTOML writes a catalog entry as a file has it, so that it can be saved, changed
// and named by its path.
func asTOML(table map[string]any) (string, error) {
	var b strings.Builder
	e := toml.NewEncoder(&b)
	e.Indent = "" // the catalogs' own files have none
	err := e.Encode(table)
	return b.String(), err
}
