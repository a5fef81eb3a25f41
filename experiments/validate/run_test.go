package validate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kneepoint/experiments"
)

// What cannot be simulated is listed with its reason, and the other rows stay.
func TestSkippedRowsAreListed(t *testing.T) {
	e2e := []struct{ row, reason string }{
		{e2eRow("id=gpu", "gpu=TPU-v9"), "unknown accelerator TPU-v9"},
		{e2eRow("id=engine", "engine=llama.cpp"), "no profile of engine llama.cpp"},
		{e2eRow("id=offload", "cpu_offload=yes (LMCache KV offload/reuse)"), "KV offload to the CPU changes this run"},
		{e2eRow("id=model", "model=acme/none-7b"), "model.name"},
		{e2eRow("id=precision", "precision=fp7"), "model.weights"},
		{e2eRow("id=memory", "model=meta-llama/Llama-3.1-70B-Instruct"), "does not fit"},
		{e2eRow("id=three", "tp=3"), "hardware.tp"},
		{e2eRow("id=nothing", "ttft_mean_ms=", "tpot_mean_ms=", "e2e_mean_ms=", "e2e_p99_ms="), "nothing that can be compared was measured"},
	}
	silicon := []struct{ row, reason string }{
		{siliconRow("id=split", "mode=disagg"), "how many workers prompts and answers have, and how many requests are in flight, is not recorded"},
		{disaggregatedRow("id=spread", "decode_tp_size=16"), "the network between its servers is not recorded"},
		{siliconRow("id=mode", "mode=idle"), "unknown mode idle"},
		{siliconRow("id=system", "system=tpu_v9"), "unknown accelerator tpu_v9"},
		{siliconRow("id=backend", "backend=mlc"), "no profile of engine mlc"},
		{siliconRow("id=wide", "tp_size=64"), "the network between its servers is not recorded"},
		{siliconRow("id=deep", "pp_size=16"), "the network between its servers is not recorded"},
	}
	var e2eRows, siliconRows []string
	for _, c := range e2e {
		e2eRows = append(e2eRows, c.row)
	}
	for _, c := range silicon {
		siliconRows = append(siliconRows, c.row)
	}
	dir := measurements(t, append(e2eRows, e2eRow("id=good")), append(siliconRows, siliconRow("id=fine")))
	rows, skipped := simulated(t, read(t, dir))
	all := append(e2e, silicon...)
	if len(skipped) != len(all) {
		t.Fatalf("%d skipped, want %d: %v", len(skipped), len(all), skipped)
	}
	for i, c := range all {
		if id, _, _ := strings.Cut(c.row, ","); skipped[i].ID != id || !strings.Contains(skipped[i].Reason, c.reason) || strings.Contains(skipped[i].Reason, "\n") {
			t.Errorf("%+v, want %s because %q", skipped[i], id, c.reason)
		}
	}
	count := map[string]int{}
	for _, r := range rows {
		count[r.ID]++
	}
	if diff := cmp.Diff(map[string]int{"good": 4, "fine": 2}, count); diff != "" {
		t.Errorf("rows by run, -want +got:\n%s", diff)
	}
}

