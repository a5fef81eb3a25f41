package experiments

import (
	"errors"
	"fmt"
	"path/filepath"

	"kneepoint/experiments/scenario"
	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// traceCache loads each trace once, whatever the number of runs that replay it.
type traceCache struct {
	given   map[string]*workloads.Trace // by path: traces that need not be read
	digests map[string]string           // by path and selection of rows
	loaded  *scenario.Traces            // where simulations find traces by digest
}

// withDigest is a trace table of which the path is the digest of its rows, which
// are loaded. What selects rows of a file is left out: the digest says which.
func (c *traceCache) withDigest(folder string, spec *workloads.TraceSpec) (*workloads.TraceSpec, error) {
	if spec == nil {
		return nil, nil
	}
	selection := *spec
	selection.TickJitter = nil // which spreads the rows and does not change them
	key := fmt.Sprintf("%+v", selection)
	if c.digests[key] == "" {
		trace, err := c.load(folder, spec)
		if err != nil {
			return nil, err
		}
		c.digests[key] = c.loaded.Add(trace)
	}
	rows := *spec
	rows.Path, rows.Start, rows.End, rows.Limit = c.digests[key], 0, 0, 0
	return &rows, nil
}

// load reads a trace, unless it was given. A relative path starts from folder.
func (c *traceCache) load(folder string, spec *workloads.TraceSpec) (*workloads.Trace, error) {
	if trace := c.given[spec.Path]; trace != nil {
		return trace, nil
	}
	path := spec.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	trace, err := workloads.LoadTrace(path, *spec)
	var bad *badinput.Error
	if errors.As(err, &bad) && bad.File == "" {
		return nil, bad.Under("workload.trace")
	}
	return trace, err
}
