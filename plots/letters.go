package plots

import (
	"fmt"
	"slices"

	"kneepoint/experiments/results"
)

// written returns the results with every name that can be written: "curve 2" for the
// second curve where its name is in letters that no font has, and the experiment's name
// instead of such a title. The meanings say which name each stands for.
func written(res *results.Results, canWrite func(string) bool) (shown *results.Results, meanings []string) {
	shown = new(*res)
	shown.Series = slices.Clone(res.Series)
	if !canWrite(res.Title) {
		shown.Title = res.Name
		meanings = append(meanings, res.Name+" is "+res.Title)
	}
	for i := range shown.Series {
		s := &shown.Series[i]
		if !canWrite(seriesName(*s)) {
			name := fmt.Sprintf("curve %d", i+1)
			meanings = append(meanings, name+" is "+seriesName(*s))
			s.Label = name
		}
		s.Points = slices.Clone(s.Points)
		for k := range s.Points {
			s.Points[k].Clients = slices.Clone(s.Points[k].Clients)
			for c := range s.Points[k].Clients {
				if class := &s.Points[k].Clients[c]; !canWrite(class.Name) {
					class.Name = fmt.Sprintf("class %d", c+1)
				}
			}
		}
	}
	return shown, meanings
}
