package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// clutter is what a label inside the data area should keep clear of.
type clutter struct {
	bounds vg.Rectangle
	boxes  []vg.Rectangle // labels and marks: never to be covered
	ink    []vg.Point     // lines, sampled: better not covered
}

const inkSpacing = vg.Length(2)

// addBox keeps later labels off a rectangle.
func (c *clutter) addBox(r vg.Rectangle) { c.boxes = append(c.boxes, r) }

// addMark keeps later labels off a marker.
func (c *clutter) addMark(at vg.Point, radius vg.Length) {
	c.addBox(boxAround(at, 2*radius, 2*radius))
}

// addLine makes later labels avoid a polyline.
func (c *clutter) addLine(points []vg.Point) {
	for i := range points {
		if i == 0 {
			c.ink = append(c.ink, points[i])
			continue
		}
		from, way := points[i-1], points[i].Sub(points[i-1])
		n := int(math.Hypot(float64(way.X), float64(way.Y))/float64(inkSpacing)) + 1
		for k := 1; k <= n; k++ {
			c.ink = append(c.ink, from.Add(way.Scale(vg.Length(k)/vg.Length(n))))
		}
	}
}

// collision is how badly a label at r collides: 0 not at all, below 1 only with
// lines, from 1 on with other labels or marks, or with the bounds.
func (c *clutter) collision(r vg.Rectangle) float64 {
	if r.Min.X < c.bounds.Min.X || r.Max.X > c.bounds.Max.X || r.Min.Y < c.bounds.Min.Y || r.Max.Y > c.bounds.Max.Y {
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
		if p.X > r.Min.X && p.X < r.Max.X && p.Y > r.Min.Y && p.Y < r.Max.Y {
			covered++
		}
	}
	return sum + math.Min(float64(covered)/200, 0.99)
}

func overlap(a, b vg.Rectangle) bool {
	return a.Min.X < b.Max.X && b.Min.X < a.Max.X && a.Min.Y < b.Max.Y && b.Min.Y < a.Max.Y
}

// direction is a side of a mark, as signs of x and y.
type direction struct{ x, y float64 }

// Around a mark on a rising curve the upper left is free most often.
var aroundMark = []direction{{-1, 1}, {-1, 0}, {0, 1}, {1, -1}, {1, 0}, {0, -1}, {1, 1}, {-1, -1}}

// At the end of a line its label is sought on the right first.
var aroundEnd = []direction{{1, 0}, {0, 1}, {1, 1}, {1, -1}, {0, -1}, {-1, 1}, {-1, -1}, {-1, 0}}

// freest returns the rectangle of width w and height h near a mark that collides
// least, and by how much; nearer rectangles and earlier directions win ties.
func (c *clutter) freest(
	at vg.Point,
	w, h vg.Length,
	distances []vg.Length,
	directions []direction,
) (best vg.Rectangle, collision float64) {
	collision = math.Inf(1)
	for _, distance := range distances {
		for _, d := range directions {
			r := beside(at, w, h, distance, d)
			if score := c.collision(r); score < collision-1e-9 {
				best, collision = r, score
			}
		}
		if collision == 0 {
			break
		}
	}
	return best, collision
}

// distancesFrom lists the distances at which a label is tried, from the nearest.
func distancesFrom(nearest vg.Length, more ...vg.Length) []vg.Length {
	distances := []vg.Length{nearest}
	for _, m := range more {
		distances = append(distances, nearest+m)
	}
	return distances
}

// beside returns the rectangle that touches a circle of the given radius around
// at in direction d.
func beside(at vg.Point, w, h, radius vg.Length, d direction) vg.Rectangle {
	reach := radius
	if d.x != 0 && d.y != 0 {
		reach *= 0.6
	}
	centre := vg.Point{
		X: at.X + vg.Length(d.x)*(reach+w/2),
		Y: at.Y + vg.Length(d.y)*(reach+h/2),
	}
	return boxAround(centre, w, h)
}

func boxAround(centre vg.Point, w, h vg.Length) vg.Rectangle {
	half := vg.Point{X: w / 2, Y: h / 2}
	return vg.Rectangle{Min: centre.Sub(half), Max: centre.Add(half)}
}

func centreOf(r vg.Rectangle) vg.Point {
	return vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2}
}
