package calibrate

import (
	"math"
	"slices"

	"kneepoint/hardware"
	"kneepoint/units"
)

// stepModel is the linear form of hardware.Measured: its parameters are the
// three of prefill and then three for each range of batch sizes. The base of a
// mixed step, the larger of two, makes it linear only once it is known which.
type stepModel struct {
	limits       []int  // the largest batch of every range but the last
	prefillBases []bool // by range: a mixed step has the base of prefill
}

// newStepModel is a model with ranges that end at limits. It starts from the guess that
// mixed steps have the base of decode.
func newStepModel(limits []int) *stepModel {
	return &stepModel{limits: limits, prefillBases: make([]bool, len(limits)+1)}
}

// parameters is the number of parameters.
func (m *stepModel) parameters() int { return 3 + 3*len(m.prefillBases) }

// rangeOf is the index of the range that a batch is in.
func (m *stepModel) rangeOf(batch int) int {
	i, _ := slices.BinarySearch(m.limits, batch)
	return i
}

// fillRow writes the coefficients of a step's parameters into row.
func (m *stepModel) fillRow(w *hardware.Work, row []float64) {
	clear(row)
	if len(w.Prefill) > 0 {
		row[0], row[1], row[2] = 1, float64(w.PromptTokens()), w.PromptSquares()
	}
	b := w.BatchRows()
	if b == 0 {
		return
	}
	r := m.rangeOf(b)
	decode := row[3+3*r:]
	decode[0], decode[1], decode[2] = 1, float64(w.DecodeContext), float64(b)
	if len(w.Prefill) > 0 {
		if m.prefillBases[r] {
			decode[0] = 0
		} else {
			row[0] = 0
		}
	}
}

// relative is the model over rows as a linear model of 1: every row is divided
// by the time that was measured.
func (m *stepModel) relative(rows []Step) *linear {
	l := &linear{columns: m.parameters(), rows: make([]float64, len(rows)*m.parameters())}
	for i := range rows {
		row := l.row(i)
		m.fillRow(&rows[i].Work, row)
		for j := range row {
			row[j] /= float64(rows[i].Time)
		}
	}
	return l
}

// digits is how many significant digits of a coefficient are kept.
const digits = 5

// measured is the cost model with parameters theta.
func (m *stepModel) measured(theta []float64) hardware.Measured {
	at := func(i int) units.Seconds { return units.Seconds(units.Round(theta[i], digits)) }
	cost := hardware.Measured{Prefill: hardware.MeasuredPrefill{Base: at(0), PerToken: at(1), PerToken2: at(2)}}
	for r := range m.prefillBases {
		d := hardware.MeasuredDecode{Base: at(3 + 3*r), PerContextToken: at(4 + 3*r), PerSequence: at(5 + 3*r)}
		if r < len(m.limits) {
			d.MaxBatch = m.limits[r]
		}
		cost.Decode = append(cost.Decode, d)
	}
	return cost
}

// candidate is a fitted cost model with its loss.
type candidate struct {
	cost hardware.Measured
	loss float64
}

// fitSteps finds the parameters for given ranges, from either guess of which
// base mixed steps have.
func fitSteps(rows []Step, limits []int) candidate {
	best := newStepModel(limits).fit(rows)
	other := newStepModel(limits)
	for r := range other.prefillBases {
		other.prefillBases[r] = true
	}
	if c := other.fit(rows); c.loss < best.loss {
		best = c
	}
	return best
}

// fit corrects the guess until it holds.
func (m *stepModel) fit(rows []Step) candidate {
	best := candidate{loss: math.Inf(1)}
	for range 8 {
		theta := m.relative(rows).fitRobust()
		m.shareBases(rows, theta)
		c := candidate{cost: m.measured(theta)}
		if c.loss = lossOf(&c.cost, rows); c.loss < best.loss {
			best = c
		}
		if !m.correctBases(theta) {
			break
		}
	}
	return best
}

// correctBases corrects the guesses of which base mixed steps have by theta, and
// reports whether one was wrong.
func (m *stepModel) correctBases(theta []float64) bool {
	wrong := false
	for r := range m.prefillBases {
		larger := theta[0] > theta[3+3*r]
		wrong = wrong || larger != m.prefillBases[r]
		m.prefillBases[r] = larger
	}
	return wrong
}

// shareBases sets a base that no row shows. Where prompts are computed beside
// decoding sequences alone, or the other way round, only the larger base is
// seen; the other is set to it, since both are mostly one reading of the weights.
func (m *stepModel) shareBases(rows []Step, theta []float64) {
	pure, decodes := countPure(rows)
	if pure == 0 && theta[0] == 0 {
		theta[0] = theta[3]
		for r := range m.prefillBases {
			theta[0] = min(theta[0], theta[3+3*r])
		}
	}
	for r := range m.prefillBases {
		if decodes == 0 && theta[3+3*r] == 0 {
			theta[3+3*r] = theta[0]
		}
	}
}

// countPure counts the steps that only prefill and those that only decode.
func countPure(rows []Step) (prefills, decodes int) {
	for i := range rows {
		switch w := &rows[i].Work; {
		case w.DecodeRows == 0:
			prefills++
		case len(w.Prefill) == 0:
			decodes++
		}
	}
	return prefills, decodes
}

// lossOf is the mean absolute relative error without the largest tenth, which
// outliers may fill.
func lossOf(cost *hardware.Measured, rows []Step) float64 {
	absolute := relativeErrors(cost, rows)
	for i, e := range absolute {
		absolute[i] = math.Abs(e)
	}
	slices.Sort(absolute)
	kept := absolute[:len(absolute)-len(absolute)/10]
	var sum float64
	for _, e := range kept {
		sum += e
	}
	return sum / float64(len(kept))
}

// relativeErrors are (predicted - measured) / measured, by row.
func relativeErrors(cost *hardware.Measured, rows []Step) []float64 {
	signed := make([]float64, len(rows))
	for i := range rows {
		signed[i] = float64(cost.Step(&rows[i].Work).Time/rows[i].Time) - 1
	}
	return signed
}

// batches are the batch sizes of the rows that decode, in ascending order.
func batches(rows []Step) []int {
	var sizes []int
	for i := range rows {
		if b := rows[i].Work.BatchRows(); b > 0 {
			sizes = append(sizes, b)
		}
	}
	slices.Sort(sizes)
	return sizes
}
