package results

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"

	"kneepoint/units/badinput"
)

// Read reads a folder of results back: its plan, and the outcomes of the runs that
// were finished, by key. Aggregate makes the same results of them, and writing these
// the same bytes. Every error is a *badinput.Error that names the file, and the line or
// key that is wrong; folders of another schema version are refused.
func Read(dir string) (*Plan, map[string]*Outcome, error) {
	plan, err := badinput.ReadFile(filepath.Join(dir, resultsFile), badinput.MostData, readPlan)
	if err != nil {
		return nil, nil, err
	}
	outcomes, err := badinput.ReadFile(filepath.Join(dir, runsFile), badinput.MostData, plan.readRuns)
	return plan, outcomes, err
}

// readPlan reads what results.json says of the plan. Numbers of the experiment stay
// as they are written.
func readPlan(r io.Reader) (*Plan, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if err := checkMark(text); err != nil {
		return nil, err
	}
	plan := &Plan{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(plan); err != nil {
		return nil, &badinput.Error{Problem: "is no whole results.json: " + err.Error()}
	}
	if err := plan.check(); err != nil {
		return nil, err
	}
	plan.Cells = plan.AllCells()
	return plan, nil
}

// checkMark refuses what kneepoint did not write, or wrote in another form.
func checkMark(text []byte) error {
	var mark struct {
		Tool          string `json:"tool"`
		SchemaVersion int    `json:"schema_version"`
	}
	if err := json.Unmarshal(text, &mark); err != nil || mark.Tool != Tool {
		return &badinput.Error{Problem: "holds no results of kneepoint"}
	}
	if mark.SchemaVersion != SchemaVersion {
		return &badinput.Error{Key: "schema_version", Value: mark.SchemaVersion,
			Problem: "this version of kneepoint does not read it, run the experiment again", Allowed: fmt.Sprint(SchemaVersion)}
	}
	return nil
}

// mostCells bounds the memory that a plan can ask for: a file of a few bytes may have
// a number of replications that no computer holds.
const mostCells = 1 << 24

// check refuses a plan that Aggregate could not follow: one that was edited, or
// cut.
func (p *Plan) check() error {
	bad := func(key string, value any, problem string) error {
		return &badinput.Error{Key: key, Value: value, Problem: problem}
	}
	if len(p.Strategies) == 0 || len(p.Points) == 0 || p.Replications < 1 {
		return bad("points", nil, "strategies, points or replications are missing")
	}
	if p.Replications > mostCells/len(p.Strategies)/len(p.Points) {
		return bad("replications", p.Replications, "makes more runs than anybody has made")
	}
	for i, point := range p.Points {
		if len(point.Values) != len(p.Sweep) {
			return bad(fmt.Sprintf("points[%d]", i), nil, "does not have one value for each swept variable")
		}
		for strategy, r := range point.Searched {
			if !slices.Contains(p.Strategies, strategy) || r.First < 0 || r.Count < 0 || r.Count > mostCells/len(p.Points) {
				return bad(fmt.Sprintf("points[%d].searched", i), strategy, "is about other runs than anybody has made")
			}
		}
	}
	for i, x := range p.Expected {
		if n := len(x.Strategies); n != 1 && n != 2 || !p.has(x.At) {
			return bad(fmt.Sprintf("expected[%d]", i), nil, "is about other strategies or places than there are")
		}
	}
	for i, c := range p.Claimed {
		if slices.ContainsFunc(c.At, func(place Place) bool { return !p.has(place) }) {
			return bad(fmt.Sprintf("claimed[%d]", i), nil, "is about a place that is not there")
		}
	}
	for i := range p.Published {
		if !p.Published[i].readable() {
			return bad(fmt.Sprintf("published[%d]", i), nil, "holds no published values")
		}
	}
	if err := p.checkPlots(); err != nil {
		return err
	}
	if err := p.checkDrawn(); err != nil {
		return err
	}
	return p.checkTimelines()
}

// has tells whether a place can be looked for: without a sweep there is no value
// to find.
func (p *Plan) has(place Place) bool {
	return len(p.Sweep) > 0 || place.Value.IsZero() && place.Values == nil
}

// readRuns reads one run a line. Each gives its cell its key.
func (p *Plan) readRuns(r io.Reader) (map[string]*Outcome, error) {
	outcomes := map[string]*Outcome{}
	find := p.finder()
	lines := bufio.NewReader(r)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			return outcomes, nil
		}
		if err == nil || errors.Is(err, io.EOF) {
			err = p.addRun(line, find, outcomes)
		}
		if err != nil {
			return nil, &badinput.Error{Line: number, Problem: err.Error()}
		}
	}
}

// addRun reads a line and adds its outcome.
func (p *Plan) addRun(line []byte, find func(*Run) (int, error), outcomes map[string]*Outcome) error {
	var run Run
	if err := json.Unmarshal(line, &run); err != nil {
		return fmt.Errorf("is no run: %w", err)
	}
	at, err := find(&run)
	switch {
	case err != nil:
		return err
	case run.Key == "" || run.Metrics == nil || run.Why == nil:
		return errors.New("is no run: it lacks key, metrics or why")
	case p.Cells[at].Key != "":
		return errors.New("is a run that was there before")
	}
	p.Cells[at].Key, p.Cells[at].Seed = run.Key, run.Seed
	if twin := outcomes[run.Key]; twin == nil {
		outcomes[run.Key] = &run.Outcome
	} else if !reflect.DeepEqual(*twin, run.Outcome) {
		return errors.New("has the key of an earlier run, and another outcome")
	}
	return nil
}

// finder returns a func that finds the cell of a run by its coordinates. Its key
// would not do: several cells may share one.
func (p *Plan) finder() func(*Run) (int, error) {
	type place struct {
		point    int
		strategy string
	}
	points, first := map[string]int{}, map[place]int{}
	for i := range p.Points {
		points[p.SettingAt(i).id()] = i
	}
	for i, cell := range slices.Backward(p.Cells) {
		first[place{cell.Point, cell.Strategy}] = i
	}
	return func(run *Run) (int, error) {
		point, known := points[run.Point.id()]
		start, planned := first[place{point, run.Strategy}]
		if known && planned {
			r := p.replications(point, run.Strategy)
			if n := run.Replication - r.First; n >= 0 && n < r.Count {
				return start + n, nil
			}
		}
		return 0, errors.New("is a run that is not in the plan of " + resultsFile)
	}
}

// id tells settings apart.
func (s Setting) id() string {
	text, _ := json.Marshal(s)
	return string(text)
}
