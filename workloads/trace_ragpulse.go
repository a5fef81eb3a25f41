package workloads

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kneepoint/internal/jsonfields"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// ragPulseParts are the parts of a prompt in their order, by the tables that say how many tokens each has.
var ragPulseParts = []struct{ key, table, id string }{
	{"sys_prompt", "1_sys_prompt.jsonl", "sys_prompt_id"},
	{"passages_ids", "2_passages.jsonl", "passage_id"},
	{"history", "3_history.jsonl", "history_id"},
	{"web_search", "5_web_search.jsonl", "web_search_id"},
	{"user_input", "4_user_input.jsonl", "user_input_id"},
}

// ragPulseSpan is the tokens that an ID names in the contents that are made of parts.
const ragPulseSpan = 16

// ragPulse is a folder of RAGPulse's files. Prompts are lists of parts, each with an ID and a number of tokens: two prompts
// begin alike as far as they have the same parts in the same order.
type ragPulse struct {
	folder string
	tokens map[int]int    // of a part
	begins map[[2]int]int // a number for a prompt's beginning, by that of what comes before its last part, and by this part
	talks  talks
	rows   []row
}

// ragPulseFolder reads the folder, and hands on its rows in order of time, which its trace is not.
func ragPulseFolder(layout, *TraceSpec) fileReader {
	return func(file *os.File, add addRow) error {
		p := &ragPulse{folder: file.Name(), tokens: map[int]int{}, begins: map[[2]int]int{}, talks: talks{byName: map[string]*talk{}}}
		for _, part := range ragPulseParts {
			if err := p.each(part.table, func(line jsonfields.Fields) error { return p.length(line, part.id) }); err != nil {
				return err
			}
		}
		if err := p.each("0_trace.jsonl", p.request); err != nil {
			return err
		}
		return addSorted(p.rows, add)
	}
}

// addSorted hands on rows in order of time, which counts from the first of them.
func addSorted(rows []row, add addRow) error {
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.at, b.at) })
	for _, r := range rows {
		r.at -= rows[0].at
		if more, err := add(r); err != nil || !more {
			return err
		}
	}
	return nil
}

// each hands on the lines of a file of the folder, which may be compressed and named so.
func (p *ragPulse) each(name string, next func(line jsonfields.Fields) error) error {
	path := filepath.Join(p.folder, name)
	file, err := openMember(path)
	if err != nil {
		return &badinput.Error{File: path, Problem: "cannot be read: " + badinput.Reason(err), Allowed: "the folder of RAGPulse's six files as path"}
	}
	defer file.Close()
	plain, err := decompress(file)
	if err == nil {
		err = eachObject(&boundedText{text: plain, most: mostRecord}, func(line jsonfields.Fields) (bool, error) { return true, next(line) })
	}
	var wrong *badinput.Error
	if errors.As(err, &wrong) {
		return wrong.In(file.Name())
	}
	return err
}

// length takes note of the tokens of a part.
func (p *ragPulse) length(line jsonfields.Fields, key string) error {
	id, known := units.ParseCount(string(line.Get(key)))
	n, ok := units.ParseCount(string(line.Get("token_length")))
	if !known || !ok || n > mostTokens {
		return &badinput.Error{Problem: fmt.Sprintf("%s %.40q has the token_length %.40q", key, line.Get(key), line.Get("token_length")), Allowed: "whole numbers from 0 on"}
	}
	p.tokens[int(id)] = int(n)
	return nil
}

// request takes a row of the trace.
func (p *ragPulse) request(line jsonfields.Fields) (err error) {
	var r row
	stamp := strings.Trim(string(line.Get("timestamp")), `"`)
	at, ok := units.ParseDecimal(stamp)
	if !ok {
		return &badinput.Error{Problem: fmt.Sprintf("timestamp %.40q is not a time", stamp), Allowed: "a number of seconds from 0 on"}
	}
	r.at = at
	if r.input, err = tokens("input_length", string(line.Get("input_length"))); err != nil {
		return err
	}
	if r.output, err = tokens("output_length", string(line.Get("output_length"))); err != nil {
		return err
	}
	if len(p.rows) == mostRows {
		return tooMuch(strconv.Itoa(mostRows) + " rows")
	}
	p.talks.next(sessionName(line.Get("session_id")), &r)
	if err := p.share(&r, line.Get("hash_ids")); err != nil {
		return err
	}
	p.rows = append(p.rows, r)
	return nil
}

// share names the row's prompt by its parts. What it has beyond them, the marks of a chat template, comes last.
func (p *ragPulse) share(r *row, parts json.RawMessage) error {
	lists, err := jsonfields.Split(parts)
	if err != nil {
		return &badinput.Error{Problem: fmt.Sprintf("hash_ids %.40s is not what it should be", parts), Allowed: "an object with a list for each part of the prompt"}
	}
	content, begin, named := &Content{Span: ragPulseSpan}, 0, 0
	for _, part := range ragPulseParts {
		ids, err := hashIDs(lists.Get(part.key))
		if err != nil {
			return err
		}
		for _, id := range ids {
			tokens, known := p.tokens[id]
			if !known {
				return &badinput.Error{Problem: fmt.Sprintf("%s has the part %d", part.key, id), Allowed: "those of " + part.table}
			}
			begin = p.begin(begin, id)
			named = min(named+tokens, int(r.input))
			for (len(content.IDs)+1)*ragPulseSpan <= named { // an ID is that of the part of its last token
				content.IDs = append(content.IDs, begin)
			}
		}
	}
	if len(content.IDs)*ragPulseSpan < named {
		content.IDs = append(content.IDs, begin)
	}
	r.content, r.named = content, int32(named)
	if named == 0 {
		r.content = nil
	}
	return nil
}

// begin is the number of a prompt's beginning that goes on with a part.
func (p *ragPulse) begin(before, part int) int {
	key := [2]int{before, part}
	number, known := p.begins[key]
	if !known {
		number = len(p.begins) + 1
		p.begins[key] = number
	}
	return number
}
