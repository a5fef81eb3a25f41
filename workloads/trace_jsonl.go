package workloads

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"kneepoint/internal/jsonfields"
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

// jsonlKeys are the fields of a line: when the request came, its tokens and those of the
// answer, and what the prompt has in common with others. An ID names a block of the
// prompt and all before it; the last block may be incomplete, or be left out then.
var jsonlKeys = []string{"timestamp", "input_length", "output_length", "hash_ids"}

// read parses a trace and hands on its rows, in order, until add wants no more.
func (f jsonlFormat) read(r io.Reader, add addRow) error {
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
			latest = next.at
			if more, err := add(next); err != nil || !more {
				return atLine(line, err)
			}
		}
		if ended {
			return nil
		}
	}
}

// atLine is wrong input in a line; nil stays nil.
func atLine(line int, err error) error {
	var wrong *badinput.Error
	if errors.As(err, &wrong) {
		wrong.Line = line
	}
	return err
}

// row parses a line.
func (f jsonlFormat) row(text []byte) (r row, wrong *badinput.Error) {
	line, err := jsonfields.Split(text)
	if err == nil {
		err = jsonfields.CheckCase(line, jsonlKeys...)
	}
	if errors.As(err, &wrong) {
		return r, wrong
	}
	at, ok := units.ParseDecimal(string(line["timestamp"]))
	if !ok {
		return r, &badinput.Error{Problem: fmt.Sprintf("timestamp %.40q is not a time", line["timestamp"]), Allowed: "a number from 0 on"}
	}
	r.at = at * f.unit
	for _, part := range []struct {
		key  string
		into *int32
	}{{"input_length", &r.input}, {"output_length", &r.output}} {
		if *part.into, err = tokens(part.key, string(line[part.key])); err != nil {
			errors.As(err, &wrong)
			return r, wrong
		}
	}
	ids, wrong := hashIDs(line["hash_ids"])
	if wrong != nil {
		return r, wrong
	}
	r.content, wrong = f.content(ids, int(r.input))
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

// hashIDs reads the list of them; nil where there is none.
func hashIDs(list json.RawMessage) (ids []int, wrong *badinput.Error) {
	if list == nil {
		return nil, nil
	}
	if ids, ok := wholeNumbers(list); ok {
		return ids, nil
	}
	if err := json.Unmarshal(list, &ids); err != nil || bytes.Contains(list, []byte("null")) {
		return nil, &badinput.Error{Problem: fmt.Sprintf("hash_ids %.40s is not what it should be", list), Allowed: "a list of whole numbers"}
	}
	return ids, nil
}

// wholeNumbers reads a list of whole numbers of up to 18 digits with nothing but commas and spaces between them. It is
// false for all other lists.
func wholeNumbers(list []byte) (numbers []int, ok bool) {
	if len(list) < 2 || list[0] != '[' || list[len(list)-1] != ']' {
		return nil, false
	}
	numbers = make([]int, 0, bytes.Count(list, []byte{','})+1)
	for text := range bytes.SplitSeq(list[1:len(list)-1], []byte{','}) {
		text = bytes.Trim(text, " ")
		if len(text) == 0 || len(text) > 18 || text[0] == '0' && len(text) > 1 {
			return nil, false
		}
		n := 0
		for _, c := range text {
			if c < '0' || c > '9' {
				return nil, false
			}
			n = 10*n + int(c-'0')
		}
		numbers = append(numbers, n)
	}
	return numbers, true
}
