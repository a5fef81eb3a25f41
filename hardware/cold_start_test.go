package hardware

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

func TestEveryColdStartParameterHasASource(t *testing.T) {
	var parameters []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[ColdStart]()) {
		if key := f.Tag.Get("toml"); key != "sources" && key != "estimated" {
			parameters = append(parameters, key)
		}
	}
	for _, name := range Engines() {
		e, err := LookupEngine(name)
		if err != nil {
			t.Fatal(err)
		}
		c := &e.ColdStart
		for _, p := range parameters {
			if c.Sources[p] == "" {
				t.Errorf("%s: %s has no source", name, p)
			}
			if strings.Contains(c.Sources[p], "assumed") && !slices.Contains(c.Estimated, p) {
				t.Errorf("%s: %s is assumed, but not estimated", name, p)
			}
		}
		for _, p := range c.Estimated {
			if !slices.Contains(parameters, p) {
				t.Errorf("%s: estimated %s is no parameter", name, p)
			}
		}
		if c.Start < 0 || c.Distributed < 0 || c.Compile < 0 || c.Graphs < 0 || c.FirstRequest < 0 || c.WakeUpFixed < 0 ||
			c.WakeUpEfficiency < 0 || c.WakeUpEfficiency > 1 {
			t.Errorf("%s: out of range: %+v", name, c)
		}
	}
}

func TestStorageCatalog(t *testing.T) {
	if got, want := Storages(), []string{"nvme", "object-store", "host-memory"}; !slices.Equal(got, want) {
		t.Fatalf("storage %v, want %v", got, want)
	}
	for _, name := range Storages() {
		s, err := ParseStorage(strings.ToUpper(name))
		if err != nil || s.Name != name || s.Bandwidth < 1e8 || s.Bandwidth > 1e11 || s.Title == "" || s.Source == "" {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
	if s, err := ParseStorage(" 2GB/s "); err != nil || s.Bandwidth != 2e9 || s.Name != "" || s.Estimated {
		t.Errorf("a bandwidth: %+v, %v", s, err)
	}
}

func TestParseStorageSaysWhatIsWrong(t *testing.T) {
	classes := "one of nvme, object-store, host-memory, or a bandwidth like \"2GB/s\""
	for text, want := range map[string]string{
		"":       `neither storage nor a bandwidth; allowed: ` + classes,
		"nvm":    `neither storage nor a bandwidth; allowed: ` + classes + `; did you mean "nvme"?`,
		"2GB":    `neither storage nor a bandwidth; allowed: ` + classes,
		"0GB/s":  `must be greater than 0`,
		"-1GB/s": `must be greater than 0`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ParseStorage(text)
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.Contains(bad.Error(), want) {
				t.Errorf("%q: got %v\nwant %s", text, err, want)
			}
		})
	}
}

func TestProfileChangesPartsOfTheColdStart(t *testing.T) {
	base, err := LookupEngine("sglang")
	if err != nil {
		t.Fatal(err)
	}
	e, err := ParseEngine("like = \"sglang\"\n[cold_start]\ngraphs = \"3s\"\nload_from = \"12GB/s\"", "mine.toml")
	if err != nil {
		t.Fatal(err)
	}
	c, was := &e.ColdStart, &base.ColdStart
	if c.Graphs != 3 || c.LoadFrom != "12GB/s" || c.Start != was.Start || c.WakeUpEfficiency != was.WakeUpEfficiency {
		t.Errorf("%+v", c)
	}
	if c.Sources["graphs"] != "mine.toml" || c.Sources["start"] != was.Sources["start"] {
		t.Errorf("sources %v", c.Sources)
	}
	if slices.Contains(c.Estimated, "graphs") || !slices.Contains(c.Estimated, "compile") {
		t.Errorf("estimated %v", c.Estimated)
	}
	if again, _ := LookupEngine("sglang"); again.ColdStart.Sources["graphs"] == "mine.toml" || !slices.Contains(again.ColdStart.Estimated, "graphs") {
		t.Error("the catalog changed")
	}
}

func TestColdStartSaysWhatIsWrong(t *testing.T) {
	for table, want := range map[string]string{
		`graphs = "-3s"`:         `cold_start.graphs = "-3s": must not be negative`,
		`graph = "3s"`:           `cold_start.graph: unknown key; did you mean "graphs"?`,
		`load_from = "nvem"`:     `cold_start.load_from = "nvem": neither storage nor a bandwidth; `,
		`wake_up_efficiency = 2`: `cold_start.wake_up_efficiency = 2: must be between 0 and 1`,
	} {
		t.Run(table, func(t *testing.T) {
			_, err := ParseEngine("like = \"vllm-v1\"\n[cold_start]\n"+table, "mine.toml")
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.HasPrefix(bad.Error(), want) {
				t.Errorf("%s: got %v\nwant %s", table, err, want)
			}
		})
	}
	_, err := ParseEngine("like = \"vllm-v1\"\ncold_start = 3", "mine.toml")
	if err == nil || err.Error() != `cold_start = 3: wrong kind of value; allowed: a table` {
		t.Errorf("no table: %v", err)
	}
}

func FuzzParseStorage(f *testing.F) {
	f.Add("nvme")
	f.Add("2GB/s")
	f.Add("1e400B/s")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStorage(text)
		var bad *badinput.Error
		switch {
		case err == nil && !(s.Bandwidth > 0):
			t.Errorf("%q: %v", text, s.Bandwidth)
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%q: not one line of bad input: %v", text, err)
		}
	})
}
