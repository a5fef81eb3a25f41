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
	open   func(l layout, s *TraceSpec) textOpener // nil: read does
	read   func(l layout, s *TraceSpec) fileReader
	jitter units.Seconds // the tick of the clock
}

// formats are those of traces by their names in an experiment file.
var formats = map[string]traceFormat{
	// The Azure LLM inference traces of 2023 and 2024
	// (github.com/Azure/AzurePublicDataset); times are a wall clock's.
	"azure": {layout: layout{columns: exactColumns("TIMESTAMP", "ContextTokens", "GeneratedTokens"), clock: wallClock}, open: csvText},
	// The per-request files of serving measurements; times are seconds.
	"measured": {layout: layout{columns: exactColumns("arrival_s", "prompt_tokens", "output_tokens"), clock: secondsClock}, open: csvText},
	// BurstGPT (Wang et al., 2024; github.com/HPMLL/BurstGPT). Its clock counts whole seconds. Requests without tokens of
	// the answer failed, as its README says.
	"burstgpt": {layout: layout{columns: withOptional(sessionField, "Session ID", exactColumns("Timestamp", "Request tokens", "Response tokens")),
		clock: func() timeReader { return sinceFirst("s") }, failed: true}, open: csvText, jitter: 1},
	// The traces of Mooncake (Qin et al., FAST'25; github.com/kvcache-ai/Mooncake).
	// Their clock ticks every 3 s.
	"mooncake": {layout: layout{columns: hashedColumns, clock: numberClock(1e-3), block: 512}, open: jsonlText, jitter: 3},
	// The traces of Qwen on Bailian (github.com/alibaba-edu/qwen-bailian-usagetraces-anon).
	"bailian": {layout: layout{columns: hashedColumns, clock: numberClock(1), block: 16}, open: jsonlText},
	// The timed traces that vLLM's benchmark replays (--dataset-name timed_trace), with its size of a block, and the
	// results that it writes.
	"vllm": {layout: layout{columns: hashedColumns, block: vllmBlock}, read: vllmFile},
	// RAGPulse (Wang et al., 2025; github.com/flashserve/RAGPulse). Its clock counts whole seconds.
	"ragpulse": {read: ragPulseFolder, jitter: 1},
	// Sessions of coding agents (github.com/callanjfox/kv-cache-tester).
	"weka": {read: wekaFiles},
	// How the clients of a service come and what they ask for (Xiang et al., 2025; github.com/alibaba/ServeGen).
	"servegen": {read: serveGenFolder},
	// Logs of one's own, in which times are numbers of a unit or dates.
	"csv":     {layout: layout{columns: usualColumns, loose: true}, open: csvText},
	"jsonl":   {layout: layout{columns: usualColumns, loose: true}, open: jsonlText},
	"parquet": {layout: layout{columns: usualColumns, loose: true}, read: parquetTable},
}

// hashedColumns are the columns of traces whose IDs say what prompts have in common.
var hashedColumns = withHashIDs(exactColumns("timestamp", "input_length", "output_length"))

func withHashIDs(columns [fields]column) [fields]column {
	columns[hashField] = column{name: "hash_ids"}
	return columns
}

func withOptional(f field, name string, columns [fields]column) [fields]column {
	columns[f] = column{name: name, optional: true}
	return columns
}

// format is how a trace of this spec is read; false where there is none of the name.
func (s *TraceSpec) format() (f traceFormat, ok bool) {
	f, ok = formats[s.Format]
	f.block = cmp.Or(s.BlockSize, f.block)
	if f.clock == nil {
		f.clock = func() timeReader { return logClock(s.TimeUnit) }
	}
	return f, ok
}

// opener begins to read the rows of a file, compressed or not; nil where the format needs the whole file.
func (s *TraceSpec) opener() textOpener {
	f, _ := s.format()
	if f.open == nil {
		return nil
	}
	open := f.open(f.layout, s)
	return func(file io.Reader) (rowReader, error) {
		text, err := rowText(file, mostRecord)
		if err != nil {
			return nil, err
		}
		return open(text)
	}
}

// reader reads a trace of this format.
func (s *TraceSpec) reader() fileReader {
	open := s.opener()
	if open == nil {
		f, _ := s.format()
		return f.read(f.layout, s)
	}
	return func(file *os.File, add addRow) error {
		rows, err := open(file)
		if err != nil {
			return err
		}
		return push(rows, add)
	}
}

func csvText(l layout, s *TraceSpec) textOpener { return l.openCSV(s.Columns) }

func jsonlText(l layout, s *TraceSpec) textOpener { return l.openJSONL(s.Columns) }

func parquetTable(l layout, s *TraceSpec) fileReader { return l.readParquet(s.TimeUnit, s.Columns) }

func vllmFile(l layout, s *TraceSpec) fileReader { return overText(l.readVLLM(s.TimeUnit), mostObject) }

// overText reads the text that a file holds, compressed or not, with records of at most so many bytes.
func overText(read textReader, most int) fileReader {
	return func(file *os.File, add addRow) error {
		text, err := rowText(file, most)
		if err != nil {
			return err
		}
		return read(text, add)
	}
}
