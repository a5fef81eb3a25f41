package experiments

import (
	"reflect"

	"kneepoint/experiments/scenario"
	"kneepoint/hardware"
	"kneepoint/hardware/roofline"
	"kneepoint/workloads"
)

// shared is what strategies and points have in common and is found once: thousands
// of them are resolved before the first simulation starts. It belongs to one
// resolution of a file, within which files and catalogs do not change.
type shared struct {
	traces      traceCache
	workloads   map[string]map[string]any // built-in ones by name, not to be changed
	quantiles   map[string][]any          // of files by path, not to be changed
	deployments []resolvedDeployment      // the latest mostDeployments different ones
	prices      map[string]hardware.PriceBasis
	means       []lawMean // the latest mostMeans different ones
}

func newShared(given map[string]*workloads.Trace, loaded *scenario.Traces) *shared {
	return &shared{
		traces:    traceCache{given: given, digests: map[string]string{}, loaded: loaded},
		workloads: map[string]map[string]any{},
		quantiles: map[string][]any{},
		prices:    map[string]hardware.PriceBasis{},
	}
}

// builtinWorkload is the table of a built-in workload, which callers must not change;
// a *badinput.Error when there is none of the name.
func (s *shared) builtinWorkload(name string) (map[string]any, error) {
	if table := s.workloads[name]; table != nil {
		return table, nil
	}
	table, err := workloads.Builtin(name)
	s.workloads[name] = table
	return table, err
}

// resolvedDeployment is a deployment before and after its constants were looked up.
type resolvedDeployment struct {
	asked    roofline.Deployment
	resolved *roofline.Deployment
}

// mostDeployments bounds the deployments that a new one is compared with: a sweep over
// hardware should not compare each with all before.
const mostDeployments = 16

// resolveDeployment looks up the constants of a deployment. Equal deployments get the
// same pointer, by which a Builder finds their cost model without comparing constants.
func (s *shared) resolveDeployment(d roofline.Deployment) (*roofline.Deployment, error) {
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

// lawMean is the mean of a law of lengths.
type lawMean struct {
	law  workloads.LengthSpec
	mean float64
}

// mostMeans is those of a request and its answer, and as many of others between which a sweep changes.
const mostMeans = 4

// drawnMean is that of a law which other points had, too, looked up.
func (s *shared) drawnMean(law *workloads.LengthSpec) float64 {
	for i := range s.means {
		if known := &s.means[i]; reflect.DeepEqual(&known.law, law) {
			return known.mean
		}
	}
	if len(s.means) == mostMeans {
		s.means = s.means[1:]
	}
	s.means = append(s.means, lawMean{*law, drawnMean(law)})
	return s.means[len(s.means)-1].mean
}
