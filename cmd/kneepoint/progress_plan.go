package main

import (
	"fmt"
	"time"

	"kneepoint/experiments/planner"
)

// planProgress says how far a plan is, one stage after the other.
type planProgress struct {
	*progress
	stage planner.Stage
	since time.Time // when the stage began
}

func newPlanProgress(p *progress) *planProgress { return &planProgress{progress: p, since: p.started} }

// stageTexts are what the stages are at, with how many are done and how many there are.
var stageTexts = map[planner.Stage]string{
	planner.FirstLooks:   "first looks: %d of %d runs",
	planner.Sizing:       "%d of %d candidates",
	planner.Measuring:    "measured %d of %d runs",
	planner.FindingRooms: "headroom of %d of %d",
	planner.Drawing:      "how sure: %d of %d sizings",
}

// tell says how far the present stage is, how much longer it takes, how far a look is and, at last since a narrow terminal cuts it off, which answer
// is the best so far.
func (p *planProgress) tell(s planner.Progress) {
	if s.Stage != p.stage {
		p.stage, p.since = s.Stage, time.Now()
	}
	text := fmt.Sprintf(stageTexts[s.Stage], s.Done, s.Total)
	if s.Stage == planner.Sizing {
		text += fmt.Sprintf(", %d out", s.Pruned)
	}
	text += timeLeft(time.Since(p.since), s.Timed, float64(s.Timed)/float64(s.Timed+s.Left))
	if s.Runs > 0 {
		text += fmt.Sprintf("; at %d × %s: %s", s.Units, s.Looked, countOf(s.Runs, "run"))
	}
	if s.Best != nil {
		text += fmt.Sprintf("; best so far: %d × %s", s.Best.Units, s.Best.Name)
	}
	p.show(s.Done, s.Total, text)
}
