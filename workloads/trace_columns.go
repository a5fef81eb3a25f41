package workloads

import (
	"fmt"
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// field is one of the things that a trace tells of a request.
type field int

const (
	timeField    field = iota // when it came
	inputField                // tokens of the prompt
	outputField               // tokens of the answer
	sessionField              // the conversation that it is a turn of
	hashField                 // the blocks that its prompt begins with
	fields
)

// TraceColumns is the [workload.trace.columns] table: the names of columns that are not found by
// themselves. Empty: the usual ones.
type TraceColumns struct {
	Time    string `toml:"time"`
	Input   string `toml:"input"`
	Output  string `toml:"output"`
	Session string `toml:"session"`
	HashIDs string `toml:"hash_ids"`
}

// byField are the names in the order of fields.
func (c *TraceColumns) byField() [fields]string {
	return [fields]string{c.Time, c.Input, c.Output, c.Session, c.HashIDs}
}

// fieldKeys are the keys of TraceColumns.
var fieldKeys = [fields]string{"time", "input", "output", "session", "hash_ids"}

// column is how the column of a field is found.
type column struct {
	name     string   // spelled like this
	usual    []string // or like one of these, whatever the case, and whether blanks, dots, hyphens or underscores are between the words
	optional bool
}

// exactColumns are columns of these names, all of which must be there; those of the other fields are not read.
func exactColumns(names ...string) (all [fields]column) {
	for f := range all {
		all[f].optional = true
	}
	for f, name := range names {
		all[f] = column{name: name}
	}
	return all
}

// usualColumns are those of logs, by names that count tokens, and not characters.
var usualColumns = [fields]column{
	timeField:    {usual: []string{"timestamp", "arrival_time", "arrival_s", "arrived_at", "request_time", "start_time", "time"}},
	inputField:   {usual: []string{"input_tokens", "prompt_tokens", "context_tokens", "request_tokens", "num_prefill_tokens", "input_length", "input_len"}},
	outputField:  {usual: []string{"output_tokens", "completion_tokens", "generated_tokens", "response_tokens", "num_decode_tokens", "output_length", "output_len"}},
	sessionField: {usual: []string{"session_id", "conversation_id"}, optional: true},
	hashField:    {usual: []string{"hash_ids"}, optional: true},
}

// findColumns are the names, among those of a trace, of the columns that it is read from; empty for a
// field that it does not tell. Given names go before those of the format.
func findColumns(names []string, wanted [fields]column, given TraceColumns) (found [fields]string, err error) {
	for f, own := range given.byField() {
		if own != "" {
			wanted[f] = column{name: own}
		}
	}
	for f, c := range wanted {
		matching := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !c.is(name) })
		switch {
		case len(matching) == 1 || len(matching) > 1 && c.name != "":
			found[f] = matching[0]
		case len(matching) > 1:
			return found, &badinput.Error{
				Line:    1,
				Problem: fmt.Sprintf("%q and %q may both be the column of %s", matching[0], matching[1], fieldKeys[f]),
				Allowed: "one of them, or the name of the right one as columns." + fieldKeys[f],
			}
		case !c.optional:
			return found, missingColumn(field(f), names, wanted)
		}
		if before := slices.Index(found[:f], found[f]); found[f] != "" && before >= 0 {
			return found, &badinput.Error{
				Line:    1,
				Problem: fmt.Sprintf("%q is the column of %s and of %s", found[f], fieldKeys[before], fieldKeys[f]),
				Allowed: "one of them, by columns." + fieldKeys[before] + " or columns." + fieldKeys[f],
			}
		}
	}
	return found, nil
}

// exactNames are those of columns that are spelled like this.
func (l *layout) exactNames() (names [fields]string) {
	for f, c := range l.columns {
		names[f] = c.name
	}
	return names
}

// is tells whether a column has the name that is looked for.
func (c column) is(name string) bool {
	if c.name != "" {
		return name == c.name
	}
	return slices.ContainsFunc(c.usual, func(usual string) bool { return plainName(usual) == plainName(name) })
}

// plainName is a name in lower case, without what is between its words.
func plainName(name string) string {
	return strings.NewReplacer("_", "", " ", "", "-", "", ".", "").Replace(strings.ToLower(name))
}

// missingColumn is the error of a trace without the column of a field.
func missingColumn(f field, names []string, wanted [fields]column) error {
	c := wanted[f]
	if c.name == "" {
		return &badinput.Error{
			Line:    1,
			Problem: "no column of " + fieldKeys[f],
			Allowed: strings.Join(c.usual, ", ") + ", or its name as columns." + fieldKeys[f],
		}
	}
	var all []string
	for _, c := range wanted {
		if c.name != "" && !c.optional {
			all = append(all, c.name)
		}
	}
	return &badinput.Error{
		Line:    1,
		Problem: fmt.Sprintf("no column %q", c.name),
		Allowed: "a header with " + strings.Join(all, ","),
		Nearest: badinput.Nearest(c.name, names),
	}
}
