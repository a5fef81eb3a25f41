package experiments_test

// logColumns is the start of a table for a log whose columns have names of its own.
const logColumns = `workload.trace={path="DIR/log.csv", format="csv", columns={time="t", input="a", output="b"}`

// traceEffects are those of [workload.trace], whose files are in DIR.
var traceEffects = map[string]effect{
	"path":        {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.path="DIR/other.csv"`},
	"format":      {from: `workload.trace={path="DIR/mooncake.jsonl", format="mooncake", tick_jitter="0s"}`, to: `workload.trace={path="DIR/mooncake.jsonl", format="bailian", tick_jitter="0s", block_size=512}`},
	"time_scale":  {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.time_scale=2`},
	"start":       {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.start="200ms"`},
	"end":         {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.end="1s"`},
	"limit":       {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.limit=2`},
	"repeat":      {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.repeat=2`},
	"tick_jitter": {with: `workload.trace={path="DIR/measured.csv", format="measured"}`, to: `workload.trace.tick_jitter="1s"`},
	"time_unit":   {with: logColumns + `}`, from: `workload.trace.time_unit="s"`, to: `workload.trace.time_unit="ms"`},

	"columns.time":     {with: logColumns + `}`, to: `workload.trace.columns.time="u"`},
	"columns.input":    {with: logColumns + `}`, to: `workload.trace.columns.input="c"`},
	"columns.output":   {with: logColumns + `}`, to: `workload.trace.columns.output="d"`},
	"columns.session":  {with: logColumns + `}`, from: `workload.trace.columns.session="s"`, to: `workload.trace.columns.session="z"`},
	"columns.hash_ids": {with: logColumns + `, block_size=512}`, from: `workload.trace.columns.hash_ids="h"`, to: `workload.trace.columns.hash_ids="k"`},

	"block_size": {with: `workload.trace={path="DIR/hashed.jsonl", format="bailian"}`, from: `workload.trace.block_size=512`, to: `workload.trace.block_size=768`},
}
