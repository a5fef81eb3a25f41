package experiments

import (
	"errors"
	"fmt"
	"path/filepath"

	"kneepoint/units/badinput"
	"kneepoint/workloads"
)

// traceCache loads each trace once, whatever the number of runs that replay it.
type traceCache struct {
	traces map[string]*workloads.Trace
}

// load returns the trace of a workload, nil when it has none. A relative path
// starts from folder.
func (c *traceCache) load(folder string, spec *workloads.Spec) (*workloads.Trace, error) {
	if spec.Trace == nil {
		return nil, nil
	}
	path := spec.Trace.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	rows := *spec.Trace
	rows.TickJitter = nil // which spreads the rows and does not change them
	key := fmt.Sprintf("%s %+v", path, rows)
	if t, ok := c.traces[key]; ok {
		return t, nil
	}
	t, err := workloads.LoadTrace(path, *spec.Trace)
	var bad *badinput.Error
	if errors.As(err, &bad) && bad.Key != "" {
		return nil, bad.Under("workload.trace")
	}
	if err != nil {
		return nil, err
	}
	if c.traces == nil {
		c.traces = map[string]*workloads.Trace{}
	}
	c.traces[key] = t
	return t, nil
}
