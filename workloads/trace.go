package workloads

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TraceSpec is the [workload.trace] table. Zero values mean "not given".
//
// The rows from Start up to but not including End, at most Limit of them, are
// replayed with Start as time 0. Start and End count from the first row and in
// the trace's own time, before TimeScale is applied.
type TraceSpec struct {
	Path   string `toml:"path" required:"true"`
	Format string `toml:"format" required:"true" oneof:"azure measured burstgpt mooncake bailian vllm ragpulse weka servegen csv jsonl parquet"`

	TimeScale float64       `toml:"time_scale" check:"positive"` // 2: twice as slow
	Start     units.Seconds `toml:"start" check:"nonnegative"`
	End       units.Seconds `toml:"end" check:"nonnegative"` // 0: to the end
	Limit     int           `toml:"limit" check:"nonnegative"`

	// Repeat is how many times the rows are replayed. A pass begins one mean gap of the
	// rows after the last one of the pass before, which keeps the rate.
	Repeat int `toml:"repeat" check:"positive"`

	// TickJitter is the tick of the clock that the trace was recorded with, in the
	// trace's own time: each row comes later by up to one tick. Nil: the format's own.
	TickJitter *units.Seconds `toml:"tick_jitter" check:"nonnegative"`

	// BlockSize is the tokens that a hash ID names. 0: the format's own.
	BlockSize int `toml:"block_size" check:"positive" only:"format=mooncake,bailian,vllm,csv,jsonl,parquet"`

	// TimeUnit is that of times that are numbers; "" is s.
	TimeUnit string `toml:"time_unit" oneof:"s ms us ns" only:"format=vllm,csv,jsonl,parquet"`

	Columns TraceColumns `toml:"columns" only:"format=csv,jsonl,parquet"`
}

// SetDefaults fills in what a table that does not say otherwise means.
func (s *TraceSpec) SetDefaults() { s.TimeScale, s.Repeat = 1, 1 }

// Validate reports what is missing or contradictory, and fills in what depends on
// the format.
func (s *TraceSpec) Validate() error {
	switch {
	case s.Path == "":
		return &badinput.Error{Key: "path", Problem: "missing", Allowed: "the path of a trace"}
	case formats[s.Format].open == nil && formats[s.Format].read == nil:
		return &badinput.Error{Key: "format", Value: s.Format, Problem: "unknown value", Allowed: "one of " + strings.Join(slices.Sorted(maps.Keys(formats)), ", ")}
	case !nonnegative(s.TimeScale):
		return &badinput.Error{Key: "time_scale", Value: s.TimeScale, Problem: "must be greater than 0"}
	case !nonnegative(float64(s.Start)):
		return &badinput.Error{Key: "start", Value: s.Start.String(), Problem: "must not be negative"}
	case !nonnegative(float64(s.End)):
		return &badinput.Error{Key: "end", Value: s.End.String(), Problem: "must not be negative"}
	case s.End > 0 && s.End <= s.Start:
		return &badinput.Error{Key: "end", Value: s.End.String(), Problem: "must be later than start", Allowed: `"0s" for no end`}
	case s.Limit < 0:
		return &badinput.Error{Key: "limit", Value: s.Limit, Problem: "must not be negative"}
	case s.Repeat < 0:
		return &badinput.Error{Key: "repeat", Value: s.Repeat, Problem: "must be greater than 0"}
	case !nonnegative(float64(s.jitter())):
		return &badinput.Error{Key: "tick_jitter", Value: s.TickJitter.String(), Problem: "must not be negative"}
	case s.BlockSize < 0:
		return &badinput.Error{Key: "block_size", Value: s.BlockSize, Problem: "must be greater than 0"}
	}
	s.applyFormat()
	return nil
}

// applyFormat fills in what the format says. What is there stays untouched: runs
// share the spec.
func (s *TraceSpec) applyFormat() {
	if s.BlockSize == 0 && formats[s.Format].block > 0 {
		s.BlockSize = formats[s.Format].block
	}
	if s.TickJitter == nil {
		jitter := s.jitter()
		s.TickJitter = &jitter
	}
}

// jitter is the tick of the trace's clock.
func (s *TraceSpec) jitter() units.Seconds {
	if s.TickJitter != nil {
		return *s.TickJitter
	}
	return formats[s.Format].jitter
}

// Trace is the rows of a trace that are to be replayed. It is not changed after
// it was loaded: runs may share it.
type Trace struct {
	rows   []row
	passes int
	scale  float64  // seconds of the replay per second of the trace
	file   *rowFile // where the rows are that are not kept; nil: they are
}

// row is one request of a trace.
type row struct {
	at            float64 // in seconds
	input, output int32
	content       *Content // of the prompt, and of the answer where a later row goes on with it; nil: like no other
	named         int32    // tokens of prompt and answer that content names; 0: those of the prompt
	session       int32    // of which conversation it is a turn, from 1 on; 0: none
}

