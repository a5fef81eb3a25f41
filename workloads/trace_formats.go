package workloads

import (
	"cmp"
	"io"
	"os"

	"kneepoint/units"
)

// fileReader reads a trace's file and hands on its rows, in order, until add wants no more.
type fileReader func(file *os.File, add addRow) error

// textReader parses the text of a trace and hands on its rows, in order, until add wants no more.
type textReader func(r io.Reader, add addRow) error

// addRow takes a row and reports whether it wants more.
type addRow func(row) (more bool, err error)

// traceFormat is how a trace is read.
type traceFormat struct {
	layout
	binary bool          // Parquet; else text
	lines  bool          // of JSON; else comma-separated values
	jitter units.Seconds // the tick of the clock
}

// formats are those of traces by their names in an experiment file.
var formats = map[string]traceFormat{
	// The Azure LLM inference traces of 2023 and 2024
	// (github.com/Azure/AzurePublicDataset); times are a wall clock's.
	"azure": {layout: layout{columns: exactColumns("TIMESTAMP", "ContextTokens", "GeneratedTokens"), clock: wallClock}},
	// The per-request files of serving measurements; times are seconds.
	"measured": {layout: layout{columns: exactColumns("arrival_s", "prompt_tokens", "output_tokens"), clock: secondsClock}},
	// The traces of Mooncake (Qin et al., FAST'25; github.com/kvcache-ai/Mooncake).
	// Their clock ticks every 3 s.
	"mooncake": {layout: layout{columns: hashedColumns, clock: numberClock(1e-3), block: 512}, lines: true, jitter: 3},
	// The traces of Qwen on Bailian (github.com/alibaba-edu/qwen-bailian-usagetraces-anon).
	"bailian": {layout: layout{columns: hashedColumns, clock: numberClock(1), block: 16}, lines: true},
	// Logs of one's own, in which times are numbers of a unit or dates.
	"csv":     {layout: layout{columns: usualColumns, loose: true}},
	"jsonl":   {layout: layout{columns: usualColumns, loose: true}, lines: true},
	"parquet": {layout: layout{columns: usualColumns, loose: true}, binary: true},
}

// hashedColumns are the columns of traces whose IDs say what prompts have in common.
var hashedColumns = withHashIDs(exactColumns("timestamp", "input_length", "output_length"))

func withHashIDs(columns [fields]column) [fields]column {
	columns[hashField] = column{name: "hash_ids"}
	return columns
}

// reader reads a trace of this format; nil when there is none of the name.
func (s *TraceSpec) reader() fileReader {
	f, ok := formats[s.Format]
	if !ok {
		return nil
	}
	f.block = cmp.Or(s.BlockSize, f.block)
	if f.clock == nil {
		f.clock = func() timeReader { return logClock(s.TimeUnit) }
	}
	switch {
	case f.binary:
		return f.readParquet(s.TimeUnit, s.Columns)
	case f.lines:
		return overText(f.readJSONL(s.Columns))
	}
	return overText(f.readCSV(s.Columns))
}

// overText reads the text that a file holds, compressed or not.
func overText(read textReader) fileReader {
	return func(file *os.File, add addRow) error {
		plain, err := decompress(file)
		if err != nil {
			return err
		}
		return read(&boundedText{text: plain}, add)
	}
}
