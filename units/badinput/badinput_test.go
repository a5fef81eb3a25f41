package badinput

import (
	"errors"
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	for _, c := range []struct {
		want string
		err  Error
	}{
		{"it is wrong", Error{Problem: "it is wrong"}},
		{"a.toml: it is wrong", Error{File: "a.toml", Problem: "it is wrong"}},
		{"a.toml:7: it is wrong", Error{File: "a.toml", Line: 7, Problem: "it is wrong"}},
		{"line 7: it is wrong", Error{Line: 7, Problem: "it is wrong"}},
		{"a.b: missing", Error{Key: "a.b", Problem: "missing"}},
		{`a.toml: slo.attainment = 1.5: must be between 0 and 1`,
			Error{File: "a.toml", Key: "slo.attainment", Value: 1.5, Problem: "must be between 0 and 1"}},
		{`batching = "statik": unknown value; allowed: one of static, continuous; did you mean "static"?`,
			Error{Key: "batching", Value: "statik", Problem: "unknown value", Allowed: "one of static, continuous", Nearest: "static"}},
		{`name = "": must not be empty`, Error{Key: "name", Value: "", Problem: "must not be empty"}},
		{`name = "a\nb": no two lines`, Error{Key: "name", Value: "a\nb", Problem: "no two\nlines"}},
		{`k = {a = "b", c = [1, {}, [true]]}: wrong`,
			Error{Key: "k", Value: map[string]any{"c": []any{1, map[string]any{}, []any{true}}, "a": "b"}, Problem: "wrong"}},
		{"k = 99999999999: wrong", Error{Key: "k", Value: 99999999999.0, Problem: "wrong"}},
		{`k = [{a = 1}]: wrong`, Error{Key: "k", Value: []map[string]any{{"a": 1}}, Problem: "wrong"}},
		{"k = a\\u001bb: wrong", Error{Key: "k", Value: errors.New("a\x1bb"), Problem: "wrong"}},
		{`k = "` + strings.Repeat("ä", 56) + `...: long`, Error{Key: "k", Value: strings.Repeat("ä", 100), Problem: "long"}},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestUnder(t *testing.T) {
	for _, c := range []struct{ table, key, want string }{
		{"workload", "rate", "workload.rate"},
		{"strategy", "[2]", "strategy[2]"},
		{"[2]", "name", "[2].name"},
		{"strategy", "[2].name", "strategy[2].name"},
		{"slo", "", "slo"},
		{"", "slo", "slo"},
	} {
		before := Error{Key: c.key, Problem: "p"}
		if got := before.Under(c.table).Key; got != c.want {
			t.Errorf("%q under %q: got %q, want %q", c.key, c.table, got, c.want)
		}
		if before.Key != c.key {
			t.Errorf("Under changed its receiver to %q", before.Key)
		}
	}
}

func TestIn(t *testing.T) {
	e := &Error{Problem: "p"}
	if got := e.In("a.toml").In("b.toml").File; got != "a.toml" {
		t.Errorf("the outer file %q replaces the inner one", got)
	}
	if e.File != "" {
		t.Errorf("In changed its receiver")
	}
}

func TestNearest(t *testing.T) {
	keys := []string{"title", "rate", "max_num_seqs", "max_num_batched_tokens", "burstiness", "tp", "pp"}
	for _, c := range []struct{ word, want string }{
		{"titel", "title"},               // a swap
		{"Title", "title"},               // case alone
		{"RATE", "rate"},                 //
		{"rat", "rate"},                  // a letter missing
		{"ratee", "rate"},                // one too many
		{"tate", "rate"},                 // a wrong one
		{"max-num-seqs", "max_num_seqs"}, // two wrong ones
		{"max_num_sequences", "max_num_seqs"},
		{"burstyness", "burstiness"},
		{"tpp", "tp"}, // as near as pp: the first
		{"qq", ""},    // nothing of it is right
		{"brine", ""}, // three letters from rate
		{"x", ""},
		{"concurrency", ""},
		{"batched_tokens", "max_num_batched_tokens"}, // parts of one alone
		{"num.seqs", "max_num_seqs"},
		{"max_num", ""}, // parts of two
		{"num_batched", "max_num_batched_tokens"},
		{"atched_tokens", ""}, // no whole part
		{"", ""},
	} {
		if got := Nearest(c.word, keys); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.word, got, c.want)
		}
	}
	names := []string{"llama-30b", "llama-2-70b", "llama-3-70b", "a100-sxm", "p99_ttft_ms"}
	for word, want := range map[string]string{
		"llama-70b":   "llama-2-70b", // as near as another size
		"llama-20b":   "llama-30b",
		"p98_ttft_ms": "p99_ttft_ms",
		"b100_sxm":    "a100-sxm",
		"b300-sxn":    "", // three letters
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("llama-70b", []string{"llama-3.1-70b", "llama-3.1-8b"}); got != "llama-3.1-70b" {
		t.Errorf("the one with the word's parts, far away: %q", got)
	}
	if got := Nearest("llama-70b", []string{"llama-3.1-70b", "llama-3.3-70b"}); got != "" {
		t.Errorf("of two with the word's parts, far away: %q", got)
	}
	if got := Nearest("llama-70b", []string{"llama_33_70b", "llama_31_70b"}); got != "" {
		t.Errorf("of two with the word's parts, one letter too far: %q", got)
	}
	if got := Nearest("-----", []string{"burstiness"}); got != "" {
		t.Errorf("nearest of no part: %q", got)
	}
	if got := Nearest("rate", nil); got != "" {
		t.Errorf("nearest of nothing: %q", got)
	}
}

// TestNearestOfAMillionLetters returns at once: comparing them with every key would take
// minutes.
func TestNearestOfAMillionLetters(t *testing.T) {
	for range 100 {
		if got := Nearest(strings.Repeat("rate", 250_000), []string{"rate", "burstiness"}); got != "" {
			t.Errorf("nearest is %q", got)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"abc", "xabc", 1},
		{"kitten", "sitting", 3}, {"ca", "abc", 3}, {"äbc", "abc", 1},
	} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
		if got := distance(c.b, c.a); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.b, c.a, got, c.want)
		}
	}
}
