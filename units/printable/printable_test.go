package printable

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
)

func TestLine(t *testing.T) {
	for text, escaped := range map[string]string{
		"":                       "",
		"H100 – 80 GB, 3 µs/tok": "H100 – 80 GB, 3 µs/tok",
		"日本語 👩‍🚀 \u200c":         "日本語 👩‍🚀 \u200c",
		"a\x1b[31mb":             `a\u001b[31mb`,
		"a\nb\r\tc":              `a\nb\u000d\u0009c`,
		"\x00\x7f\u0085":         `\u0000\u007f\u0085`,
		"a\u2028b\u202ec":        `a\u2028b\u202ec`,
		"\ufffe":                 `\ufffe`,
		"a\xffb":                 "a\ufffdb",
	} {
		if got := Escape(text); got != escaped || !Line(got) {
			t.Errorf("Escape(%q) = %q, want %q", text, got, escaped)
		}
		if Line(text) != (text == escaped) {
			t.Errorf("Line(%q) = %t", text, Line(text))
		}
	}
}

// TestXML has the XML parser read every character that can be shown.
func TestXML(t *testing.T) {
	var text strings.Builder
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if Line(string(r)) && r != '<' && r != '&' {
			text.WriteRune(r)
		}
	}
	var read string
	if err := xml.Unmarshal([]byte("<a>"+text.String()+"</a>"), &read); err != nil || read != text.String() {
		t.Errorf("not what was written: %v", err)
	}
}
