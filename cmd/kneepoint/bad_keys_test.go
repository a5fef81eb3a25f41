package main

import (
	"cmp"
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"kneepoint/experiments"
	"kneepoint/hardware"
)

// badKeys are wrong values, misspelled keys and misspelled names for every key of the
// experiment file's schema.
func badKeys() []badInput {
	w := schemaWalk{}
	w.table("", reflect.TypeFor[experiments.Spec](), func(key, value string) []string { return []string{"--set", key + "=" + value} })
	return w.all
}

// badProfiles are the same for the keys of an engine profile in a file.
func badProfiles() []badInput {
	w := schemaWalk{}
	w.table("profile", reflect.TypeFor[hardware.Engine](), func(key, value string) []string { return []string{key + " = " + value} })
	for i := range w.all {
		in := &w.all[i]
		in.files = map[string]string{"bad/engine.toml": "like = \"vllm-v1\"\n" + in.args[2] + "\n"}
		in.args = []string{"run", "small.toml", "--set", "hardware.engine=bad/engine.toml"}
		in.says[0] = "bad/engine.toml"
	}
	return w.all
}

// schemaWalk collects the bad inputs of tables.
type schemaWalk struct{ all []badInput }

// setter is how a command line sets a key of a table.
type setter func(key, value string) []string

// listBases are what an entry of a list of tables has besides the key that is wrong.
var listBases = map[string]string{
	"buckets":                  "weight=1; count=2; tokens=5",
	"strategy.kv.tiers":        `name="host"; size="40GB"; bandwidth="50GB/s"`,
	"workload.client":          `name="x"; share=1`,
	"profile.batch_limits":     `max_num_seqs=4; max_num_batched_tokens=9`,
	"mix":                      `w=1; mu=3; sigma=1`, // of every law
	"hardware.measured.decode": `base="7ms"`,
	"expect":                   `metric="mbu"; strategy="static"; at=8; between=[0, 1]`,
	"plot":                     `kind="curve"; metric="mbu"`,
	"fleet.pool":               `name="p"`,
	"fleet.failure":            `at="3s"`,
	"fleet.autoscale.schedule": `at="0s"; replicas=1`,
	"stages":                   `rate=1; duration="9s"`, // of every arrivals
	"curve":                    `figure="F"; strategy="static"; metric="mbu"; points=[[8, 1]]`,
	"claim":                    `strategy="continuous"; metric="mean_ttft_ms"; factor=[0.5, 1]`,
}

// table walks the keys of a table at a path.
func (w *schemaWalk) table(path string, table reflect.Type, set setter) {
	for _, f := range reflect.VisibleFields(table) {
		key := f.Tag.Get("toml")
		if key == "" || key == "-" || !f.IsExported() {
			continue
		}
		full := strings.TrimPrefix(path+"."+key, ".")
		w.values(full, key, table, f, set)
		if f.Tag.Get("later") != "true" {
			w.misspelled(full, key, set)
		}
		w.below(full, key, f.Type, set)
	}
}

// below walks the table, or a table of the list, that a key has.
func (w *schemaWalk) below(full, key string, kind reflect.Type, set setter) {
	list := kind.Kind() == reflect.Slice
	if list || kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	if full == "hardware.custom" {
		kind, list = reflect.TypeFor[hardware.Accelerator](), false
	}
	if kind.Kind() != reflect.Struct || reads(kind) {
		return
	}
	if full == "strategy" { // of which the file has one
		key, list = "strategy.static", false
	}
	if !list {
		w.table(full, kind, func(k, v string) []string { return set(key+"."+k, v) })
		return
	}
	base := cmp.Or(listBases[full], listBases[key])
	if base == "" {
		panic("no entry of a list of " + full)
	}
	w.table(full, kind, func(k, v string) []string {
		fields := []string{k + "=" + v}
		if strings.Contains(k, ".") {
			fields = []string{inline(k, v)}
		}
		for _, field := range strings.Split(base, "; ") {
			if !strings.HasPrefix(field, k+"=") {
				fields = append(fields, field)
			}
		}
		return set(key, "[{"+strings.Join(fields, ", ")+"}]")
	})
}

// inline is an assignment to a dotted key as TOML has it within a table of one line.
func inline(key, value string) string {
	head, rest, dotted := strings.Cut(key, ".")
	if !dotted {
		return key + "=" + value
	}
	return head + "={" + inline(rest, value) + "}"
}

// reads tells whether a type reads its value itself.
func reads(kind reflect.Type) bool {
	_, table := reflect.New(kind).Interface().(interface{ DecodeTOML(any) error })
	_, text := reflect.New(kind).Interface().(encoding.TextUnmarshaler)
	return table || text
}

// values are wrong ones of a key, by its kind and by what its tags allow.
func (w *schemaWalk) values(full, key string, table reflect.Type, f reflect.StructField, set setter) {
	for _, v := range wrongValues(f) {
		if full == "strategy" { // whose list cannot be set
			v.says = "strategy.NAME.KEY"
		}
		w.add(full, key, v, set)
	}
	words := allowedWords(table, f)
	if len(words) > 0 && len(words[0]) > 3 {
		word := misspell(words[0])
		w.add(full, key, wrong{strconv.Quote(word), strconv.Quote(word), "one of|allowed: " + words[0]}, set)
	}
}

// wrong is a value as a command line has it, as the message does, and what that says.
type wrong struct{ value, shown, says string }