// A row's predictions are the metrics of its experiment.
func TestPredictionsAreThoseOfTheExperiment(t *testing.T) {
	c := one(t, []string{e2eRow()}, nil)
	e, err := experiments.FromTree("again", c.Folder, c.Tree).Check()
	if err != nil {
		t.Fatal(err)
	}
	res, err := e.Run(t.Context(), experiments.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := simulated(t, []Case{c})
	for i, r := range rows {
		if want := res.Runs[0].Metrics[c.Measured[i].Key]; r.Predicted != want || r.Measured != c.Measured[i].Value || r.Metric != c.Measured[i].Metric {
			t.Errorf("%+v, want %s of %v", r, c.Measured[i].Metric, want)
		}
	}
	if len(rows) != 4 || rows[0].Labels["kind"] != "dense" {
		t.Errorf("%d rows, %v", len(rows), rows[0].Labels)
	}
}

// A file of requests is replayed as it is: the same requests as fixed lengths
// at its times give the same, a lone request its unloaded latency.
func TestRequestsAreReplayed(t *testing.T) {
	dir := measurements(t, []string{
		e2eRow("id=plain", "per_request_file=requests/lone.csv"),
		e2eRow("id=zipped", "per_request_file=requests/lone.csv.gz"),
		e2eRow("id=busy", "per_request_file=requests/busy.csv"),
		e2eRow("id=limited", "per_request_file=requests/busy.csv", "client=max 1 in flight"),
	}, nil)
	lone, busy := "arrival_s,prompt_tokens,output_tokens\n", "arrival_s,prompt_tokens,output_tokens\n"
	for i := range 5 {
		lone += fmt.Sprintf("%d,300,11\n", 10*i)
		busy += "0.5,300,11\n"
	}
	write(t, filepath.Join(dir, "e2e", "requests", "lone.csv"), lone)
	write(t, filepath.Join(dir, "e2e", "requests", "lone.csv.gz"), lone)
	write(t, filepath.Join(dir, "e2e", "requests", "busy.csv"), busy)
	rows, skipped := simulated(t, read(t, dir))
	if len(skipped) > 0 {
		t.Fatal(skipped)
	}
	predicted := map[string]map[string]float64{}
	for _, r := range rows {
		if predicted[r.ID] == nil {
			predicted[r.ID] = map[string]float64{}
		}
		predicted[r.ID][r.Metric] = r.Predicted
	}
	plain := predicted["plain"]
	if diff := cmp.Diff(plain, predicted["zipped"]); diff != "" {
		t.Errorf("plain and zipped differ:\n%s", diff)
	}
	if got, want := plain["e2e_mean_ms"], plain["ttft_mean_ms"]+10*plain["tpot_mean_ms"]; math.Abs(got-want) > 1e-6*want {
		t.Errorf("E2EL is %v, want TTFT and ten tokens, %v", got, want)
	}
	if math.Abs(plain["e2e_p99_ms"]-plain["e2e_mean_ms"]) > 1e-6*plain["e2e_mean_ms"] {
		t.Errorf("lone requests differ: %v", plain)
	}
	if !(predicted["busy"]["ttft_mean_ms"] > 1.5*plain["ttft_mean_ms"]) {
		t.Errorf("TTFT of five at once is %v, alone %v", predicted["busy"]["ttft_mean_ms"], plain["ttft_mean_ms"])
	}
	if math.Abs(predicted["limited"]["ttft_mean_ms"]-plain["ttft_mean_ms"]) > 0.3*plain["ttft_mean_ms"] {
		t.Errorf("TTFT one at a time is %v, alone %v", predicted["limited"]["ttft_mean_ms"], plain["ttft_mean_ms"])
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	var lines []string
	for i := range 12 {
		lines = append(lines, e2eRow(fmt.Sprintf("id=%d", i), fmt.Sprintf("request_rate_rps=%d", i+1)))
	}
	dir := measurements(t, lines, []string{siliconRow(), siliconRow("mode=disagg")})
	var all [][]Row
	for _, workers := range []int{1, 3, 0} {
		seen := 0
		rows, skipped, err := Run(t.Context(), read(t, dir), workers, func(done, total int) {
			if seen++; done != seen || total != 14 {
				t.Errorf("%d of %d, want %d of 14", done, total, seen)
			}
		})
		if err != nil || len(skipped) != 1 || seen != 14 {
			t.Fatalf("%v, %v, %d calls", err, skipped, seen)
		}
		all = append(all, rows)
	}
	for _, rows := range all[1:] {
		if diff := cmp.Diff(all[0], rows); diff != "" {
			t.Errorf("other workers, other rows:\n%s", diff)
		}
	}
}

func TestInterruptedValidation(t *testing.T) {
	dir := measurements(t, []string{e2eRow(), e2eRow(), e2eRow(), e2eRow("num_requests=10000000")}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	rows, skipped, err := Run(ctx, read(t, dir), 2, func(done, _ int) { cancel() })
	if !errors.Is(err, context.Canceled) || rows != nil || skipped != nil {
		t.Errorf("%v, %d rows, %d skipped", err, len(rows), len(skipped))
	}
	if _, _, err := Run(ctx, read(t, dir), 2, func(int, int) { t.Error("simulated after the end") }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
