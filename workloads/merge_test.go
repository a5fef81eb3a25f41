package workloads

import (
	"reflect"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func table(t *testing.T, text string) map[string]any {
	t.Helper()
	var parsed map[string]any
	if err := toml.Unmarshal([]byte(text), &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}

func TestMerge(t *testing.T) {
	const base = `
arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }
input = { type = "empirical", quantiles = [1, 2] }
output = { type = "empirical", quantiles = [3, 4] }`
	const lengths = `
input = { type = "empirical", quantiles = [1, 2] }
output = { type = "empirical", quantiles = [3, 4] }`
	for name, c := range map[string]struct{ user, want string }{
		"nothing":      {"", base},
		"a key beside": {"name = 'x'\nnum_requests = 5", "name = 'x'\nnum_requests = 5" + base},
		"a rate": {"arrival = { rate = 2 }",
			`arrival = { process = "gamma", rate = 2, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }` + lengths},
		"another process": {"arrival = { process = 'poisson', rate = 2 }", "arrival = { process = 'poisson', rate = 2 }" + lengths},
		"an alias": {"arrival = { burstiness = 2.0 }",
			`arrival = { process = "gamma", rate = 5.53, burstiness = 2.0, modulation = { cv = 0.22, tau = "5m" } }` + lengths},
		"both aliases": {"arrival = { burstiness = 2.0, cv = 3.0 }",
			`arrival = { process = "gamma", rate = 5.53, burstiness = 2.0, cv = 3.0, modulation = { cv = 0.22, tau = "5m" } }` + lengths},
		"a table in a table": {"arrival = { modulation = { cv = 0.5 } }",
			`arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.5, tau = "5m" } }` + lengths},
		"stages": {"arrival = { stages = [{ rate = 1, duration = '9s' }] }",
			`arrival = { process = "gamma", stages = [{ rate = 1, duration = '9s' }], cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }` + lengths},
		"hours": {"arrival = { hourly = [1, 2] }",
			`arrival = { process = "gamma", rate = 5.53, hourly = [1, 2], cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }` + lengths},
		"a bound": {"output = { max = 9 }", `
arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }
input = { type = "empirical", quantiles = [1, 2] }
output = { type = "empirical", quantiles = [3, 4], max = 9 }`},
		"another length": {"input = { type = 'fixed', mean = 9 }", `
arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }
input = { type = "fixed", mean = 9 }
output = { type = "empirical", quantiles = [3, 4] }`},
		"correlated outputs with other inputs": {"input = { type = 'fixed', mean = 9 }\noutput = { correlation = 0.3 }", `
arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }
input = { type = "fixed", mean = 9 }
output = { type = "empirical", quantiles = [3, 4], correlation = 0.3 }`},
		"users": {"session = { turns = 3, users = 5 }", lengths + "\nsession = { turns = 3, users = 5 }"},
		"turns of their own": {"session = { turns = 3, input = { type = 'fixed', mean = 9 } }", `
arrival = { process = "gamma", rate = 5.53, cv = 1.07, modulation = { cv = 0.22, tau = "5m" } }
output = { type = "empirical", quantiles = [3, 4] }
session = { turns = 3, input = { type = 'fixed', mean = 9 } }`},
		"clients with a law of their own": {"client = [{ share = 0.5, input = { type = 'fixed', mean = 9 } }, { share = 0.5 }]",
			base + "\nclient = [{ share = 0.5, input = { type = 'fixed', mean = 9 } }, { share = 0.5 }]"},
		"clients that all have their own, inline": {"client = [{ arrival = { rate = 9 } }]", lengths + "\nclient = [{ arrival = { rate = 9 } }]"},
		"clients that all have their own": {"[[client]]\narrival = { rate = 9 }\ninput = { type = 'fixed', mean = 9 }\n[[client]]\narrival = { rate = 8 }\ninput = { type = 'fixed', mean = 8 }", `
output = { type = "empirical", quantiles = [3, 4] }
[[client]]
arrival = { rate = 9 }
input = { type = 'fixed', mean = 9 }
[[client]]
arrival = { rate = 8 }
input = { type = 'fixed', mean = 8 }`},
		"a trace": {"trace = { path = 'x' }", "trace = { path = 'x' }"},
		"a trace and a rate": {"trace = { path = 'x' }\narrival = { process = 'poisson', rate = 1 }",
			"trace = { path = 'x' }\narrival = { process = 'poisson', rate = 1 }"},
	} {
		t.Run(name, func(t *testing.T) {
			builtin, user := table(t, base), table(t, c.user)
			got := Merge(builtin, user)
			if diff := cmp.Diff(table(t, c.want), got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
			if !reflect.DeepEqual(builtin, table(t, base)) || !reflect.DeepEqual(user, table(t, c.user)) {
				t.Errorf("%s: Merge changed its arguments", name)
			}
		})
	}
	correlated := func(user string) any {
		builtin := table(t, base)
		builtin["output"].(map[string]any)["correlation"] = 0.7
		return Merge(builtin, table(t, user))["output"].(map[string]any)["correlation"]
	}
	for user, want := range map[string]any{
		"":                                     0.7,
		"input = { max = 50 }":                 0.7,
		"input = { type = 'fixed', mean = 5 }": nil,
		"session = { turns = 3, input = { type = 'fixed', mean = 5 } }":        nil,
		"client = [{ share = 1.0, input = { type = 'fixed', mean = 5 } }]":     nil,
		"input = { type = 'fixed', mean = 5 }\noutput = { correlation = 0.1 }": 0.1,
	} {
		if got := correlated(user); got != want {
			t.Errorf("%s: correlation %v, want %v", user, got, want)
		}
	}
	if got := Merge(nil, table(t, "num_requests = 5")); len(got) != 1 {
		t.Errorf("merged with nothing: %v", got)
	}
}
