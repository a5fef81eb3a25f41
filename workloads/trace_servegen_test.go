package workloads

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// serveGenFiles is a folder of one client with a trace and lengths.
func serveGenFiles(t testing.TB, trace, dataset string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"chunk-7-trace.csv": trace, "chunk-7-dataset.json": dataset} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

const (
	serveGenLengths = `{"0": {"input_tokens": "{10: 0.25, 20: 0.75}", "output_tokens": "{3: 1.0}", "reason_ratio": "{0.5: 1.0}"},` +
		`"3600": {"input_tokens": "{40: 1.0}", "output_tokens": "{5: 0.5, 6: 0.5}"}, "7200": {"input_tokens": "{}", "output_tokens": "{}"}}`
	serveGenTrace = "0,0,0,,0,0\n600,0.05,1,Gamma,1,20\n1200,0.1,1.5,Weibull,0.7,9\n1800,0,0,,0,0\n3600,0.01,1,Gamma,2,9\n4200,0,0,,0,0\n"
)

func serveGen(t testing.TB, folder string, change func(*TraceSpec)) *Trace {
	t.Helper()
	spec := TraceSpec{Path: folder, Format: "servegen"}
	change(&spec)
	trace, err := LoadTrace(folder, spec)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// TestServeGenWindows: a window has as many requests as its rate says, with the lengths of its time, whichever part of the trace is asked for.
func TestServeGenWindows(t *testing.T) {
	folder := serveGenFiles(t, serveGenTrace, serveGenLengths)
	whole := serveGen(t, folder, asItIs)
	counts, short := map[float64]int{}, 0
	for _, r := range whole.rows {
		counts[math.Floor(r.at/600)*600]++
		if early := r.at < 3600; early && (r.output != 3 || r.input != 10 && r.input != 20) || !early && (r.input != 40 || r.output != 5 && r.output != 6) {
			t.Errorf("row %+v", r)
		}
		if r.input == 10 {
			short++
		}
	}
	if len(counts) != 3 || counts[600] != 30 || counts[1200] != 60 || counts[3600] != 6 {
		t.Errorf("requests by window: %v", counts)
	}
	within(t, "short prompts", float64(short), 12, 33) // 22.5 of 90, by 2.5 standard deviations
	part := serveGen(t, folder, func(s *TraceSpec) { s.Start, s.End = 1200, 1800 })
	if len(part.rows) != 60 || part.rows[0].at != whole.rows[30].at-1200 || part.rows[59].input != whole.rows[89].input {
		t.Errorf("a part has %d rows, the first at %g", len(part.rows), part.rows[0].at)
	}
	if few := serveGen(t, folder, func(s *TraceSpec) { s.Limit = 7 }); !slices.Equal(few.rows, whole.rows[:7]) {
		t.Errorf("the first rows are %v", few.rows)
	}
}

// TestServeGenGaps: their CV is that of the law, 1/√k of a gamma law, √5 of Weibull's with a shape of 1/2, and the law's mean does not matter.
func TestServeGenGaps(t *testing.T) {
	for law, want := range map[string]float64{"Gamma,0.25,9": 2, "Gamma,4,1e9": 0.5, "Weibull,0.5,9": math.Sqrt(5), "Weibull,1,0": 1} {
		folder := serveGenFiles(t, "0,100,1,"+law+"\n", serveGenLengths)
		var gaps []float64
		before := 0.0
		for _, r := range serveGen(t, folder, asItIs).rows {
			gaps, before = append(gaps, r.at-before), r.at
		}
		mean, deviation := stat.MeanStdDev(gaps, nil)
		if len(gaps) != 60_000 {
			t.Errorf("%s: %d requests", law, len(gaps))
		}
		within(t, law+": mean gap", mean, 0.0099, 0.0101)
		within(t, law+": CV", deviation/mean, 0.96*want, 1.04*want)
	}
}

// TestBadServeGen: what is wrong is said with its file and line.
func TestBadServeGen(t *testing.T) {
	for _, bad := range [][3]string{
		{"chunk-7-trace.csv", "Gamma", "chunk-7-trace.csv:2: the law \"Gauss\" is unknown; allowed: Gamma or Weibull"},
		{"chunk-7-trace.csv", "600,0.05", "chunk-7-trace.csv:2: start \"Gauss,0.05\" is not a number"},
		{"chunk-7-trace.csv", "1200,0.1", "chunk-7-trace.csv:3: has 5 columns; allowed: start, rate, CV, law, shape, scale"},
		{"chunk-7-trace.csv", "0.7", "chunk-7-trace.csv:3: shape \"Gauss\" is not a number"},
		{"chunk-7-dataset.json", "{10: 0.25, 20: 0.75}", "chunk-7-dataset.json: 0.input_tokens: \"Gauss\" is not a law of lengths"},
		{"chunk-7-dataset.json", "10: 0.25", "chunk-7-dataset.json: 0.input_tokens: \"Gauss\" is not a number of tokens with its probability"},
		{"chunk-7-dataset.json", "3: 1.0", "\"Gauss\" is not a number of tokens"},
		{"chunk-7-dataset.json", `"0": {`, "chunk-7-dataset.json: not JSON"},
		{"chunk-7-dataset.json", `"3600"`, "chunk-7-dataset.json: Gauss: is not a time in s"},
	} {
		texts := map[string]string{"chunk-7-trace.csv": serveGenTrace, "chunk-7-dataset.json": serveGenLengths}
		with := "Gauss"
		switch bad[1] {
		case "600,0.05":
			with = `"Gauss,0.05"` + ",0.05"
		case `"3600"`:
			with = `"Gauss"`
		}
		texts[bad[0]] = strings.Replace(texts[bad[0]], bad[1], with, 1)
		folder := serveGenFiles(t, texts["chunk-7-trace.csv"], texts["chunk-7-dataset.json"])
		_, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "servegen"})
		if e := badInput(t, err); !strings.Contains(e.Error(), bad[2]) {
			t.Errorf("%s for %s: %v does not say %q", with, bad[1], err, bad[2])
		}
	}
	for trace, says := range map[string]string{
		"7200,1,1,Gamma,1,1\n":                     "chunk-7-dataset.json: has no input_tokens or output_tokens at 7200 s",
		"600,1,1,Gamma,1,1\n0,1,1,Gamma,1,1\n":     "chunk-7-trace.csv:2: does not begin after the line before",
		"0,1,1,Gamma,0,1\n":                        "chunk-7-trace.csv:1: shape 0 is not one of a law of gaps; allowed: 0.001 to 1e+06",
		"0,1,1,Weibull,0.005,1\n":                  "chunk-7-trace.csv:1: shape 0.005 is not one of a law of gaps; allowed: 0.01 to 1e+06",
		"0,1e5,1,Gamma,1,1\n":                      "larger than a trace can be",
		"0,0,1,Gamma,1,1\n":                        "the trace has no rows",
		"0,1,1,Gamma,1,1\n\"600\n,1,1,Gamma,1,1\n": "chunk-7-trace.csv:",
		"0,-1,1,Gamma,1,1\n":                       "chunk-7-trace.csv:1: rate \"-1\" is not a number from 0 to 3.1536e+07",
	} {
		folder := serveGenFiles(t, trace, serveGenLengths)
		_, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "servegen"})
		if e := badInput(t, err); !strings.Contains(e.Error(), says) {
			t.Errorf("%q: %v does not say %q", trace, err, says)
		}
	}
	folder := serveGenFiles(t, serveGenTrace, serveGenLengths)
	_, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "servegen", Start: 4200})
	if e := badInput(t, err); e.Key != "start" || !strings.Contains(e.Error(), "no row of the trace lies between start and end") {
		t.Errorf("a start behind the last window: %v", e)
	}
}

