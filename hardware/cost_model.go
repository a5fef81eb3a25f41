package hardware

import "kneepoint/units"

// CostModel says how long a step takes on a replica, and what goes with it. A
// simple model embeds Plain and has a Step. A model that changes another embeds
// that one, so that it keeps all that it does not change.
//
// The methods are pure functions of the work, and do not keep w.
type CostModel interface {
	Step(w *Work) Cost

	// Window is the number of last tokens that layers with a window attend to; 0
	// when no layer has one. All such layers have the same.
	Window() int

	// Pipeline is the stages that a step passes through; nil for a single one.
	Pipeline() Pipeline

	// Bounds is what the parts of a step wait for, which add up to the Time of
	// Step; false when the model cannot tell, whatever the work.
	Bounds(w *Work) (Bounds, bool)
}

// ChunkModel is a cost model that tells the costs of several steps at once which compute a prompt in chunks of equal length, faster than
// one by one. A model that embeds one and has another Step must have another ChunkSteps, too.
type ChunkModel interface {
	// ChunkSteps does what the function of that name does.
	ChunkSteps(w *Work, costs []Cost)
}

// ChunkSteps fills in what steps cost, to the last bit as Step does, of which the first has the work w and each other one the work that is
// NextChunk of the one before. w becomes that of the step behind them.
func ChunkSteps(m CostModel, w *Work, costs []Cost) {
	if c, ok := m.(ChunkModel); ok {
		c.ChunkSteps(w, costs)
		return
	}
	for i := range costs {
		costs[i] = m.Step(w)
		w.NextChunk()
	}
}

// Pipeline is the stages of a cost model. A replica of several has a step under way
// in each.
type Pipeline interface {
	// Stages is their number, at least 1.
	Stages() int

	// StageTimes fills times, one for each stage, with how long the work occupies
	// it, the hand-over to the next one included. They add up to the Time of Step.
	StageTimes(w *Work, times []units.Seconds)
}

// PipelineOf is the pipeline of a cost model, of one stage where it has none.
func PipelineOf(c CostModel) Pipeline {
	if p := c.Pipeline(); p != nil {
		return p
	}
	return EvenStages{CostModel: c, N: 1}
}

// Plain is embedded in a cost model that has only a Step: no layers with a window,
// one stage, and no knowledge of what its steps wait for.
type Plain struct{}

// Window is 0: no layer has one.
func (Plain) Window() int { return 0 }

// Pipeline is nil: a single stage.
func (Plain) Pipeline() Pipeline { return nil }

// Bounds is unknown.
func (Plain) Bounds(*Work) (Bounds, bool) { return Bounds{}, false }

// InStages lets the steps of a cost model of one stage pass through n stages of a
// pipeline in equal parts.
func InStages(c CostModel, n int) CostModel {
	if n == 1 {
		return c
	}
	return EvenStages{CostModel: c, N: n}
}

// EvenStages is a cost model of which every step is spread evenly over N stages,
// with nothing lost between them.
type EvenStages struct {
	CostModel
	N int
}

// Pipeline is the even stages.
func (e EvenStages) Pipeline() Pipeline { return e }

// Stages is N.
func (e EvenStages) Stages() int { return e.N }

// StageTimes are equal parts of a step.
func (e EvenStages) StageTimes(w *Work, times []units.Seconds) {
	for i, t := 0, e.Step(w).Time; i < len(times); i++ {
		times[i] = t / units.Seconds(len(times))
	}
}
