package experiments

import (
	"maps"
	"slices"
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

	Witness map[string]string `toml:"witness"` // strategies that differ in their step times alone, by strategy
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
	return &results.Paper{Name: s.Name, URL: s.URL, Unknown: s.Unknown, Chosen: s.Chosen, Witness: s.Witness}
}

// checkWitnesses refuses witnesses of strategies, or that are strategies, which the experiment has not.
func (e *Experiment) checkWitnesses() error {
	if e.Spec.Paper == nil {
		return nil
	}
	for _, strategy := range slices.Sorted(maps.Keys(e.Spec.Paper.Witness)) {
		witness := e.Spec.Paper.Witness[strategy]
		if err := e.checkStrategy("paper.witness", strategy); err != nil {
			return err
		}
		if err := e.checkStrategy("paper.witness."+strategy, witness); err != nil {
			return err
		}
		if witness == strategy {
			return &badinput.Error{Key: "paper.witness." + strategy, Value: witness, Problem: "bears witness for itself",
				Allowed: "another strategy, which differs in its step times alone"}
		}
	}
	return nil
}
