package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"kneepoint/experiments/results"
	"kneepoint/units"
)

// reproductionSheet is a row for every figure or table that was repeated.
func reproductionSheet(all []reproduction) *sheet {
	s := newSheet(head{title: "experiment", name: isName}, head{title: "figure or table", name: isName},
		head{title: "numbers"}, head{title: "in band"}, head{title: "median\nerror"}, head{title: "worst\nerror", spare: 1},
		head{title: "orders", spare: 3}, head{title: "crossings", spare: 2}, head{title: "constants\nchosen", spare: 4}, head{title: "verdict"})
	for i := range all {
		for k := range all[i].Figures {
			s.AppendRow(reproductionRow(&all[i], &all[i].Figures[k]))
		}
	}
	return s
}

func reproductionRow(r *reproduction, f *results.Reproduction) table.Row {
	return table.Row{r.Experiment, f.Figure, f.Numbers, f.InBand, errorText(f.Median), errorText(f.Worst),
		keptText(f.Orders), keptText(f.Crossings), chosenText(r), string(f.Verdict)}
}

// chosenText is how many notes an experiment has on constants that were chosen to meet one of the
// paper's numbers, which is no expectation then; nothing where it has none.
func chosenText(r *reproduction) string {
	if len(r.Paper.Chosen) == 0 {
		return ""
	}
	return fmt.Sprint(len(r.Paper.Chosen))
}

// errorText is a relative error in percent; - where there is none.
func errorText(e *float64) string {
	if e == nil {
		return "-"
	}
	return units.Short(units.Round(100**e, 2)) + " %"
}

// keptText is how many of how many; nothing where there are none.
func keptText(k results.Kept) string {
	if k.Of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", k.Kept, k.Of)
}

// totals sums all figures up in a sentence.
func totals(all []reproduction) string {
	var papers []string
	var numbers, chosen results.Kept // those within their bands, of all and where a constant was chosen
	var orders, crossings results.Kept
	verdicts := map[results.ReproductionVerdict]int{}
	for i := range all {
		if name := all[i].Paper.Name; !slices.Contains(papers, name) {
			papers = append(papers, name)
		}
		for _, f := range all[i].Figures {
			numbers.Of, numbers.Kept = numbers.Of+f.Numbers, numbers.Kept+f.InBand
			if len(all[i].Paper.Chosen) > 0 {
				chosen.Of, chosen.Kept = chosen.Of+f.Numbers, chosen.Kept+f.InBand
			}
			orders.Of, orders.Kept = orders.Of+f.Orders.Of, orders.Kept+f.Orders.Kept
			crossings.Of, crossings.Kept = crossings.Of+f.Crossings.Of, crossings.Kept+f.Crossings.Kept
			verdicts[f.Verdict]++
		}
	}
	from := "1 paper or post"
	if n := len(papers); n != 1 {
		from = fmt.Sprintf("%d papers and posts", n)
	}
	text := fmt.Sprintf("%s, %d published numbers, %s within their bands", from, numbers.Of, shareText(numbers))
	switch rest := (results.Kept{Of: numbers.Of - chosen.Of, Kept: numbers.Kept - chosen.Kept}); {
	case chosen.Of > 0 && rest.Of == 0:
		text += ", where other numbers of the paper chose a constant"
	case chosen.Of > 0:
		text += fmt.Sprintf(": where other numbers of the paper chose a constant %s of %d, elsewhere %s of %d", shareText(chosen), chosen.Of,
			shareText(rest), rest.Of)
	}
	if text += "; "; orders.Of+crossings.Of > 0 {
		text += shapeText(orders, crossings) + "; "
	}
	return text + fmt.Sprintf("figures and tables: %d reproduced, %d in shape only, %d missed.",
		verdicts[results.WasReproduced], verdicts[results.ShapeOnly], verdicts[results.WasMissed])
}

// shapeText is how many orders and crossings are kept, of those of which there are any.
func shapeText(orders, crossings results.Kept) string {
	var parts []string
	for _, k := range []struct {
		name string
		results.Kept
	}{{"orders", orders}, {"crossings", crossings}} {
		if k.Of > 0 {
			parts = append(parts, fmt.Sprintf("%d of %d %s", k.Kept.Kept, k.Of, k.name))
		}
	}
	return strings.Join(parts, " and ") + " kept"
}

// shareText is how many are kept, and which share that is.
func shareText(k results.Kept) string {
	return fmt.Sprintf("%d (%.0f %%)", k.Kept, math.Floor(100*float64(k.Kept)/float64(max(k.Of, 1))))
}

// reproductionsPage is the table and what there is to say of every experiment, with its figure
// where that was drawn, in Markdown.
func reproductionsPage(all []reproduction) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Published results, repeated\n\n%s\n\n", totals(all))
	b.WriteString(reproductionSheet(all).RenderMarkdown())
	b.WriteString("\n\n")
	witnessSection(&b, all)
	for i := range all {
		reproductionSection(&b, &all[i])
	}
	return b.String()
}

// reproductionSection is about one experiment.
func reproductionSection(b *strings.Builder, r *reproduction) {
	fmt.Fprintf(b, "## %s\n\n", r.Experiment)
	name := r.Paper.Name
	if r.Paper.URL != "" {
		name = fmt.Sprintf("[%s](%s)", name, r.Paper.URL)
	}
	fmt.Fprintf(b, "%s. `kneepoint run %s`\n\n", name, r.Experiment)
	for _, note := range r.Paper.Unknown {
		fmt.Fprintf(b, "- Not published: %s\n", note)
	}
	for _, note := range r.Paper.Chosen {
		fmt.Fprintf(b, "- Chosen to meet a number: %s\n", note)
	}
	for _, note := range witnessNotes(r.Paper) {
		fmt.Fprintf(b, "- %s\n", note)
	}
	for _, f := range r.Figures {
		for _, why := range f.Why {
			fmt.Fprintf(b, "- %s: %s\n", f.Figure, why)
		}
	}
	if r.image != "" {
		fmt.Fprintf(b, "\n![published and simulated](%s)\n", r.image)
	}
	b.WriteString("\n")
}

// renderReproduced writes every published value beside what came out, and the verdict on every
// figure.
func renderReproduced(p page, res *results.Results) {
	if len(res.Reproduced) == 0 {
		return
	}
	p.heading("published")
	s := newSheet(head{title: "figure", name: isName}, head{title: "curve", name: isName}, head{title: "metric", name: isName},
		head{title: "at", name: isNumber}, head{title: "published"}, head{title: "simulated"}, head{title: "error"})
	for i := range res.Reproduced {
		c := &res.Reproduced[i]
		for k, point := range c.Points {
			s.AppendRow(table.Row{c.Figure, c.Label(), c.Metric, point.X.String(), units.Significant(point.Y), simulatedText(c, k), offText(c, k)})
		}
	}
	s.print(p)
	for _, f := range res.Reproductions() {
		p.paragraph(fmt.Sprintf("%s: %s, %s", f.Figure, f.Verdict, f.Counted()))
	}
}

// simulatedText is what came out at a point; - where nothing did.
func simulatedText(c *results.Reproduced, i int) string {
	if c.Simulated[i] == nil {
		return "-"
	}
	return units.Significant(*c.Simulated[i])
}

// offText is the relative error of a point, marked where it lies outside its band.
func offText(c *results.Reproduced, i int) string {
	off, ok := c.Error(i)
	if !ok {
		return "-"
	}
	text := fmt.Sprintf("%+.1f %%", 100*off)
	if !c.InBand(i) {
		text += " !"
	}
	return text
}
