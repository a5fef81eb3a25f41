package experiments_test

import (
	"path/filepath"
	"strings"
)

// publishing is a published value beside what comes out.
const publishing = rates + `; curve=[{figure="F", strategy="a", metric="mean_ttft_ms", points=[[5, 1]]}]`

// curveEffects are those of [[curve]], whose files are in DIR.
var curveEffects = map[string]effect{
	"curve.figure":   {with: publishing, to: `curve=[{figure="G", strategy="a", metric="mean_ttft_ms", points=[[5, 1]]}]`},
	"curve.strategy": {with: publishing, to: `curve=[{figure="F", strategy="base", metric="mean_ttft_ms", points=[[5, 1]]}]`},
	"curve.over":     {with: publishing, to: `curve=[{figure="F", strategy="a", over="base", metric="mean_ttft_ms", points=[[5, 1]]}]`},
	"curve.metric":   {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_tpot_ms", points=[[5, 1]]}]`},
	"curve.x":        {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", x="mbu", points=[[5, 1]]}]`},
	"curve.where": {with: publishing + `; sweep."strategy.a.max_num_seqs"=[1, 8]`,
		from: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", where={"strategy.a.max_num_seqs"=1}, points=[[5, 1]]}]`,
		to:   `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", where={"strategy.a.max_num_seqs"=8}, points=[[5, 1]]}]`},
	"curve.points":  {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", points=[[5, 2]]}]`},
	"curve.file":    {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", file="DIR/points.csv"}]`},
	"curve.within":  {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", points=[[5, 1]], within=0.2}]`},
	"paper.witness": {with: publishing, from: `paper={name="P"}`, to: `paper={name="P", witness={a="base"}}`},
	"curve.reading": {with: publishing, to: `curve=[{figure="F", strategy="a", metric="mean_ttft_ms", points=[[5, 1]], reading=0.05}]`},
}

// addCurves adds the keys of published curves. Files are in dir.
func addCurves(all map[string]effect, dir string) {
	for key, e := range curveEffects {
		e.to = strings.ReplaceAll(e.to, "DIR", filepath.ToSlash(dir))
		all[key] = e
	}
}
