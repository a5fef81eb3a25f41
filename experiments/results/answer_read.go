package results

import (
	"encoding/json"
	"io"

	"kneepoint/units/badinput"
)

// ReadAnswer reads a plan.json back. Every error is a *badinput.Error that names the file.
func ReadAnswer(path string) (*Answer, error) {
	return badinput.ReadFile(path, badinput.MostData, readAnswer)
}

// readAnswer reads an answer, unless it is none, of another version, or cut.
func readAnswer(r io.Reader) (*Answer, error) {
	a := &Answer{}
	d := json.NewDecoder(r)
	d.UseNumber()
	switch err := d.Decode(a); {
	case err != nil:
		return nil, &badinput.Error{Problem: "is no whole plan.json: " + err.Error()}
	case a.Version == "" || a.Demand.Unit == "" && a.Demand.Load > 0:
		return nil, &badinput.Error{Problem: "holds no plan of kneepoint"}
	case a.SchemaVersion != SchemaVersion:
		return nil, &badinput.Error{Key: "schema_version", Value: a.SchemaVersion,
			Problem: "this version of kneepoint does not read it, plan again"}
	}
	for i := range a.Options {
		if o := &a.Options[i]; o.Fleet == nil || o.Judged == nil || o.Units < 1 {
			return nil, &badinput.Error{Key: "options", Value: o.Name, Problem: "has no fleet", Allowed: "a plan that was not interrupted"}
		}
	}
	return a, nil
}
