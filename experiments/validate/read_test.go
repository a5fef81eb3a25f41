package validate

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	e2eFile     = "e2e/experiments.csv"
	siliconFile = "silicon/closed_loop.csv"
)

func TestWrongTablesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"empty file", e2eFile, "", []string{"experiments.csv: is empty", "allowed: a header and rows"}},
		{"no column", e2eFile, strings.Replace(e2eColumns, "request_rate_rps", "request_rate_rp", 1) + "\n",
			[]string{`experiments.csv:1: no column "request_rate_rps"`, `did you mean "request_rate_rp"?`}},
		{"no column", siliconFile, strings.Replace(siliconColumns, ",isl,", ",", 1) + "\n", []string{`closed_loop.csv:1: no column "isl"`}},
		{"cells missing", e2eFile, e2eColumns + "\n" + e2eRow() + "\nrun,model\n", []string{"experiments.csv:3: not CSV: wrong number of fields"}},
		{"open quote", e2eFile, e2eColumns + "\n" + `"run` + "\n", []string{"experiments.csv:", "not CSV: "}},
		{"open quote in the header", e2eFile, "a\"b,c\n", []string{"experiments.csv:1: not CSV: "}},
		{"not a number", e2eFile, e2eColumns + "\n" + e2eRow() + "\n" + e2eRow("id=b", "tpot_mean_ms=fast"),
			[]string{`experiments.csv:3: tpot_mean_ms = "fast": not a number; allowed: digits`}},
		{"negative", e2eFile, e2eColumns + "\n" + e2eRow("request_rate_rps=-4"), []string{`experiments.csv:2: request_rate_rps = "-4": not a number`}},
		{"no number", e2eFile, e2eColumns + "\n" + e2eRow("ttft_mean_ms=NaN"), []string{`ttft_mean_ms = "NaN"`}},
		{"infinite", e2eFile, e2eColumns + "\n" + e2eRow("e2e_mean_ms=inf"), []string{`e2e_mean_ms = "inf"`}},
		{"half a thing", e2eFile, e2eColumns + "\n" + e2eRow("tp=1.5"), []string{`experiments.csv:2: tp = "1.5": not a count; allowed: a whole number from 1`}},
		{"half a thing", siliconFile, siliconColumns + "\n" + siliconRow("batch_size=4.5"), []string{`closed_loop.csv:2: batch_size = "4.5": not a count; allowed: a whole number from 1`}},
		{"nothing", e2eFile, e2eColumns + "\n" + e2eRow("num_requests="), []string{"experiments.csv:2: num_requests: missing"}},
		{"nothing", e2eFile, e2eColumns + "\n" + e2eRow("prompt_tokens_mean="), []string{"experiments.csv:2: prompt_tokens_mean: missing"}},
		{"nothing", siliconFile, siliconColumns + "\n" + siliconRow("osl="), []string{"closed_loop.csv:2: osl: missing"}},
		{"only a header", e2eFile, e2eColumns + "\n", []string{"experiments.csv: has no rows below its header"}},
		{"only a header", siliconFile, siliconColumns, []string{"closed_loop.csv: has no rows below its header"}},
		{"a column twice", e2eFile, e2eColumns + ",tp\n", []string{"experiments.csv:1: tp: stands twice in the header"}},
		{"an ID twice", siliconFile, siliconColumns + "\n" + siliconRow() + "\n" + siliconRow(), []string{`closed_loop.csv:3: id = "run": stands in line 2 too`}},
		{"no ID", e2eFile, e2eColumns + "\n" + e2eRow("id="), []string{"experiments.csv:2: id: missing"}},
		{"a control character", e2eFile, e2eColumns + "\n" + e2eRow("model=a\x1b[2J"), []string{`experiments.csv:2: model = "a\x1b[2J": must be one line`}},
		{"a notation of Go", e2eFile, e2eColumns + "\n" + e2eRow("tpot_mean_ms=1_0"), []string{`experiments.csv:2: tpot_mean_ms = "1_0": not a number`}},
		{"a sign", e2eFile, e2eColumns + "\n" + e2eRow("num_requests=+40"), []string{`experiments.csv:2: num_requests = "+40": not a number`}},
		{"no rate", e2eFile, e2eColumns + "\n" + e2eRow("request_rate_rps=0"), []string{`experiments.csv:2: request_rate_rps = "0": must be greater than 0`}},
		{"no accelerator", e2eFile, e2eColumns + "\n" + e2eRow("tp=0"), []string{`experiments.csv:2: tp = "0": not a count; allowed: a whole number from 1`}},
		{"too much", e2eFile, e2eColumns + "\n" + e2eRow("gpu_memory_utilization=90"), []string{`gpu_memory_utilization = "90": more than all`}},
		{"no file", e2eFile, e2eColumns + "\n" + e2eRow("per_request_file=none.csv"), []string{`experiments.csv:2: per_request_file = "none.csv": cannot be read`}},
		{"a setting", e2eFile, e2eColumns + "\n" + e2eRow("gpu_memory_utilization=most"), []string{`gpu_memory_utilization = "most"`}},
		{"a setting", e2eFile, e2eColumns + "\n" + e2eRow("distinct_prompts=-1"), []string{`distinct_prompts = "-1"`}},
		{"a setting", siliconFile, siliconColumns + "\n" + siliconRow("moe_ep_size=x"), []string{`moe_ep_size = "x"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write(t, filepath.Join(dir, c.file), c.text)
			cases, err := Read(dir)
			refused(t, err, c.want...)
			if cases != nil {
				t.Errorf("%d cases beside an error", len(cases))
			}
		})
	}
}

// TestWrongRequests: a row of the file that a run names is refused by that file.
func TestWrongRequests(t *testing.T) {
	dir := measurements(t, []string{e2eRow("per_request_file=requests/a.csv.gz")}, nil)
	write(t, filepath.Join(dir, "e2e", "requests", "a.csv.gz"), "arrival_s,prompt_tokens,output_tokens\n0,5,5\n1,5,many\n")
	_, err := Read(dir)
	refused(t, err, `requests/a.csv.gz:3: output_tokens "many" is not a number of tokens`)
}

// TestLineOfAWrongCell: the line is that of the file, whatever is before it: empty lines,
// and cells of several lines.
func TestLineOfAWrongCell(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, e2eFile), e2eColumns+"\n\n"+e2eRow("id=a", `client="two`+"\n"+`lines"`)+"\n"+e2eRow("tp=one")+"\n")
	_, err := Read(dir)
	refused(t, err, `experiments.csv:5: tp = "one"`)
}

func TestFoldersWithoutMeasurements(t *testing.T) {
	empty := t.TempDir()
	for _, dir := range []string{empty, filepath.Join(empty, "nowhere")} {
		_, err := Read(dir)
		refused(t, err, dir+": holds no measurements", "allowed: a folder with e2e/experiments.csv or silicon/closed_loop.csv")
	}
	if err := os.MkdirAll(filepath.Join(empty, e2eFile), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Read(empty)
	refused(t, err, "experiments.csv: cannot be read: ")
}

func TestEitherSetIsEnough(t *testing.T) {
	for _, c := range []struct {
		e2e, silicon []string
		want         []string
	}{
		{[]string{e2eRow()}, nil, []string{"e2e"}},
		{nil, []string{siliconRow()}, []string{"silicon"}},
		{[]string{e2eRow(), e2eRow()}, []string{siliconRow()}, []string{"e2e", "e2e", "silicon"}},
	} {
		cases := read(t, measurements(t, c.e2e, c.silicon))
		var sets []string
		for _, one := range cases {
			sets = append(sets, one.Set)
		}
		if strings.Join(sets, " ") != strings.Join(c.want, " ") {
			t.Errorf("got %v, want %v", sets, c.want)
		}
	}
}

// FuzzReadTable: whatever the two tables hold, they are refused with the file's name, or
// every row has an experiment, or a reason why it has none.
func FuzzReadTable(f *testing.F) {
	f.Add(e2eColumns+"\n"+e2eRow(), siliconColumns+"\n"+siliconRow())
	f.Add(e2eColumns+"\n"+e2eRow("tp=1e9", "num_requests=1e14"), siliconColumns+"\n"+siliconRow("isl=1e15", "moe_ep_size=8"))
	f.Add("id\n\"", "\ufeffid")
	f.Add("", "")
	dir := f.TempDir()
	for _, folder := range []string{"e2e", "silicon"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, e2e, silicon string) {
		if err := errors.Join(os.WriteFile(filepath.Join(dir, e2eFile), []byte(e2e), 0o600),
			os.WriteFile(filepath.Join(dir, siliconFile), []byte(silicon), 0o600)); err != nil {
			t.Fatal(err)
		}
		cases, err := Read(dir)
		if err != nil {
			refused(t, err, ".csv")
		}
		for _, c := range cases {
			if c.Skip == "" && c.Tree == nil {
				t.Errorf("%s has neither an experiment nor a reason", c.ID)
			}
			for _, m := range c.Measured {
				if !(m.Value > 0) {
					t.Errorf("%s: %s of %v", c.ID, m.Metric, m.Value)
				}
			}
		}
	})
}
