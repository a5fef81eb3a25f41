package hardware

import (
	"fmt"
	"math"

	"kneepoint/units/badinput"
)

// leastCap is the least share of its TDP that an accelerator's power can be capped at. Drivers go
// no lower than some quarter; the law of Clock is too fast before that (see docs/accuracy.md, Power).
const leastCap = 0.25

// CapPower limits the accelerator's power to less than its TDP; 0 leaves it alone. The lower of
// two caps holds. A cap that is out of range is a *badinput.Error without a key.
func (a *Accelerator) CapPower(watts float64) error {
	if watts == 0 {
		return nil
	}
	if least := leastCap * a.TDPWatts; watts < least || watts > a.TDPWatts {
		return &badinput.Error{Value: watts, Problem: "no power that " + a.Name + " can be capped at",
			Allowed: fmt.Sprintf("%v to %v W, its TDP", least, a.TDPWatts)}
	}
	if a.PowerCapWatts == 0 || watts < a.PowerCapWatts {
		a.PowerCapWatts = watts
	}
	return nil
}

// clockSteps is in how many steps a clock goes from nothing to its full rate: an H100's are 15 MHz
// of 1980. A decode whose context grows keeps its clock for many steps so.
const clockSteps = 128

// Clock is the speed under the cap of work that would draw a demand of watts without it:
//
//	min(1, ((c-0.1)/(d-0.1))^0.54), c = Cap/TDP, d = min(1, demand/TDP)
//
// rounded down to a step of the clock. Work that draws less than the cap, as most decodes do, is as fast as
// without. Measured kernels ran at the TDP, so that a demand beyond it is none. The law is
// within 0.04 of MLPerf's throughput on H200 at .50 and .71 of the TDP; see docs/accuracy.md.
func (p *Power) Clock(demand float64) float64 {
	limit, wanted := p.Cap/p.TDP, min(1, demand/p.TDP)
	if limit >= wanted {
		return 1
	}
	return math.Floor(math.Pow((limit-0.1)/(wanted-0.1), 0.54)*clockSteps) / clockSteps
}
