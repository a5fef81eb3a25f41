package crossing

import (
	"math"
	"slices"
)

// Question is where a crossing is looked for.
type Question struct {
	Low, High float64 // of the variable, above 0
	Whole     bool    // it has no parts

	// Tolerance is the share of the value that half the interval should be.
	Tolerance float64
}

// Crossing is a value at which the mean difference changes its sign.
type Crossing struct {
	Value     float64
	Low, High float64 // its 95 % interval
	Rising    bool    // the difference is negative below, and positive above
}

// Found is what is known of a range: its crossings, from the lowest on, or, without any, the sign that the difference has in
// it wherever it is known (0: nowhere), and from where to where that is: where one is only ever better or as good, as what is done
// only where it pays, this is from where on it is better.
type Found struct {
	Crossings    []Crossing
	Sign         float64
	From, To     float64
	Replications int // the most that were asked for
}

const (
	places           = 7  // that are looked at first, evenly in ln(x)
	replications     = 10 // at first
	mostReplications = 160
	leastTimes       = 1.5 // as many replications, so that few intervals have the chance to be narrow by chance
	mostTimes        = 4
)

// finder is a search under way.
type finder struct {
	Question
	differences func(x float64, replications int) ([]float64, error)
	count       int // of replications
	looks       map[float64]look
}

// Find looks for crossings. differences are the paired ones at a value: of the first replications as many as it is told.
// Its errors end the search.
func Find(q Question, differences func(x float64, replications int) ([]float64, error)) (Found, error) {
	f := &finder{Question: q, differences: differences, count: replications, looks: map[float64]look{}}
	all, err := f.places()
	if err != nil {
		return Found{}, err
	}
	signed := slices.DeleteFunc(slices.Clone(all), func(l look) bool { return l.sign() == 0 })
	found := Found{Replications: f.count}
	for i := 1; i < len(signed); i++ {
		if signed[i-1].sign() == signed[i].sign() {
			continue
		}
		c, count, err := f.refined(signed, i)
		if err != nil {
			return found, err
		}
		found.Crossings, found.Replications = append(found.Crossings, c), max(found.Replications, count)
	}
	if len(signed) > 0 && len(found.Crossings) == 0 {
		found.Sign = signed[0].sign()
		found.From, found.To, err = f.reach(all, signed[0], signed[len(signed)-1])
	}
	return found, err
}

// reach is from where to where the sign of the difference is known, of all looks and the first and the last of those at which it is.
func (f *finder) reach(all []look, first, last look) (from, to float64, err error) {
	if i := slices.Index(all, first); i > 0 {
		if _, first, err = f.root(all[i-1], first, known); err != nil {
			return 0, 0, err
		}
	}
	if i := slices.Index(all, last); i < len(all)-1 {
		last, _, err = f.root(last, all[i+1], known)
	}
	return first.x, last.x, err
}

// places are the first looks at the range.
func (f *finder) places() ([]look, error) {
	var all []look
	for i := range places {
		x := f.readable(f.Low * math.Pow(f.High/f.Low, float64(i)/(places-1)))
		switch {
		case i == 0:
			x = f.Low
		case i == places-1:
			x = f.High
		case f.Whole:
			x = math.Round(x)
		}
		l, err := f.at(x)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	return slices.CompactFunc(all, func(a, b look) bool { return a.x == b.x }), nil
}

// at is the look at a value.
func (f *finder) at(x float64) (look, error) {
	if l, there := f.looks[x]; there {
		return l, nil
	}
	differences, err := f.differences(x, f.count)
	if err == nil {
		f.looks[x] = newLook(x, differences)
	}
	return f.looks[x], err
}

// refined is the crossing between the i-1st of some looks and the i-th, with as many replications as make its interval as narrow as the
// tolerance, or as there may be; and how many these are. How many are asked for follows from the width of an interval, and not
// from where it lies.
func (f *finder) refined(signed []look, i int) (Crossing, int, error) {
	c, err := f.crossing(signed[i-1], signed[i])
	count := f.count
	for err == nil && f.isWide(&c) && count < mostReplications {
		times := math.Log(c.High/c.Low) / (2 * f.Tolerance)
		count = min(int(math.Ceil(float64(count)*min(max(times*times, leastTimes), mostTimes))), mostReplications)
		more := &finder{Question: f.Question, differences: f.differences, count: count, looks: map[float64]look{}}
		var a, b look
		if a, err = more.again(signed[:i], -1); err == nil {
			b, err = more.again(signed[i:], 1)
		}
		if err == nil && a.sign()*b.sign() < 0 {
			c, err = more.crossing(a, b)
		}
	}
	return c, count, err
}

// isWide tells whether an interval is wider than was asked for. Of whole numbers next to each other none is.
func (f *finder) isWide(c *Crossing) bool {
	return math.Log(c.High/c.Low) > 2*f.Tolerance && !(f.Whole && c.High-c.Low <= 1)
}

// again looks anew at where others looked, from the first (direction 1) or the last (-1) on as far as the difference had the same
// sign there, until it has it again.
func (f *finder) again(signed []look, direction int) (look, error) {
	first := 0
	if direction < 0 {
		first = len(signed) - 1
	}
	var l look
	for i := first; i >= 0 && i < len(signed) && signed[i].sign() == signed[first].sign(); i += direction {
		var err error
		if l, err = f.at(signed[i].x); err != nil || l.sign() == signed[i].sign() {
			return l, err
		}
	}
	return l, nil
}

// crossing is the one between two looks whose differences have opposite signs: the middle of the root's bracket, and of both ends
// of the interval the outer ends of theirs.
func (f *finder) crossing(a, b look) (Crossing, error) {
	below, above, err := f.root(a, b, mean)
	if err != nil {
		return Crossing{}, err
	}
	c := Crossing{Value: math.Sqrt(below.x * above.x), Rising: a.mean < 0}
	if f.Whole {
		c.Value = above.x
	}
	side := -math.Copysign(1, a.mean) // the end of the interval that comes to 0 first
	low, _, err := f.root(a, above, bound(side))
	if err != nil {
		return c, err
	}
	_, high, err := f.root(below, b, bound(-side))
	c.Low, c.High = low.x, high.x
	return c, err
}
