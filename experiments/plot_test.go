package experiments

import (
	"cmp"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// swept is an experiment of two strategies over a load and a limit, with classes, an SLO and
// something expected.
const swept = `
title = "plots"
[model]
name = "llama-3.1-8b"
[hardware]
accelerator = "h100-sxm"
[workload]
num_requests = 1
arrival = {rate = 1}
input = {type = "fixed", mean = 10}
output = {type = "fixed", mean = 10}
[slo]
ttft_ms = 100
[[strategy]]
name = "base"
[[strategy]]
name = "chunked"
[sweep]
"workload.arrival.rate" = [1, 8.0]
"strategy.chunked.max_num_batched_tokens" = [512, 1024, 2048]
`

const (
	clients  = "[[workload.client]]\nname = 'x'\nshare = 1\n"
	expected = `
[[expect]]
metric = "mbu"
strategy = "base"
at = { "workload.arrival.rate" = 1, "strategy.chunked.max_num_batched_tokens" = 512 }
between = [0, 1]
`
	published = `
[[curve]]
figure = "1"
strategy = "base"
metric = "request_throughput"
where = { "strategy.chunked.max_num_batched_tokens" = 512 }
points = [[1, 1]]
`
)

// checkPlots reads the tables of figures, also of kinds that are not drawn yet, and checks
// them.
func checkPlots(t *testing.T, e *Experiment, tables string) error {
	t.Helper()
	var file struct{ Plot []map[string]any }
	if _, err := toml.Decode(tables, &file); err != nil {
		t.Fatal(err)
	}
	e.Spec.Plots = nil
	for _, table := range file.Plot {
		var s PlotSpec
		for key, value := range table {
			if err := s.set(key, value); err != nil {
				return err
			}
		}
		if err := s.Validate(); err != nil {
			return badinput.Under(fmt.Sprintf("plot[%d]", len(e.Spec.Plots)), err)
		}
		e.Spec.Plots = append(e.Spec.Plots, s)
	}
	if err := e.checkPlots(); err != nil {
		return err
	}
	return cmp.Or(e.checkPlotUnits(), e.checkPlotScales())
}

// set sets a key without looking at the kind.
func (s *PlotSpec) set(key string, value any) error {
	switch key {
	case "at":
		return s.At.DecodeTOML(value)
	case "filter":
		s.Filter = map[string]ValuesSpec{}
		for path, x := range value.(map[string]any) {
			var values ValuesSpec
			if err := values.DecodeTOML(x); err != nil {
				return err
			}
			s.Filter[path] = values
		}
		return nil
	}
	field := func(name string) bool { return strings.EqualFold(name, key) }
	reflect.ValueOf(s).Elem().FieldByNameFunc(field).SetString(value.(string))
	return nil
}

// TestPlotsAreChecked: what the experiment has not the runs for is refused with the reason;
// "" is accepted.
func TestPlotsAreChecked(t *testing.T) {
	const (
		rate   = `"workload.arrival.rate"`
		tokens = `"strategy.chunked.max_num_batched_tokens"`
		curve  = `kind = "curve"; metric = "mbu"`
		clash  = "another figure has this name"
		own    = `; filter = {strategy = "chunked"}`
		owner  = `is no key of strategy "base"`
		zipped = "\n[sweep]\nmode = 'zip'\n" + rate + " = [1, 2, 3]\n" + tokens + " = [512, 512, 1024]\n"
	)
	twoStrategies, _, _ := strings.Cut(swept, "[sweep]")
	oneStrategy, _, _ := strings.Cut(swept, "[[strategy]]\nname = \"chunked\"")
	noObjective := strings.Replace(swept, "ttft_ms = 100", "", 1)
	for base, cases := range map[string]map[string]string{
		swept + clients + expected: {
			curve:                            "",
			curve + `; x = ` + tokens:        owner,
			curve + `; x = ` + tokens + own:  "",
			curve + `; by = ` + tokens:       owner,
			curve + `; by = ` + tokens + own: "",
			`kind = "curve"; metric = "mean_ttft_ms"; by = "class"`:                                                   "",
			`kind = "curve"; metric = "mean_itl_ms"; by = "class"`:                                                    "there is no mean_itl_ms of a class",
			`kind = "tradeoff"; metric = "mean_ttft_ms"; x = "mfu"; by = "class"`:                                     "there is no mfu of a class",
			`kind = "percentiles"; metric = "e2el"; by = "class"`:                                                     "",
			`kind = "cdf"; metric = "itl"; by = "class"`:                                                              "no itl of a class",
			`kind = "slo-scale"; by = "class"`:                                                                        "only of all requests together",
			`kind = "tradeoff"; metric = "mbu"; x = "mfu"; filter = {strategy = "base", "workload.arrival.rate" = 1}`: "",
			`kind = "tradeoff"; metric = "mbu"; x = "mfu"; filter = {strategy = "base", "workload.arrival.rate" = 1, "strategy.chunked.max_num_batched_tokens" = 512}`: "leaves one point",
			curve + `; by = "class"`:                                                                    "no mbu of a class",
			curve + `; by = "clas"`:                                                                     `plot[0].by: "clas" is not swept; allowed: strategy, class, workload.arrival.rate, strategy.chunked.max_num_batched_tokens; did you mean "class"?`,
			curve + `; by = ` + rate:                                                                    "is along the horizontal axis already",
			curve + `; x = "hardware.tp"`:                                                               `plot[0].x: "hardware.tp" is not swept`,
			`kind = "curve"`:                                                                            "plot[0].metric: missing",
			`kind = "curve"; metric = "x"`:                                                              "unknown metric",
			curve + `; filter = {` + rate + ` = 8}`:                                                     `has one value here`,
			curve + `; filter = {` + rate + ` = [8.0, 1]}`:                                              "",
			curve + `; filter = {` + rate + ` = 2}`:                                                     `plot[0].filter."workload.arrival.rate" = 2: does not occur in the experiment; allowed: 1, 8`,
			curve + `; filter = {` + tokens + ` = "512"}`:                                               "does not occur",
			curve + `; filter = {workload = 1}`:                                                         `"workload" is not swept`,
			curve + `; filter = {workload.arrival.rate = 1}`:                                            "a table is no value",
			curve + `; filter = {` + rate + ` = []}`:                                                    "an empty list leaves nothing to draw",
			curve + `; filter = {` + rate + ` = [[1]]}`:                                                 "is no value of a sweep",
			curve + `; filter = {strategy = "chunkd"}`:                                                  `did you mean "chunked"?`,
			curve + `; filter = {strategy = ["base", "chunked"]}; size = "slide"`:                       "",
			curve + `; per = "watt"`:                                                                    `has no effect with metric = "mbu", which is no rate`,
			`kind = "curve"; metric = "output_throughput"; per = "watt"`:                                "",
			`kind = "tradeoff"; metric = "mbu"`:                                                         "plot[0].x: missing",
			`kind = "tradeoff"; metric = "mbu"; x = "mbu"`:                                              "is the metric itself",
			`kind = "tradeoff"; metric = "mbu"; x = "saturated"`:                                        `plot[0].x = "saturated": is yes or no`,
			`kind = "tradeoff"; metric = "mbu"; x = "output_throughput"; per = "dollar"`:                "",
			`kind = "tradeoff"; metric = "mbu"; x = "mfu"; by = ` + rate:                                "",
			`kind = "capacity"`:                                                                         "",
			`kind = "capacity"; filter = {` + rate + ` = 1}`:                                            "has no effect on knees",
			`kind = "factors"; filter = {strategy = "chunked"}`:                                         "",
			`kind = "factors"; filter = {strategy = "base"}`:                                            "leaves nothing to compare",
			`kind = "published"`:                                                                        "",
			`kind = "cdf"; metric = "ttft"; at = 8`:                                                     "",
			`kind = "cdf"; metric = "ttft"; at = 4`:                                                     "plot[0].at = 4: is no value at which there is a point to show; allowed: 1, 8",
			`kind = "cdf"; metric = "ttft"; at = 8; filter = {` + rate + ` = 1}`:                        "allowed: 1",
			`kind = "cdf"; metric = "ttft"; at = {` + rate + ` = 1}`:                                    "must be one place on every curve",
			`kind = "cdf"; metric = "p99_ttft_ms"`:                                                      `is no latency that kind = "cdf" shows; allowed: one of ttft, e2el, tpot, itl`,
			`kind = "cdf"`:                                                                              "plot[0].metric: missing",
			`kind = "latency-parts"; metric = "tpot"`:                                                   "allowed: one of ttft, e2el",
			`kind = "heatmap"; metric = "mbu"`:                                                          owner,
			`kind = "heatmap"; metric = "mbu"` + own:                                                    "",
			`kind = "heatmap"; metric = "mbu"; x = ` + tokens + own:                                     "",
			`kind = "heatmap"; metric = "mbu"; x = ` + tokens + `; by = ` + tokens + own:                "is along the horizontal axis already",
			`kind = "heatmap"; metric = "mbu"; by = "strategy"`:                                         `"strategy" is not swept`,
			`kind = "heatmap"; metric = "mbu"; filter = {` + tokens + ` = 512}`:                         "which makes no map",
			`kind = "slo-scale"`:                                                                        "",
			`kind = "traffic"`:                                                                          "",
			curve + `; file = "a.png"` + "\n" + `kind = "where-time-goes"; file = "A.svg"`:              clash,
			curve + `; file = "a"` + "\n" + `kind = "where-time-goes"; file = "a"`:                      clash,
			curve + `; file = "a"` + "\n" + curve:                                                       "plot[1]: asks for the same figure as plot[0]",
			curve + "\n" + curve + `; x = ` + rate + `; size = "page"; by = "strategy"`:                 "asks for the same",
			curve + "\n" + curve + `; size = "column"`:                                                  "",
			curve + `; x = ` + tokens + own + "\n" + curve:                                              "",
			curve + "\n" + curve + `; filter = {` + rate + ` = [8, 1], strategy = ["chunked", "base"]}`: "asks for the same",
			`kind = "timeline"; at = 8` + "\n" + `kind = "timeline"; at = 8.0`:                          "asks for the same",
			`kind = "timeline"; at = "knee"` + "\n" + `kind = "timeline"`:                               "asks for the same",
		},
		swept: {
			curve + `; by = "class"`: "needs classes of requests",
			`kind = "published"`:     "there is no|nothing is",
		},
		twoStrategies: {
			curve:                              "nothing is swept",
			`kind = "heatmap"; metric = "mbu"`: "nothing is swept",
			`kind = "capacity"`:                "the first swept variable is no load",
			`kind = "tradeoff"; metric = "mbu"; x = "mfu"`:      "",
			`kind = "cdf"; metric = "itl"`:                      "",
			`kind = "cdf"; metric = "itl"; at = "lowest"`:       "there is one point only",
			`kind = "factors"`:                                  "",
			`kind = "timeline"; filter = {"strategy" = "base"}`: "",
		},
		oneStrategy: {
			`kind = "tradeoff"; metric = "mbu"; x = "mfu"`: "there is one only",
			`kind = "factors"`: "there is no other",
		},
		noObjective: {
			`kind = "curve"; metric = "slo_attainment"`:                `plot[0].metric = "slo_attainment": is about requests that meet an SLO, and there is none`,
			`kind = "tradeoff"; metric = "mbu"; x = "request_goodput"`: `plot[0].x = "request_goodput"`,
			`kind = "slo-scale"`:                                       `plot[0].kind = "slo-scale"`,
		},
		noObjective + clients + "slo.e2el_ms = 5\n": {`kind = "slo-scale"`: ""},
		noObjective + "'slo.tpot_ms' = [5, 9]\n":    {`kind = "slo-scale"`: ""},
		noObjective + "'slo.itl_p99_ms' = [5, 9]\n": {
			`kind = "slo-scale"`:                        "of gaps between tokens only how many are longer is known",
			`kind = "curve"; metric = "itl_attainment"`: "",
		},
		twoStrategies + "[sweep]\n'hardware.tp' = [1, 2]\n": {
			`kind = "capacity"`:                          "no load",
			`kind = "cdf"; metric = "tpot"`:              "",
			`kind = "cdf"; metric = "tpot"; at = "knee"`: "a sweep of hardware.tp has no knee",
			`kind = "heatmap"; metric = "mbu"`:           "not swept in all combinations",
		},
		twoStrategies + zipped: {
			`kind = "heatmap"; metric = "mbu"`:                                  "not swept in all combinations",
			curve + `; by = ` + tokens:                                          "",
			curve + `; x = ` + tokens + `; by = ` + rate:                        "leaves one point on every curve",
			curve + `; filter = {` + rate + ` = [1, 2], ` + tokens + ` = 1024}`: "leaves no point of the sweep",
		},
	} {
		e := experiment(t, base)
		for plots, want := range cases {
			t.Run(plots, func(t *testing.T) {
				text := ""
				for _, table := range strings.Split(plots, "\n") {
					text += "[[plot]]\n" + strings.ReplaceAll(table, "; ", "\n") + "\n"
				}
				err := checkPlots(t, e, text)
				if (err == nil) != (want == "") || err != nil && !regexp.MustCompile(regexpOf(want)).MatchString(err.Error()) {
					t.Errorf("got  %v\nwant %v", err, want)
				}
			})
		}
	}
}

// regexpOf is a text of which parts separated by | are alternatives.
func regexpOf(text string) string { return strings.ReplaceAll(regexp.QuoteMeta(text), `\|`, "|") }

// TestPlotsAreFilledIn: results have every key of a figure, and names of their own.
func TestPlotsAreFilledIn(t *testing.T) {
	e := experiment(t, swept)
	err := checkPlots(t, e, `
[[plot]]
kind = "curve"
metric = "mbu"
[[plot]]
kind = "curve"
metric = "mbu"
size = "slide"
filter = {strategy = ["base"], "strategy.chunked.max_num_batched_tokens" = [2048.0, 512], "workload.arrival.rate" = [1, 8]}
[[plot]]
kind = "heatmap"
metric = "mfu"
x = "strategy.chunked.max_num_batched_tokens"
filter = {strategy = "chunked"}
file = "Curve-mbu-2.pdf"
[[plot]]
kind = "cdf"
metric = "ttft"
[[plot]]
kind = "timeline"
at = 8
[[plot]]
kind = "factors"
[[plot]]
kind = "tradeoff"
metric = "output_throughput"
x = "mean_tpot_ms"
per = "dollar"
`)
	if err != nil {
		t.Fatal(err)
	}
	const rate, tokens = "workload.arrival.rate", "strategy.chunked.max_num_batched_tokens"
	want := []results.PlotSpec{
		{Kind: "curve", Metric: "mbu", X: rate, By: "strategy", File: "curve-mbu"},
		{Kind: "curve", Metric: "mbu", X: rate, By: "strategy", Size: "slide", File: "curve-mbu-3",
			Filter: map[string][]results.Value{"strategy": {results.ValueOf("base")}, tokens: {results.ValueOf(512), results.ValueOf(2048)}}},
		{Kind: "heatmap", Metric: "mfu", X: tokens, By: rate, File: "Curve-mbu-2.pdf",
			Filter: map[string][]results.Value{"strategy": {results.ValueOf("chunked")}}},
		{Kind: "cdf", Metric: "ttft", By: "strategy", At: results.Place{Word: "knee"}, File: "cdf-ttft"},
		{Kind: "timeline", At: results.Place{Value: results.ValueOf(8.0)}, File: "timeline"},
		{Kind: "factors", File: "factors"},
		{Kind: "tradeoff", Metric: "output_throughput", X: "mean_tpot_ms", By: "strategy", Per: "dollar",
			File: "tradeoff-output_throughput-vs-mean_tpot_ms-per-dollar"},
	}
	if got := e.Plan().Plots; !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

// TestPlotsWithoutPriceOrPower: an accelerator without a price has no tokens per dollar.
func TestPlotsWithoutPriceOrPower(t *testing.T) {
	unpriced := strings.Replace(swept, `accelerator = "h100-sxm"`, `custom = {like = "h100-sxm", usd_per_hour = 0}`, 1)
	synthetic := strings.Replace(strings.Replace(swept, `name = "llama-3.1-8b"`, "", 1), `accelerator = "h100-sxm"`,
		"cost_model = 'synthetic'\nkv_tokens = 9999\nsynthetic.step_fixed = '1ms'", 1)
	for base, cases := range map[string]map[string]string{
		unpriced:  {"dollar": "no accelerator of the experiment has a price; allowed: accelerator, or leave it out", "watt": "", "accelerator": ""},
		synthetic: {"dollar": "has a price", "watt": "has a power", "accelerator": ""},
	} {
		e := experiment(t, base)
		for per, want := range cases {
			err := checkPlots(t, e, "[[plot]]\nkind = 'curve'\nmetric = 'output_throughput'\nper = '"+per+"'\n")
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("per %s: %v, want %q", per, err, want)
			}
		}
	}
}

// TestMostPlots: more figures than anybody looks at are refused.
func TestMostPlots(t *testing.T) {
	err := checkPlots(t, experiment(t, swept), strings.Repeat("[[plot]]\nkind = 'traffic'\n", mostPlots+1))
	if err == nil || !strings.Contains(err.Error(), "plot: 201 figures are too many; allowed: at most 200") {
		t.Error(err)
	}
}