// wrongValues are values that no key of the field's kind may have.
func wrongValues(f reflect.StructField) []wrong {
	if f.Tag.Get("later") == "true" {
		return []wrong{{"1", "", "not supported yet"}, {`"x"`, "", "not supported yet"}}
	}
	kind := f.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	instance := reflect.New(kind).Interface()
	if _, own := instance.(interface{ DecodeTOML(any) error }); own {
		return []wrong{{"true", "true", ""}, {"[[1]]", "", ""}, {`"x y z"`, `"x y z"`, ""}, {`"a\u0007b"`, "", ""}}
	}
	if _, text := instance.(encoding.TextUnmarshaler); text {
		all := []wrong{{"5", "5", "a string with a unit"}, {"true", "true", "a string with a unit"},
			{`"10 parsecs"`, `"10 parsecs"`, "write a number and a unit"},
			{`"1_0s"`, `"1_0s"`, "write a number and a unit"}, {`"1e999s"`, `"1e999s"`, "write a number and a unit"}}
		return append(all, outOfRange(f, `"-1s"`, `"-1GB"`, `"-1GB/s"`)...)
	}
	switch kind.Kind() {
	case reflect.String:
		return []wrong{{"3", "3", "a string"}, {"true", "true", "a string"}, {`["a"]`, "", "a string"},
			{`"a\u0007b"`, `"a\ab"`, "one line|one of|allowed: "}}
	case reflect.Bool:
		return []wrong{{"1", "1", "true or false"}, {`"yes"`, `"yes"`, "true or false"}, {"{}", "", "true or false"}}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		all := []wrong{{`"many"`, `"many"`, "a whole number"}, {"2.5", "2.5", "a whole number"}, {"true", "true", "a whole number"},
			{"1e300", "1e+300", "2^53|at most|whole"}, {"[1]", "", "a whole number"}}
		return append(all, outOfRange(f, "-1")...)
	case reflect.Float64:
		all := []wrong{{`"many"`, `"many"`, "a number"}, {"nan", `"nan"|NaN`, "finite"}, {"inf", `"inf"|+Inf`, "finite"},
			{"true", "true", "a number"}, {"[1]", "", "a number"}}
		return append(all, outOfRange(f, "-1.5", "2.5")...)
	case reflect.Struct, reflect.Map:
		return []wrong{{"3", "", "table"}, {`"x"`, "", "table"}, {"[1]", "", "table"}}
	case reflect.Slice:
		return []wrong{{"3", "3", "a list"}, {`"x"`, `"x"`, "a list"}, {"[{}, 3]", "", ""}}
	}
	return nil
}

// outOfRange are those of some values that a field's check refuses.
func outOfRange(f reflect.StructField, values ...string) []wrong {
	says := map[string]string{
		"positive": "greater than 0", "nonnegative": "not be negative", "fraction": "between 0 and 1", "share": "greater than 0 and at most 1",
	}[f.Tag.Get("check")]
	if says == "" {
		return nil
	}
	kind := f.Type
	if kind.Kind() == reflect.Pointer {
		kind = kind.Elem()
	}
	var all []wrong
	for _, v := range values {
		unit := map[string]string{"s": "Seconds", `GB`: "Bytes", "GB/s": "BytesPerSecond"}[strings.Trim(v, `"-1`)]
		if strings.HasPrefix(v, `"`) && unit != kind.Name() || strings.HasPrefix(v, "2") && !strings.HasSuffix(says, "1") {
			continue
		}
		all = append(all, wrong{v, v, says})
	}
	return all
}

// allowedWords are the strings that a field's tags allow.
func allowedWords(table reflect.Type, f reflect.StructField) []string {
	words := strings.Fields(f.Tag.Get("oneof"))
	if len(words) == 1 && strings.HasPrefix(words[0], "@") {
		lists := reflect.New(table).Interface().(interface{ Words(string) []string })
		return lists.Words(words[0][1:])
	}
	return words
}

// misspell swaps two letters of a word, that differ.
func misspell(word string) string {
	for i := 1; i+1 < len(word); i++ {
		if word[i] != word[i+1] {
			return word[:i] + string(word[i+1]) + string(word[i]) + word[i+2:]
		}
	}
	return word + "x"
}

// misspelled is a key whose name has two letters in the wrong order.
func (w *schemaWalk) misspelled(full, key string, set setter) {
	if len(key) < 4 || misspell(key) == key || slices.Contains([]string{"strategy", "sweep", "workload"}, key) {
		return // the tables that the experiment needs would be missing
	}
	other := misspell(key)
	in := badInput{full + " misspelled", []string{"run", "small.toml"}, nil,
		[]string{"small.toml", other, `did you mean "` + key + `"|unknown key; allowed: .*` + key}}
	w.append(full, in, set(other, "1"))
}

// append adds an input, with what sets the key, to the experiment in which it means
// something.
func (w *schemaWalk) append(full string, in badInput, assignments []string) {
	if strings.HasPrefix(full, "hardware.custom.") {
		in.args[1], in.says[0] = "custom.toml", "custom.toml"
	}
	in.args = append(in.args, assignments...)
	w.all = append(w.all, in)
}

// add adds a wrong value of a key.
func (w *schemaWalk) add(full, key string, v wrong, set setter) {
	in := badInput{fmt.Sprintf("%s = %s", full, v.value), []string{"run", "small.toml"}, nil, []string{"small.toml", key, v.shown, v.says}}
	w.append(full, in, set(key, v.value))
}
