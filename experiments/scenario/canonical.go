package scenario

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kneepoint/sim"
)

// Key is where a store keeps the outcome: the SHA-256, in hexadecimal digits, of
// the engine's revision and the scenario's bytes.
func (s *Scenario) Key() string {
	hash := sha256.Sum256(slices.Concat([]byte(strconv.Itoa(sim.Revision)+"\n"), s.Bytes()))
	return hex.EncodeToString(hash[:])
}

// Bytes is the scenario as text in the manner of JSON. Equal scenarios have equal
// bytes, and what changes an outcome changes the bytes. Fields that are zero are
// left out, so that one which is added later changes no key as long as nobody
// uses it.
func (s *Scenario) Bytes() []byte {
	c := canonical{text: make([]byte, 0, 1<<13)}
	c.value(reflect.ValueOf(s))
	return c.text
}

// canonical writes plain values as text.
type canonical struct {
	text    []byte
	sources bool // whether to write where numbers come from, too
}

// provenance are the fields, of whatever struct, that say where a number comes
// from, or by which constants that a scenario has were looked up. They change no outcome.
var provenance = []string{"Title", "Vendor", "BulkCopySMs", "HeldOut", "Source", "Sources", "Provenance", "Confidence",
	"Estimated", "Note", "Date", "HuggingFace", "Aliases"}

// value writes a value. Numbers have as many digits as it takes to read them back;
// infinities are numbers too.
func (c *canonical) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		c.value(v.Elem())
		return
	case reflect.Struct:
		c.structure(v)
		return
	case reflect.Slice:
		c.list(v)
		return
	case reflect.Map:
		c.table(v)
		return
	case reflect.String:
		c.text = strconv.AppendQuote(c.text, v.String())
		return
	case reflect.Bool:
		c.text = strconv.AppendBool(c.text, v.Bool())
		return
	}
	switch {
	case v.CanInt():
		c.text = strconv.AppendInt(c.text, v.Int(), 10)
	case v.CanUint():
		c.text = strconv.AppendUint(c.text, v.Uint(), 10)
	case v.CanFloat():
		c.text = strconv.AppendFloat(c.text, v.Float(), 'g', -1, 64)
	default:
		panic(fmt.Sprintf("scenario: a %s is no plain value", v.Type()))
	}
}

// structure writes the fields of a struct in their order.
func (c *canonical) structure(v reflect.Value) {
	c.text = append(c.text, '{')
	for i, f := range fieldsOf(v.Type()) {
		if field := v.Field(i); !empty(field) && (c.sources || !f.source) {
			c.text = append(c.text, f.name...)
			c.value(field)
			c.text = append(c.text, ',')
		}
	}
	c.text = append(c.text, '}')
}

// field is one of a struct.
type field struct {
	name   string // as it stands before the value
	source bool   // it says where a number comes from
}

// knownFields are those of structs whose fields were asked for, by their reflect.Type: asking reflect costs more than writing a value.
var knownFields sync.Map

func fieldsOf(t reflect.Type) []field {
	if known, ok := knownFields.Load(t); ok {
		return known.([]field)
	}
	fields := make([]field, t.NumField())
	for i := range fields {
		name := t.Field(i).Name
		fields[i] = field{strconv.Quote(name) + ":", slices.Contains(provenance, name)}
	}
	knownFields.Store(t, fields)
	return fields
}

// empty tells whether a field is left out. A pointer to zero is not: zero was chosen,
// which may differ from a default.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

func (c *canonical) list(v reflect.Value) {
	c.text = append(c.text, '[')
	for i := range v.Len() {
		c.value(v.Index(i))
		c.text = append(c.text, ',')
	}
	c.text = append(c.text, ']')
}

// table writes a map in the order of its keys, which are strings.
func (c *canonical) table(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	c.text = append(c.text, '{')
	for _, key := range keys {
		c.entry(key.String(), v.MapIndex(key))
	}
	c.text = append(c.text, '}')
}

func (c *canonical) entry(name string, v reflect.Value) {
	c.text = append(strconv.AppendQuote(c.text, name), ':')
	c.value(v)
	c.text = append(c.text, ',')
}
