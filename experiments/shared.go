package experiments

import (
	"reflect"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware/roofline"
	"kneepoint/workloads"
)

// shared is what strategies and points have in common and is found once: thousands
// of them are resolved before the first simulation starts.
type shared struct {
	traces      traceCache
	workloads   map[string]map[string]any // built-in ones by name, not to be changed
	deployments []resolvedDeployment      // the latest
}

func newShared(given map[string]*workloads.Trace, loaded *scenario.Traces) *shared {
	return &shared{
		traces:    traceCache{given: given, digests: map[string]string{}, loaded: loaded},
		workloads: map[string]map[string]any{},
	}
}

// builtin is the table of a built-in workload.
func (s *shared) builtin(name string) (map[string]any, error) {
	if table := s.workloads[name]; table != nil {
		return table, nil
	}
	table, err := workloads.Builtin(name)
	s.workloads[name] = table
	return table, err
}

// resolvedDeployment is a deployment with its constants, and as it was before.
type resolvedDeployment struct {
	asked    roofline.Deployment
	resolved *roofline.Deployment
}

// mostDeployments bounds what a new deployment is compared with.
const mostDeployments = 16

// resolve looks up the constants of a deployment. Equal ones are one.
func (s *shared) resolve(d roofline.Deployment) (*roofline.Deployment, error) {
	for i := range s.deployments {
		if known := &s.deployments[i]; reflect.DeepEqual(known.asked, d) {
			return known.resolved, nil
		}
	}
	resolved, err := d.Resolve()
	if err != nil {
		return nil, err
	}
	if len(s.deployments) == mostDeployments {
		s.deployments = s.deployments[1:]
	}
	s.deployments = append(s.deployments, resolvedDeployment{d, &resolved})
	return &resolved, nil
}
