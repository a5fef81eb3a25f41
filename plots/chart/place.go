package chart

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// clutter is what a label should keep clear of.
type clutter struct {
	bounds vg.Rectangle
	boxes  []vg.Rectangle // labels and dots: never to be covered
	ink    []vg.Point     // lines, sampled: better not covered
	rim    vg.Length      // above and below a label, in which a line or the axis would touch its letters
}

// addDot keeps later labels off a dot.
func (c *clutter) addDot(at vg.Point, radius vg.Length) {
	c.boxes = append(c.boxes, boxAround(at, 2*radius, 2*radius))
}

// addLine makes later labels avoid a line, sampled at a distance.
func (c *clutter) addLine(points []vg.Point, spacing vg.Length) {
	for i := 1; i < len(points); i++ {
		from, way := points[i-1], points[i].Sub(points[i-1])
		n := int(math.Hypot(float64(way.X), float64(way.Y))/float64(spacing)) + 1
		for k := range n + 1 {
			c.ink = append(c.ink, from.Add(way.Scale(vg.Length(k)/vg.Length(n))))
		}
	}
}

// collision is how badly a label at r collides: 0 not at all, below 1 only with lines,
// from 1 on with other labels or dots, or with the bounds.
func (c *clutter) collision(r vg.Rectangle) float64 {
	if r.Min.X < c.bounds.Min.X || r.Max.X > c.bounds.Max.X || r.Min.Y < c.bounds.Min.Y+c.rim || r.Max.Y > c.bounds.Max.Y {
		return 1000
	}
	sum := 0.0
	for _, box := range c.boxes {
		if overlap(r, box) {
			sum++
		}
	}
	covered := 0
	for _, p := range c.ink {
		if p.X > r.Min.X && p.X < r.Max.X && p.Y > r.Min.Y-c.rim && p.Y < r.Max.Y+c.rim {
			covered++
		}
	}
	return sum + math.Min(float64(covered)/200, 0.99)
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// direction is a side of a dot, as signs of x and y.
type direction struct{ x, y float64 }

// Around a dot of a rising curve the upper left is free most often; at the end of a line
// its name is looked for at the right.
var (
	aroundDot = []direction{{-1, 1}, {-1, 0}, {0, 1}, {1, -1}, {1, 0}, {0, -1}, {1, 1}, {-1, -1}}
	aroundEnd = []direction{{1, 0}, {0, 1}, {1, 1}, {1, -1}, {0, -1}, {-1, 1}, {-1, -1}, {-1, 0}}
)

// freest returns the rectangle of a size near a dot that collides least, and by how
// much; nearer rectangles and earlier directions win ties.
func (c *clutter) freest(at, size vg.Point, distances []vg.Length, directions []direction) (best vg.Rectangle, collision float64) {
	return least(at, size, distances, directions, c.collision)
}

// least returns the rectangle of a size near a dot of the least cost, and that; nearer rectangles and earlier directions win ties.
func least(
	at, size vg.Point, distances []vg.Length, directions []direction, cost func(vg.Rectangle) float64,
) (best vg.Rectangle, least float64) {
	least = math.Inf(1)
	for _, distance := range distances {
		for _, d := range directions {
			r := beside(at, size, distance, d)
			if score := cost(r); score < least-1e-9 {
				best, least = r, score
			}
		}
		if least == 0 {
			break
		}
	}
	return best, least
}

// crosses tells whether a line meets a rectangle, by Liang and Barsky's clipping: of the part of it that is left between two sides,
// the part that is left between the other two.
func crosses(from, to vg.Point, r vg.Rectangle) bool {
	way, first, last := to.Sub(from), 0.0, 1.0
	for _, side := range []struct{ at, step, low, high vg.Length }{
		{from.X, way.X, r.Min.X, r.Max.X}, {from.Y, way.Y, r.Min.Y, r.Max.Y},
	} {
		if side.step == 0 {
			if side.at <= side.low || side.at >= side.high {
				return false
			}
			continue
		}
		a, b := float64((side.low-side.at)/side.step), float64((side.high-side.at)/side.step)
		first, last = max(first, min(a, b)), min(last, max(a, b))
	}
	return first < last
}

// beside returns the rectangle that touches a circle of a radius around at on one side.
func beside(at, size vg.Point, radius vg.Length, d direction) vg.Rectangle {
	if d.x != 0 && d.y != 0 {
		radius *= 0.6
	}
	centre := vg.Point{X: at.X + vg.Length(d.x)*(radius+size.X/2), Y: at.Y + vg.Length(d.y)*(radius+size.Y/2)}
	return boxAround(centre, size.X, size.Y)
}

func boxAround(centre vg.Point, w, h vg.Length) vg.Rectangle {
	half := vg.Point{X: w / 2, Y: h / 2}
	return vg.Rectangle{Min: centre.Sub(half), Max: centre.Add(half)}
}
