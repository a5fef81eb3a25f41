package results

// NearPoint is what runs of a search showed of a curve at a load that was not swept.
func (p *Plan) NearPoint(s *Series, load Value, outcomes []Outcome) Point {
	g := group{strategy: s.Strategy, point: s.Points[0].group.point}
	for i := range outcomes {
		g.runs = append(g.runs, &Run{Strategy: s.Strategy, Outcome: outcomes[i], point: g.point})
	}
	point := p.pointOf(&g)
	point.Value, point.group = load, nil
	return point
}

// KneePoints are those that tell what is at the knee of a curve: where it was searched, near it, and else the swept ones.
func (p *Plan) KneePoints(s *Series) []Point {
	if found := p.SearchOf(s); found != nil && len(found.Near) > 0 {
		return found.Near
	}
	return s.Points
}
