package hardware_test

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/units"
)

// tableCost looks the times of decode steps up in a table of one's own: a cost
// model needs a Step, and embeds Plain for what it does not know.
type tableCost struct {
	hardware.Plain
	prompt units.Seconds   // of a token
	decode []units.Seconds // by the number of sequences
}

func (c *tableCost) Step(w *hardware.Work) hardware.Cost {
	rows := min(w.DecodeRows, len(c.decode)-1)
	return hardware.Cost{Time: c.decode[rows] + c.prompt*units.Seconds(w.PromptTokens())}
}

func ExampleCostModel() {
	var cost hardware.CostModel = &tableCost{prompt: 50e-6, decode: []units.Seconds{0, 8e-3, 9e-3, 9.5e-3}}
	alone := cost.Step(&hardware.Work{DecodeRows: 1, DecodeContext: 500})
	mixed := cost.Step(&hardware.Work{DecodeRows: 2, DecodeContext: 900, Prefill: []hardware.Chunk{{Tokens: 256}}})
	fmt.Println(alone.Time, mixed.Time)

	staged := hardware.PipelineOf(hardware.InStages(cost, 2))
	fmt.Println(staged.Stages(), "stages")
	// Output:
	// 8.00 ms 21.8 ms
	// 2 stages
}
