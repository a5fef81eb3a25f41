package hardware

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

func TestEveryEngineParameterHasASource(t *testing.T) {
	want := []string{"fastertransformer", "hf-eager", "ideal", "sglang", "trtllm", "trtllm-1.0", "vllm-v0-2023", "vllm-v1"}
	if got := Engines(); !slices.Equal(got, want) {
		t.Fatalf("engines %v, want %v", got, want)
	}
	var parameters []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Engine]()) {
		if key := f.Tag.Get("toml"); !slices.Contains([]string{"name", "title", "sources", "estimated", "date", "launch_floor_by_architecture", "cold_start"}, key) {
			parameters = append(parameters, key)
		}
	}
	for _, name := range want {
		e, err := LookupEngine(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parameters {
			if e.Sources[p] == "" {
				t.Errorf("%s: %s has no source", name, p)
			}
		}
		for p := range e.Sources {
			if !slices.Contains(parameters, p) {
				t.Errorf("%s: %s is no parameter", name, p)
			}
		}
		for _, p := range e.Estimated {
			if !slices.Contains(parameters, p) {
				t.Errorf("%s: estimated %s is no parameter", name, p)
			}
		}
		if e.Title == "" || e.Date == "" {
			t.Errorf("%s: no title or date", name)
		}
	}
}

func TestEngineTimes(t *testing.T) {
	e := Engine{RequestFixed: 5e-3, RequestPerPromptToken: 2e-6, LaunchFloor: 0.5e-3,
		LaunchFloorByArchitecture: map[string]units.Seconds{"hopper": 0.3e-3}}
	if got := e.RequestTime(1000); got != 7e-3 {
		t.Errorf("a prompt of 1000 takes %v in the front-end, want 7 ms", got)
	}
	if got := e.LaunchFloorOn(&Accelerator{Architecture: "Hopper"}); got != 0.3e-3 {
		t.Errorf("floor on Hopper %v", got)
	}
	if got := e.LaunchFloorOn(&Accelerator{Architecture: "Ampere"}); got != 0.5e-3 {
		t.Errorf("floor elsewhere %v", got)
	}
}

func TestLookupEngineSaysWhatIsWrong(t *testing.T) {
	all := "fastertransformer, hf-eager, ideal, sglang, trtllm, trtllm-1.0, vllm-v0-2023, vllm-v1"
	for name, want := range map[string]string{
		"vlm-v1":       `engine = "vlm-v1": unknown engine; allowed: one of ` + all + `; did you mean "vllm-v1"?`,
		"my/engine":    `engine = "my/engine": cannot be read: no such file or directory`,
		"profile.toml": `engine = "profile.toml": cannot be read: no such file or directory`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := LookupEngine(name)
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
	if e, err := LookupEngine("VLLM-V1"); err != nil || e.Name != "vllm-v1" {
		t.Errorf("VLLM-V1: %v, %v", e.Name, err)
	}
}
