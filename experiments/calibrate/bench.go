package calibrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"kneepoint/internal/jsonfields"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
	"kneepoint/units/printable"
)

// Bench is one result of `vllm bench serve`.
type Bench struct {
	Name           string    // the file, with the number of the result where it has several
	Model          string    // as the benchmark named it
	Rate           float64   // requests per second; infinite: all at once
	Burstiness     float64   // shape of the gamma law of gaps; 1: exponential
	MaxConcurrency int       // 0: no limit
	Requests       []Request // one by one, where the result has them; else nil
	Scheduled      bool      // Requests have the times of their arrivals
	Count          int       // of requests
	Mean           Request   // the mean lengths, where Requests is nil

	// Measured holds median_ttft_ms, median_tpot_ms and median_e2el_ms, as far as
	// the result has them.
	Measured map[string]float64
}

// Request is one request of a benchmark that was completed.
type Request struct {
	Arrival       float64 // seconds from the first one
	Input, Output int     // tokens
}

// Metrics are the numbers that are fitted, by their keys in results.
var Metrics = []string{metrics.MedianTTFT, metrics.MedianTPOT, metrics.MedianE2EL}

// mostFailures is the largest share of requests that may have failed: what they cost
// the server is not known.
const mostFailures = 0.02

// ReadBenches reads results of vLLM's serving benchmark from files, and from the
// *.json files of folders, but for the summary.json that a sweep leaves beside them. A file
// may hold several results, as --append-result writes them.
func ReadBenches(paths []string) ([]Bench, error) {
	files, err := benchFiles(paths)
	if err != nil {
		return nil, err
	}
	var all []Bench
	for _, path := range files {
		found, err := readBench(path)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// benchFiles lists the files in order of their paths, each once: a file may be named
// beside its folder.
func benchFiles(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, badinput.Unreadable(path, err)
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		found, err := os.ReadDir(path)
		if err != nil {
			return nil, badinput.Unreadable(path, err)
		}
		before := len(files)
		for _, entry := range found {
			if !entry.IsDir() && filepath.Ext(entry.Name()) == ".json" && entry.Name() != "summary.json" {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
		if len(files) == before {
			return nil, &badinput.Error{File: path, Problem: "holds no *.json", Allowed: "results that `vllm bench serve --save-result` wrote"}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// readBench reads the results of one file, and numbers them where it has several.
func readBench(path string) ([]Bench, error) {
	found, err := badinput.ReadFile(path, badinput.MostData, ParseBench)
	if err != nil {
		return nil, err
	}
	for i := range found {
		found[i].Name = printable.Escape(filepath.Base(path)) // any file of a folder
		if len(found) > 1 {
			found[i].Name += fmt.Sprintf(" #%d", i+1)
		}
	}
	return found, nil
}

// ParseBench reads one result after another. With the arrays that
// --save-detailed adds, requests are repeated one by one; without them, as many
// of the mean lengths.
func ParseBench(r io.Reader) ([]Bench, error) {
	decoder := json.NewDecoder(r)
	var all []Bench
	for {
		var text json.RawMessage
		err := decoder.Decode(&text)
		var syntax *json.SyntaxError
		switch {
		case errors.Is(err, io.EOF) && len(all) > 0:
			return all, nil
		case errors.Is(err, io.EOF):
			return nil, &badinput.Error{Problem: "is empty", Allowed: "a result of `vllm bench serve --save-result`"}
		case errors.As(err, &syntax) || errors.Is(err, io.ErrUnexpectedEOF):
			return nil, &badinput.Error{Problem: "not JSON: " + err.Error(), Allowed: "a result of `vllm bench serve --save-result`"}
		case err != nil:
			return nil, err
		}
		b, err := parseResult(text)
		if err != nil {
			return nil, err
		}
		all = append(all, *b)
	}
}

// parseResult reads one result.
func parseResult(text []byte) (*Bench, error) {
	fields, err := jsonfields.Split(text)
	if err != nil {
		return nil, err
	}
	if err := jsonfields.CheckCase(fields, resultKeys()...); err != nil {
		return nil, err
	}
	var result benchResult
	var kind *json.UnmarshalTypeError
	if err := json.Unmarshal(text, &result); errors.As(err, &kind) {
		return nil, &badinput.Error{
			Key:     kind.Field,
			Value:   jsonText(fields.Get(kind.Field)),
			Problem: "is a " + kind.Value,
			Allowed: "what `vllm bench serve --save-result` writes",
		}
	} else if err != nil {
		return nil, err
	}
	return result.bench()
}

// jsonText is a value as the file has it.
type jsonText string

// resultKeys are the keys of a result that are read.
func resultKeys() []string {
	var keys []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[benchResult]()) {
		keys = append(keys, f.Tag.Get("json"))
	}
	return keys
}
