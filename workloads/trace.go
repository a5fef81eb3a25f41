package workloads

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
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
	case s.reader() == nil:
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
	scale  float64 // seconds of the replay per second of the trace
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
func (t *Trace) Rows() int { return len(t.rows) }

// Requests is the number of requests of all passes.
func (t *Trace) Requests() int {
	if t.passes > math.MaxInt/len(t.rows) {
		return math.MaxInt
	}
	return len(t.rows) * t.passes
}

// shares tells whether requests have tokens in common.
func (t *Trace) shares() bool {
	return slices.ContainsFunc(t.rows, func(r row) bool { return r.content != nil })
}

// period is the time from a pass to the next: the span of the rows and one mean
// gap, (last - first)·n/(n-1), or one tick of the clock where that is longer.
func (t *Trace) period(tick float64) float64 {
	n := len(t.rows)
	if n < 2 {
		return tick
	}
	span := t.rows[n-1].at - t.rows[0].at
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
	file, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer file.Close()
	trace, err := readTrace(file, spec)
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
func readTrace(file *os.File, spec TraceSpec) (*Trace, error) {
	wanted := selection{scale: cmp.Or(spec.TimeScale, 1), start: float64(spec.Start),
		end: cmp.Or(float64(spec.End), math.Inf(1)), limit: cmp.Or(spec.Limit, math.MaxInt)}
	if err := spec.reader()(file, wanted.add); err != nil {
		return nil, err
	}
	if len(wanted.rows) == 0 {
		return nil, wanted.empty()
	}
	next := heirs(wanted.rows)
	nameAnswers(wanted.rows, next)
	if !slices.ContainsFunc(wanted.rows, func(r row) bool { return r.session > 0 }) {
		numberSessions(wanted.rows, next)
	}
	return &Trace{rows: wanted.rows, passes: cmp.Or(spec.Repeat, 1), scale: wanted.scale}, nil
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

// selection collects the rows of a trace that were asked for.
type selection struct {
	scale, start, end float64
	limit             int
	rows              []row
	seen              bool // a row, whether asked for or not
}

// add takes a row and reports whether it wants more. It refuses one that would arrive when
// the clock is not exact any more, or for which there is no room.
func (s *selection) add(r row) (more bool, err error) {
	s.seen = true
	if r.at >= s.end {
		return false, nil
	}
	if r.at >= s.start {
		r.at = (r.at - s.start) * s.scale
		if r.at > float64(units.Longest) {
			return false, &badinput.Error{
				Problem: fmt.Sprintf("would arrive after %.3g s: times count from 0 or from start, and time_scale multiplies them", r.at),
				Allowed: withinLongest,
			}
		}
		if len(s.rows) == mostRows {
			return false, tooMuch(fmt.Sprintf("%d rows", mostRows))
		}
		s.rows = append(s.rows, r)
	}
	return len(s.rows) < s.limit, nil
}

// empty says why nothing was selected.
func (s *selection) empty() error {
	if s.seen {
		return &badinput.Error{Key: "start", Value: units.Seconds(s.start).String(), Problem: "no row of the trace lies between start and end"}
	}
	return &badinput.Error{Problem: "the trace has no rows", Allowed: "a row for each request"}
}