// hasBlocks tells whether IDs say what its prompt has in common with others.
func (r *row) hasBlocks() bool { return r.content != nil && r.named == 0 }

// Rows is the number of rows of one pass.
func (t *Trace) Rows() int {
	if t.file != nil {
		return t.file.rows
	}
	return len(t.rows)
}

// bounds are the arrivals of the first and the last row.
func (t *Trace) bounds() (first, last float64) {
	if t.file != nil {
		return t.file.first, t.file.last
	}
	return t.rows[0].at, t.rows[len(t.rows)-1].at
}

// Requests is the number of requests of all passes.
func (t *Trace) Requests() int {
	if t.passes > math.MaxInt/t.Rows() {
		return math.MaxInt
	}
	return t.Rows() * t.passes
}

// shares tells whether requests have tokens in common.
func (t *Trace) shares() bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.content != nil }) // none that is not kept has
}

// period is the time from a pass to the next: the span of the rows and one mean
// gap, (last - first)·n/(n-1), or one tick of the clock where that is longer.
func (t *Trace) period(tick float64) float64 {
	n := t.Rows()
	if n < 2 {
		return tick
	}
	first, last := t.bounds()
	span := last - first
	return max(span*float64(n)/float64(n-1), span+tick)
}

// LoadTrace reads the part of the file at path that spec asks for. The file may
// be compressed with gzip. The caller resolves spec.Path to path.
//
// Wrong input is a *badinput.Error: about the trace, and then with its File, or about a
// key relative to the [workload.trace] table.
func LoadTrace(path string, spec TraceSpec) (*Trace, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	return loadTrace(path, spec, mostKept)
}

// loadTrace is LoadTrace of a valid spec, which keeps rows that need not be kept up to so many.
func loadTrace(path string, spec TraceSpec, keep int) (*Trace, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	trace, err := readTrace(file, spec, keep)
	var wrong *badinput.Error
	switch {
	case err == nil:
		return trace, nil
	case !errors.As(err, &wrong):
		return nil, unreadable(path, err)
	case wrong.Key == "" || wrong.Line > 0:
		return nil, wrong.In(path)
	}
	return nil, wrong
}

func unreadable(path string, err error) error {
	return &badinput.Error{Key: "path", Value: path, Problem: "cannot be read: " + badinput.Reason(err)}
}

// readTrace reads a trace, and cuts out what spec asks for.
func readTrace(file *os.File, spec TraceSpec, keep int) (*Trace, error) {
	trace := &Trace{passes: cmp.Or(spec.Repeat, 1), scale: cmp.Or(spec.TimeScale, 1)}
	wanted := selection{scale: trace.scale, start: float64(spec.Start), end: cmp.Or(float64(spec.End), math.Inf(1)),
		limit: cmp.Or(spec.Limit, math.MaxInt), keep: math.MaxInt}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	open := spec.opener()
	if open == nil || !info.Mode().IsRegular() {
		return trace, trace.keepRows(file, &spec, wanted)
	}
	found := &rowFile{path: file.Name(), size: info.Size(), changed: info.ModTime(), open: open, wanted: wanted}
	wanted.keep, wanted.digest = keep, trace.digester()
	switch err := spec.reader()(file, wanted.add); {
	case errors.Is(err, errShares):
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		wanted = found.wanted
		return trace, trace.keepRows(file, &spec, wanted)
	case err != nil:
		return nil, err
	case !wanted.passed:
		return trace, trace.take(&wanted)
	}
	found.rows, found.first, found.last, found.digest = wanted.taken, wanted.first, wanted.last, wanted.digest.sum()
	trace.file = found
	return trace, nil
}

// keepRows reads all rows of a file.
func (t *Trace) keepRows(file *os.File, spec *TraceSpec, wanted selection) error {
	if err := spec.reader()(file, wanted.add); err != nil {
		return err
	}
	return t.take(&wanted)
}

// take takes the rows that were selected, with what they have in common.
func (t *Trace) take(wanted *selection) error {
	if t.rows = wanted.rows; len(t.rows) == 0 {
		return wanted.empty()
	}
	next := heirs(t.rows)
	nameAnswers(t.rows, next)
	if !slices.ContainsFunc(t.rows, func(r row) bool { return r.session > 0 }) {
		numberSessions(t.rows, next)
	}
	return nil
}

// openMember opens a file of a folder, which may be compressed and named so.
func openMember(path string) (*os.File, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		if zipped, missing := os.Open(path + ".gz"); missing == nil {
			return zipped, nil
		}
	}
	return file, err
}

// decompress undoes gzip where the first two bytes say so.
func decompress(r io.Reader) (io.Reader, error) {
	buffered := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		return gzip.NewReader(buffered)
	}
	return buffered, nil
}
