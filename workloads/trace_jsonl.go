package workloads

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// jsonlFormat is a trace format of one JSON object a line, with the fields of
// jsonlRow; a line may have others.
type jsonlFormat struct {
	unit   float64       // of the timestamps, in seconds
	block  int           // tokens that an ID names
	jitter units.Seconds // the tick of the clock
}

// jsonlFormats are the formats by their name in an experiment file.
var jsonlFormats = map[string]jsonlFormat{
	// The traces of Mooncake (Qin et al., FAST'25; github.com/kvcache-ai/Mooncake).
	// Their clock ticks every 3 s.
	"mooncake": {unit: 1e-3, block: 512, jitter: 3},
	// The traces of Qwen on Bailian (github.com/alibaba-edu/qwen-bailian-usagetraces-anon).
	"bailian": {unit: 1, block: 16},
}

// jsonlRow is one line. An ID names a block of the prompt and all before it;
// the last block may be incomplete, or be left out then.
type jsonlRow struct {
	Timestamp json.Number `json:"timestamp"`
	Input     json.Number `json:"input_length"`
	Output    json.Number `json:"output_length"`
	IDs       []int       `json:"hash_ids"`
}

// read parses a trace and hands on its rows, in order, until add wants no more.
func (f jsonlFormat) read(r io.Reader, add func(row) (more bool)) error {
	lines, latest := bufio.NewReaderSize(r, 1<<16), 0.0
	for line := 1; ; line++ {
		text, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		ended := err != nil
		if text = bytes.TrimSpace(text); len(text) > 0 {
			next, wrong := f.row(text)
			if wrong == nil && next.at < latest {
				wrong = &badinput.Error{Problem: "is earlier than the row before: sort the trace by time"}
			}
			if wrong != nil {
				wrong.Line = line
				return wrong
			}
			if latest = next.at; !add(next) {
				return nil
			}
		}
		if ended {
			return nil
		}
	}
}

// row parses a line.
func (f jsonlFormat) row(text []byte) (r row, wrong *badinput.Error) {
	var line jsonlRow
	if err := json.Unmarshal(text, &line); err != nil {
		return r, notJSON(err)
	}
	at, err := strconv.ParseFloat(string(line.Timestamp), 64)
	if err != nil || !nonnegative(at) {
		return r, &badinput.Error{Problem: fmt.Sprintf("timestamp %.40q is not a time", line.Timestamp), Allowed: "a number from 0 on"}
	}
	r.at = at * f.unit
	for _, part := range []struct {
		key  string
		text json.Number
		into *int32
	}{{"input_length", line.Input, &r.input}, {"output_length", line.Output, &r.output}} {
		if *part.into, err = tokens(part.key, string(part.text)); err != nil {
			errors.As(err, &wrong)
			return r, wrong
		}
	}
	r.content, wrong = f.content(line.IDs, int(r.input))
	return r, wrong
}

// content names a prompt of this length.
func (f jsonlFormat) content(ids []int, input int) (*Content, *badinput.Error) {
	whole, all := input/f.block, (input+f.block-1)/f.block
	switch {
	case ids == nil:
		return nil, &badinput.Error{Problem: "has no hash_ids", Allowed: "a list of whole numbers"}
	case len(ids) < whole || len(ids) > all:
		return nil, &badinput.Error{
			Problem: fmt.Sprintf("has %d hash_ids for %d tokens, which are %d blocks of %d (block_size)", len(ids), input, all, f.block),
		}
	case len(ids) == 0:
		return nil, nil
	}
	return &Content{IDs: ids, Span: f.block}, nil
}

// notJSON says what is wrong with a line.
func notJSON(err error) *badinput.Error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		return &badinput.Error{Problem: fmt.Sprintf("%s is a %s", kind.Field, kind.Value),
			Allowed: "a list of whole numbers for hash_ids, numbers for timestamp, input_length and output_length"}
	}
	return &badinput.Error{Problem: "not a JSON object: " + err.Error()}
}