// TestServeGenFolders: files are found whatever the folder is called, and compressed ones too; none is left out unsaid.
func TestServeGenFolders(t *testing.T) {
	const here, trace, dataset = "[a-", "chunk-7-trace.csv", "chunk-7-dataset.json"
	whole := map[string]string{trace: serveGenTrace, dataset: serveGenLengths}
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"plain":              {whole, ""},
		"compressed":         {map[string]string{trace + ".gz": zipped(t, serveGenTrace), dataset + ".gz": zipped(t, serveGenLengths)}, ""},
		"other files":        {map[string]string{trace: serveGenTrace, dataset: serveGenLengths, "chunk.txt": "x"}, ""},
		"no trace":           {map[string]string{dataset: serveGenLengths}, trace + ": cannot be read: no such file"},
		"no lengths":         {map[string]string{trace: serveGenTrace}, dataset + ": cannot be read: no such file"},
		"no file":            {nil, "has no chunk-N-trace.csv"},
		"broken compression": {map[string]string{trace + ".gz": "\x1f\x8bnothing", dataset: serveGenLengths}, trace + ".gz: cannot be read"},
		"another number":     {map[string]string{"chunk-07-trace.csv": serveGenTrace, "chunk-07-dataset.json": serveGenLengths}, "chunk-07-dataset.json: is not the file of a client"},
	} {
		folder := filepath.Join(t.TempDir(), here)
		for file, text := range c.files {
			if err := unpack(filepath.Join(folder, file), strings.NewReader(text)); err != nil {
				t.Fatal(err)
			}
		}
		if len(c.files) == 0 {
			folder = t.TempDir()
		}
		read, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "servegen"})
		switch {
		case c.says == "" && (err != nil || read.Rows() != 96):
			t.Errorf("%s: %v", name, err)
		case c.says != "":
			if e := badInput(t, err); !strings.Contains(e.Error(), c.says) {
				t.Errorf("%s: %v does not say %q", name, e, c.says)
			}
		}
	}
}

