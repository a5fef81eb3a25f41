package main

var (
	reproducePaper = []string{"reproduce", "paper.toml"}
	reproduceQuiet = with(reproducePaper, "--quiet")
)

// reproduceCases are those of flagCases whose command is reproduce.
var reproduceCases = map[string]flagCase{
	"reproduce --out":            {reproduceQuiet, []string{"--out", "other"}},
	"reproduce --json":           {with(reproducePaper, "--no-figures"), []string{"--json"}},
	"reproduce --quiet":          {reproducePaper, []string{"--quiet"}},
	"reproduce --no-figures":     {reproduceQuiet, []string{"--no-figures"}},
	"reproduce --store":          {reproduceQuiet, []string{"--store", "kept"}},
	"reproduce --figure-formats": {reproduceQuiet, []string{"--figure-formats", "pdf"}},
	"reproduce --figure-size":    {reproduceQuiet, []string{"--figure-size", "column"}},
	"reproduce --figure-theme":   {reproduceQuiet, []string{"--figure-theme", "dark"}},
}

// reproduceSame are those of sameOutput.
var reproduceSame = map[string]string{
	"reproduce --workers":  "results do not depend on how many are simulated at a time",
	"reproduce --no-store": "these tests keep nothing",
	"reproduce --no-color": "there is colour on a terminal alone",
}
