package workloads

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TraceRow is one request of a trace that was not read from a file.
type TraceRow struct {
	Arrival       units.Seconds
	Input, Output int // tokens
}

// NewTrace is the trace of rows in order of their arrival, from 0 on, to be
// replayed once as they are: what LoadTrace returns for a file with them. A row
// that no file could have is a *badinput.Error.
func NewTrace(rows []TraceRow) (*Trace, error) {
	t := &Trace{passes: 1, scale: 1, rows: make([]row, len(rows))}
	latest := 0.0
	for i, r := range rows {
		at := float64(r.Arrival)
		switch {
		case !nonnegative(at) || at < latest:
			return nil, &badinput.Error{
				Problem: fmt.Sprintf("row %d of the trace arrives at %v s", i, at),
				Allowed: "times from 0 on that do not decrease",
			}
		case r.Input < 1 || r.Output < 1 || r.Input > mostTokens || r.Output > mostTokens:
			return nil, &badinput.Error{
				Problem: fmt.Sprintf("row %d of the trace has %d prompt and %d output tokens", i, r.Input, r.Output),
				Allowed: "1 to 2^30 of each",
			}
		}
		t.rows[i] = row{at: at, input: int32(r.Input), output: int32(r.Output)}
		latest = at
	}
	if len(rows) == 0 {
		return nil, &badinput.Error{Problem: "the trace has no rows"}
	}
	return t, nil
}

// Digest is the SHA-256, in hexadecimal digits, of everything in the trace that a
// replay depends on: its rows, how often they are replayed and how they were
// scaled. It does not depend on where the rows were read from.
func (t *Trace) Digest() string {
	if t.file != nil {
		return t.file.digest
	}
	d := t.digester()
	for i := range t.rows {
		d.put(&t.rows[i])
	}
	return d.sum()
}

// digest is that of a trace, row after row.
type digest struct {
	hash hash.Hash
	out  *bufio.Writer // to hash; cannot fail: a hash takes everything
}

// digester is that of a trace of which no row is known.
func (t *Trace) digester() digest {
	hash := sha256.New()
	d := digest{hash, bufio.NewWriter(hash)}
	d.word(uint64(t.passes))
	d.word(math.Float64bits(t.scale))
	return d
}

func (d *digest) word(bits uint64) {
	_, _ = d.out.Write(binary.LittleEndian.AppendUint64(d.out.AvailableBuffer(), bits))
}

func (d *digest) put(r *row) {
	d.word(math.Float64bits(r.at))
	d.word(uint64(r.input)<<32 | uint64(r.output))
	if r.content == nil {
		d.word(0)
		return
	}
	d.word(uint64(len(r.content.IDs)))
	d.word(uint64(r.content.Span)<<32 | uint64(r.named))
	d.word(uint64(r.session))
	for _, id := range r.content.IDs {
		d.word(uint64(id))
	}
}

func (d *digest) sum() string {
	_ = d.out.Flush()
	return hex.EncodeToString(d.hash.Sum(nil))
}
