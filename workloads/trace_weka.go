package workloads

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kneepoint/internal/jsonfields"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// weka is sessions of agents, one object each. They have no clock in common: each begins at time 0.
type weka struct {
	rows     []row
	ids      map[[2]int]int // by session, 0 for IDs that all sessions share, and by ID there
	sessions int            // and their subagents
	present  int            // the session that is read, from 1 on; 0: its IDs are those of all
	block    int            // of the session that is read
}

// wekaFiles reads a file of sessions, or all those of a folder, and hands on their rows in order of time.
func wekaFiles(layout, *TraceSpec) fileReader {
	return func(file *os.File, add addRow) error {
		p := &weka{ids: map[[2]int]int{}}
		if err := p.all(file); err != nil {
			return err
		}
		return addSorted(p.rows, add)
	}
}

// all reads a file, or those of a folder whose names are those of sessions, in their order.
func (p *weka) all(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return p.file(file)
	}
	entries, err := os.ReadDir(file.Name())
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if name := strings.TrimSuffix(entry.Name(), ".gz"); filepath.Ext(name) != ".json" && filepath.Ext(name) != ".jsonl" {
			continue
		}
		one, err := os.Open(filepath.Join(file.Name(), entry.Name()))
		if err != nil {
			return err
		}
		err = p.file(one)
		one.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// file reads the sessions of a file, one after another.
func (p *weka) file(file *os.File) error {
	plain, err := decompress(file)
	if err != nil {
		return &badinput.Error{File: file.Name(), Problem: "cannot be read: " + badinput.Reason(err)}
	}
	objects := json.NewDecoder(&boundedText{text: plain, most: mostObject})
	for {
		var session json.RawMessage
		err := objects.Decode(&session)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = p.session(session)
		}
		var wrong *badinput.Error
		if errors.As(err, &wrong) {
			return wrong.In(file.Name())
		}
		if err != nil {
			return &badinput.Error{File: file.Name(), Problem: "not JSON: " + err.Error(), Allowed: "an object for each session"}
		}
	}
}

// session reads a session.
func (p *weka) session(text json.RawMessage) error {
	fields, err := jsonfields.Split(text)
	if err != nil {
		return err
	}
	block, ok := units.ParseCount(string(fields.Get("block_size")))
	if !ok || block < 1 || block > mostTokens {
		return &badinput.Error{Problem: fmt.Sprintf("block_size %.40q is not a number of tokens", fields.Get("block_size")), Allowed: "whole numbers from 1 on"}
	}
	p.block = int(block)
	p.sessions++
	switch scope := string(fields.Get("hash_id_scope")); scope {
	case "", `"local"`:
		p.present = p.sessions
	case `"global"`:
		p.present = 0
	default:
		return &badinput.Error{Problem: fmt.Sprintf("hash_id_scope %.40s is unknown", scope), Allowed: `"local" or "global"`}
	}
	return p.requests("requests", fields.Get("requests"), 0, int32(p.sessions))
}

// requests reads the requests of a session or a subagent, which began at this time of the session.
func (p *weka) requests(key string, list json.RawMessage, began float64, talk int32) error {
	var texts []json.RawMessage
	if err := json.Unmarshal(list, &texts); err != nil {
		return &badinput.Error{Key: key, Problem: "missing", Allowed: "the list of a session's requests"}
	}
	for i, text := range texts {
		at := fmt.Sprintf("%s[%d]", key, i)
		fields, err := jsonfields.Split(text)
		if err == nil {
			err = p.request(at, fields, began, talk)
		}
		if err != nil {
			var wrong *badinput.Error
			if errors.As(err, &wrong) && !strings.HasPrefix(wrong.Key, key) {
				return wrong.Under(at)
			}
			return err
		}
	}
	return nil
}

// request takes a request, or those of a subagent. The times of these are the session's, or count from the subagent's
// beginning where they are before it.
func (p *weka) request(key string, fields jsonfields.Fields, began float64, talk int32) (err error) {
	at, ok := units.ParseDecimal(string(fields.Get("t")))
	if !ok {
		return &badinput.Error{Problem: fmt.Sprintf("t %.40q is not a time", fields.Get("t")), Allowed: "a number of seconds from 0 on"}
	}
	if at < began {
		at += began
	}
	if string(fields.Get("type")) == `"subagent"` {
		p.sessions++
		return p.requests(key+".requests", fields.Get("requests"), at, int32(p.sessions))
	}
	if string(fields.Get("out")) == "0" {
		return nil // it was broken off
	}
	r := row{at: at, session: talk}
	if r.input, err = tokens("in", string(fields.Get("in"))); err != nil {
		return err
	}
	if r.output, err = tokens("out", string(fields.Get("out"))); err != nil {
		return err
	}
	if r.content, err = blocks(fields.Get("hash_ids"), p.block, int(r.input)); err != nil {
		return err
	}
	if r.content != nil {
		p.rename(r.content.IDs)
	}
	if len(p.rows) == mostRows {
		return tooMuch(fmt.Sprintf("%d rows", mostRows))
	}
	p.rows = append(p.rows, r)
	return nil
}

// rename gives IDs of a session, which another one may have as well, names that are those of all sessions.
func (p *weka) rename(ids []int) {
	for i, id := range ids {
		key := [2]int{p.present, id}
		name, known := p.ids[key]
		if !known {
			name = len(p.ids)
			p.ids[key] = name
		}
		ids[i] = name
	}
}
