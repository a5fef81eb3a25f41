package plots

import (
	"fmt"
	"slices"

	"kneepoint/experiments/results"
	"kneepoint/plots/chart"
)

// Plan is an answer, to be drawn.
type Plan struct{ *results.Answer }

// Figures are those of the answer, in the order in which they are read; none of what it does not have.
func (p Plan) Figures() []Figure {
	var figures []Figure
	for i := range p.Fronts {
		if f, ok := p.front(&p.Fronts[i]); ok {
			figures = append(figures, f)
		}
	}
	if f, ok := p.tornado(); ok {
		figures = append(figures, f)
	}
	return figures
}

// Images draws the figures as those of results are drawn. Candidates whose names formats without
// text cannot write have numbers there.
func (p Plan) Images(o Options) ([]Image, error) {
	style, err := o.style()
	if err != nil {
		return nil, err
	}
	written, meanings := p.written(style.CanWrite)
	shown := written.Figures()
	var images []Image
	for i, f := range p.Figures() {
		f.Notes = append(f.Notes, meanings...)
		shown[i].Notes = append(shown[i].Notes, meanings...)
		files, err := o.files(f, f.Sheet(style), shown[i].Sheet(style))
		if err != nil {
			return nil, err
		}
		images = append(images, files...)
	}
	return images, nil
}

// written is the plan with names that can be written, and which name each stands for.
func (p Plan) written(canWrite func(string) bool) (_ Plan, meanings []string) {
	shown := *p.Answer
	if !canWrite(shown.Title) {
		shown.Title = shown.Name
	}
	names := map[string]string{}
	shown.Options = slices.Clone(shown.Options)
	for i := range shown.Options {
		name := shown.Options[i].Name
		names[name] = name
		if !canWrite(name) {
			names[name] = fmt.Sprintf("candidate %d", i+1)
			meanings = append(meanings, names[name]+" is "+name)
		}
		shown.Options[i].Name = names[name]
	}
	shown.Fronts = slices.Clone(shown.Fronts)
	for i := range shown.Fronts {
		points := slices.Clone(shown.Fronts[i].Points)
		for k := range points {
			points[k].Option = names[points[k].Option]
		}
		shown.Fronts[i].Points = points
	}
	return Plan{&shown}, meanings
}

// notes are what every figure of a plan says last.
func (p Plan) notes(marks ...string) []string {
	all := marks
	for _, w := range p.Warnings {
		all = append(all, w.Text)
	}
	return append(all, "kneepoint "+p.Version)
}

// accelerators are those of the options, in their order, by which dots are told apart.
func (p Plan) accelerators() []string {
	var all []string
	for i := range p.Options {
		if name := p.Options[i].Unit.Accelerator; !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// keyOf names dots by their colours; one needs no name.
func keyOf(s *chart.Style, names []string) []chart.Entry {
	var key []chart.Entry
	for i, name := range names {
		key = append(key, chart.Entry{Name: name, Swatch: s.DotSwatch(s.Look(i))})
	}
	if len(key) < 2 {
		return nil
	}
	return key
}