// TestServeGenWidestGaps: the law with the widest gaps that is allowed has every request.
func TestServeGenWidestGaps(t *testing.T) {
	for _, law := range []string{"Weibull,0.01", "Gamma,0.001"} {
		folder := serveGenFiles(t, "0,100,1,"+law+",1\n", serveGenLengths)
		if rows := serveGen(t, folder, asItIs).Rows(); rows != 60_000 {
			t.Errorf("%s: %d requests", law, rows)
		}
	}
}

// TestServeGen: DeepSeek-R1's day has 1,383,669 requests, with 1,268 and 1,527 tokens on average (208 and 792 in the median).
func TestServeGen(t *testing.T) {
	folder := untar(t, "traces/servegen/reason-deepseek-r1.full.tar.gz")
	trace := serveGen(t, filepath.Join(folder, "data", "reason", "deepseek-r1"), asItIs)
	var input, output []float64
	before := 0.0
	for _, r := range trace.rows {
		input, output = append(input, float64(r.input)), append(output, float64(r.output))
		if r.at < before || r.at >= 86400 {
			t.Fatalf("a request at %g s after one at %g", r.at, before)
		}
		before = r.at
	}
	if len(trace.rows) != 1_383_669 {
		t.Errorf("%d requests", len(trace.rows))
	}
	within(t, "mean prompt", stat.Mean(input, nil), 1260, 1276)
	within(t, "mean answer", stat.Mean(output, nil), 1522, 1532)
	slices.Sort(input)
	slices.Sort(output)
	within(t, "median prompt", stat.Quantile(0.5, stat.Empirical, input, nil), 206, 210)
	within(t, "99th percentile of prompts", stat.Quantile(0.99, stat.Empirical, input, nil), 23200, 23600)
	within(t, "median answer", stat.Quantile(0.5, stat.Empirical, output, nil), 788, 796)
	within(t, "99th percentile of answers", stat.Quantile(0.99, stat.Empirical, output, nil), 12500, 12700)
}

// untar unpacks an archive below ../shared, and skips the test where that is not there.
func untar(t *testing.T, name string) string {
	t.Helper()
	file, err := os.Open(filepath.Join(shared, filepath.FromSlash(name)))
	if err != nil {
		t.Skip("this trace needs ../shared: ", err)
	}
	defer file.Close()
	plain, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for archive := tar.NewReader(plain); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return folder
		}
		if err == nil && header.Typeflag == tar.TypeReg {
			err = unpack(filepath.Join(folder, filepath.FromSlash(header.Name)), archive)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func unpack(path string, text io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	all, err := io.ReadAll(text)
	if err != nil {
		return err
	}
	return os.WriteFile(path, all, 0o600)
}

func FuzzServeGen(f *testing.F) {
	f.Add(serveGenTrace, serveGenLengths)
	f.Add("0,0.1,1,Gamma,0.001,1\n", `{"0": {"input_tokens": "{1073741824: 1e-300}", "output_tokens": "{1:1,1:1}"}}`)
	f.Add("0,0.1,1,Weibull,1e6,1\n5e-324,1,1,Weibull,0.01,1\n", fmt.Sprintf(`{"0": {"input_tokens": %q, "output_tokens": "{5: 0}"}}`, "{ 1 : 0.5 }"))
	f.Fuzz(func(t *testing.T, trace, dataset string) {
		windows, _ := readServeGenWindows(strings.NewReader(trace))
		if all := 0; slices.ContainsFunc(windows, func(w serveGenWindow) bool { all += w.requests; return all > 10_000 }) {
			return // which takes long
		}
		folder := serveGenFiles(t, trace, dataset)
		read, err := LoadTrace(folder, TraceSpec{Path: folder, Format: "servegen"})
		if err != nil {
			badInput(t, err)
			return
		}
		before := 0.0
		for _, r := range drain(replayed(read)) {
			if !(float64(r.Arrival) >= before) || r.Input < 1 || r.Output < 1 {
				t.Fatalf("request %+v", r)
			}
			before = float64(r.Arrival)
		}
	})
}

// TestTokenLaw: a quantile is that of the whole law, also where its probabilities do not sum to 1, as counts that were rounded may not.
func TestTokenLaw(t *testing.T) {
	l, err := parseTokenLaw("{20: 0.25, 10: 0.25}")
	if err != nil {
		t.Fatal(err)
	}
	for quantile, want := range map[float64]int32{0: 10, 0.45: 10, 0.55: 20, 1: 20} {
		if got := l.at(quantile); got != want {
			t.Errorf("%g: %d tokens, want %d", quantile, got, want)
		}
	}
}
