package roofline

import (
	"testing"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/units"
)

// fatal is what testing.TB and rapid.T have in common here.
type fatal interface{ Fatal(...any) }

// deployment names the catalog's entries; its other fields are at their defaults.
func deployment(t fatal, accelerator, engine, name string, tp int) Deployment {
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		t.Fatal(err)
	}
	e, err := hardware.LookupEngine(engine)
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return Deployment{Accelerator: a, Engine: e, Architecture: m, TP: tp}
}

func build(t testing.TB, d Deployment) *Model {
	t.Helper()
	m, err := New(d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// decode is a step of rows sequences, each attending to context tokens.
func decode(rows, context int) *hardware.Work {
	return &hardware.Work{DecodeRows: rows, DecodeContext: int64(rows) * int64(context), LogitRows: rows}
}

// prefill is a step of whole prompts.
func prefill(prompts, tokens int) *hardware.Work {
	w := &hardware.Work{LogitRows: prompts}
	for range prompts {
		w.Prefill = append(w.Prefill, hardware.Chunk{Tokens: tokens})
	}
	return w
}

// staticBatch is the time of a batch from its prefill to its last token.
func staticBatch(m *Model, batch, input, output int) units.Seconds {
	total := m.Step(prefill(batch, input)).Time
	for k := 1; k < output; k++ {
		total += m.Step(decode(batch, input+k)).Time
	}
	return total
}
