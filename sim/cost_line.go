package sim

import (
	"math/bits"

	"kneepoint/hardware"
	"kneepoint/units"
)

// costLine is what a step costs in which a number of sequences decode and nothing else happens, by the tokens that
// they attend to together, from a power of two up to the next one:
//
//	first + (context − from)·slope
type costLine struct {
	drawn, bent  bool // bent: the cost is not affine there
	from, to     int64
	first, slope hardware.Cost // slope: of a token
}

// costLines are those of a cost model, by the number of sequences and by the power of two. They are drawn when they
// are first needed, through the cost at both ends, and so depend on nothing that happens in a run. They are kept, since
// batches of the same size come again all the time.
type costLines [][]costLine

// linesOf are those of a pool, which its replicas share.
func (f *fleet) linesOf(pool int) *costLines {
	for pool >= len(f.lines) {
		f.lines = append(f.lines, &costLines{})
	}
	return f.lines[pool]
}

// of is the line that the cost of some work is on; nil where that is not one of decoding sequences alone,
// has layers with a window, or is on none.
func (l *costLines) of(w *hardware.Work, cost hardware.CostModel) *costLine {
	if len(w.Prefill) > 0 || w.DraftRows+w.PaddingRows > 0 || w.PaddingContext > 0 || w.DecodeWindowContext > 0 ||
		w.LogitRows != w.DecodeRows || w.DecodeRows == 0 || w.DecodeContext <= 0 {
		return nil
	}
	rows, octave := w.DecodeRows, bits.Len64(uint64(w.DecodeContext))-1
	for rows >= len(*l) {
		*l = append(*l, nil)
	}
	for octave >= len((*l)[rows]) {
		(*l)[rows] = append((*l)[rows], costLine{})
	}
	x := &(*l)[rows][octave]
	if !x.drawn {
		x.draw(rows, octave, cost)
	}
	if x.bent {
		return nil
	}
	return x
}

// draw asks for the cost at both ends, and in the middle: see fitSeries.
func (l *costLine) draw(rows, octave int, cost hardware.CostModel) {
	at := func(context int64) hardware.Cost {
		return cost.Step(&hardware.Work{DecodeRows: rows, LogitRows: rows, DecodeContext: context})
	}
	l.drawn, l.from, l.to = true, 1<<octave, 2<<octave-1
	l.first = at(l.from)
	if octave == 0 {
		return
	}
	l.slope = slope(l.first, at(l.to), int(l.to-l.from))
	half := (l.to - l.from) / 2
	middle := at(l.from + half)
	l.bent = cost.Window() > 0 ||
		!onLine(float64(l.first.Time+l.slope.Time*units.Seconds(half)), float64(middle.Time)) ||
		!onLine(l.first.Energy+l.slope.Energy*float64(half), middle.Energy)
}

// at is the cost at a context.
func (l *costLine) at(context int64) hardware.Cost {
	n := float64(context - l.from)
	return hardware.Cost{
		Time:      l.timeAt(context),
		Bytes:     l.first.Bytes + units.Bytes(n)*l.slope.Bytes,
		FLOPs:     l.first.FLOPs + units.FLOPs(n)*l.slope.FLOPs,
		LinkBytes: l.first.LinkBytes + units.Bytes(n)*l.slope.LinkBytes,
		Energy:    l.first.Energy + n*l.slope.Energy,
	}
}

// timeAt is how long it takes.
func (l *costLine) timeAt(context int64) units.Seconds {
	return l.first.Time + units.Seconds(float64(context-l.from))*l.slope.Time
}

// fit makes the series that begins at a context, until the line ends.
func (l *costLine) fit(s *series, context int64, g contextGrowth) {
	n := float64(g.context)
	s.limit = int(min(int64(g.steps), (l.to-context)/int64(g.context)+1))
	s.first = l.at(context)
	s.slope = hardware.Cost{Time: units.Seconds(n) * l.slope.Time, Bytes: units.Bytes(n) * l.slope.Bytes,
		FLOPs: units.FLOPs(n) * l.slope.FLOPs, LinkBytes: units.Bytes(n) * l.slope.LinkBytes, Energy: n * l.slope.Energy}
}
