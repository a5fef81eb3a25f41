package experiments

import (
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/units/badinput"
)

// PaperSpec is the [paper] table: whose results the file repeats. With it `kneepoint reproduce`
// knows the file as a reproduction.
type PaperSpec struct {
	Name    string   `toml:"name" required:"true"` // short, as a table cites it
	URL     string   `toml:"url"`
	Unknown []string `toml:"unknown"` // what it does not say, and what stands in for that
	Chosen  []string `toml:"chosen"`  // constants that were chosen to meet one of its numbers
}

// Validate checks what names and notes are written into.
func (s *PaperSpec) Validate() error {
	if err := oneLine("name", s.Name); err != nil {
		return err
	}
	for key, notes := range map[string][]string{"unknown": s.Unknown, "chosen": s.Chosen} {
		for _, note := range notes {
			if strings.TrimSpace(note) == "" {
				return &badinput.Error{Key: key, Value: note, Problem: "says nothing", Allowed: "one sentence each"}
			}
		}
	}
	return nil
}

// forResults is the table as data; nil where there is none.
func (s *PaperSpec) forResults() *results.Paper {
	if s == nil {
		return nil
	}
	return &results.Paper{Name: s.Name, URL: s.URL, Unknown: s.Unknown, Chosen: s.Chosen}
}
