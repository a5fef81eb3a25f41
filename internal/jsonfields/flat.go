package jsonfields

import "encoding/json"

// mostFlat is the fields up to which looking for a key that stands there twice takes next to no time.
const mostFlat = 64

// flat splits an object of plain strings, numbers and lists of numbers, which nearly all lines of a trace
// are, in a fraction of the time that encoding/json takes. It is false for all other text, whether that is right or
// wrong. The values are parts of the text.
func (s *Splitter) flat(text []byte) (fields Fields, ok bool) {
	c := cursor{rest: text}
	if !c.take('{') {
		return nil, false
	}
	fields, s.fields = s.fields[:0], s.fields[:cap(s.fields)]
	for more := true; more; more = c.take(',') {
		key, ok := c.text()
		if !ok || len(fields) == mostFlat || !c.take(':') {
			return nil, false
		}
		name := s.name(len(fields), key)
		if fields.Get(name) != nil {
			return nil, false
		}
		value, ok := c.value()
		if !ok {
			return nil, false
		}
		fields = append(fields, Field{name, value})
	}
	s.fields = fields
	return fields, c.take('}') && c.ended()
}

// name is the text of a key. As a rule that is what stood in its place before, which needs no memory of its own.
func (s *Splitter) name(place int, key []byte) string {
	if place < len(s.fields) && s.fields[place].Key == string(key) {
		return s.fields[place].Key
	}
	return string(key)
}

// cursor is where one is in a text.
type cursor struct{ rest []byte }

// skip skips white space.
func (c *cursor) skip() { c.rest = c.rest[spaces(c.rest):] }

// ended tells whether nothing more comes.
func (c *cursor) ended() bool {
	c.skip()
	return len(c.rest) == 0
}

// take takes a character, if that is next.
func (c *cursor) take(want byte) bool {
	c.skip()
	if len(c.rest) == 0 || c.rest[0] != want {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

// text takes a string of ASCII characters, none of which is escaped.
func (c *cursor) text() (inside []byte, ok bool) {
	if !c.take('"') {
		return nil, false
	}
	for end, char := range c.rest {
		switch {
		case char == '"':
			inside, c.rest = c.rest[:end], c.rest[end+1:]
			return inside, true
		case char < ' ' || char > '~' || char == '\\':
			return nil, false
		}
	}
	return nil, false
}

// value takes a string, a number or a list of numbers.
func (c *cursor) value() (raw json.RawMessage, ok bool) {
	c.skip()
	from := c.rest
	switch {
	case len(from) == 0:
		return nil, false
	case from[0] == '"':
		_, ok = c.text()
	case from[0] == '[':
		ok = c.numbers()
	default:
		ok = c.number()
	}
	n := len(from) - len(c.rest)
	return json.RawMessage(from[:n:n]), ok
}

// numbers takes a list of them, which is not empty.
func (c *cursor) numbers() bool {
	text, at := c.rest, 0
	for more := true; more; more = at < len(text) && text[at] == ',' {
		at++ // behind the bracket or the comma
		at += spaces(text[at:])
		n := number(text[at:])
		if n == 0 {
			return false
		}
		at += n
		at += spaces(text[at:])
	}
	c.rest = text[at:]
	return c.take(']')
}

// number takes a number without an exponent.
func (c *cursor) number() bool {
	n := number(c.rest)
	c.rest = c.rest[n:]
	return n > 0
}

// number is the length of the number without an exponent that a text begins with; 0: it begins with none.
func number(text []byte) int {
	at := 0
	if len(text) > 0 && text[0] == '-' {
		at = 1
	}
	whole := digits(text[at:])
	if whole == 0 || whole > 1 && text[at] == '0' {
		return 0
	}
	if at += whole; at == len(text) || text[at] != '.' {
		return at
	}
	part := digits(text[at+1:])
	if part == 0 {
		return 0
	}
	return at + 1 + part
}

// digits is how many a text begins with.
func digits(text []byte) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// spaces is how many characters of white space a text begins with.
func spaces(text []byte) int {
	n := 0
	for n < len(text) && (text[n] == ' ' || text[n] == '\t' || text[n] == '\r' || text[n] == '\n') {
		n++
	}
	return n
}
