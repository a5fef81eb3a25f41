package results

import (
	"encoding/json"
	"io"
)

// The files of a folder of results.
const (
	resultsFile  = "results.json"
	runsFile     = "runs.ndjson"
	tableFile    = "results.csv"
	pointsFile   = "points.csv"
	requestsFile = "requests.csv"
)

// Write writes results.json, runs.ndjson, results.csv and points.csv. They are seen in the folder
// that was opened only after Commit. Errors are those of the files.
func (f *Folder) Write(res *Results) error {
	for _, file := range []struct {
		name  string
		write func(io.Writer) error
	}{{resultsFile, res.WriteJSON}, {runsFile, res.WriteRuns}, {tableFile, res.WriteCSV}, {pointsFile, res.WritePoints}} {
		if err := f.Create(file.name, file.write); err != nil {
			return err
		}
	}
	return nil
}

// WriteJSON writes the results without their runs, as results.json has them. Equal
// results give equal bytes: maps are written in the order of their keys.
func (r *Results) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

// WriteRuns writes one run a line, as runs.ndjson has them: a reader needs memory
// for one run, and a file that was cut is whole up to its last line.
func (r *Results) WriteRuns(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for i := range r.Runs {
		if err := e.Encode(&r.Runs[i]); err != nil {
			return err
		}
	}
	return nil
}
