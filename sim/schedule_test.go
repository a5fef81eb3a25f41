package sim

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/policies"
	"kneepoint/sim/metrics"
	"kneepoint/units"
	"kneepoint/workloads"
)

var update = flag.Bool("update", false, "rewrite the expected schedules")

// TestSchedules runs testdata/schedules/*.txt. A file has comments, settings
// ("key value"), requests ("request arrival 0 prompt 5 output 3"), and then,
// below "schedule", what is expected: a line per step with its start, what it
// does (P2:10 prefills ten tokens of request 2, D0 decodes a token of request 0,
// "+3" is padding) and the blocks in use; then what became of the requests.
func TestSchedules(t *testing.T) {
	files, err := filepath.Glob("testdata/schedules/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schedules: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			input, want, _ := strings.Cut(string(text), "\nschedule\n")
			got := runSchedule(t, input)
			if *update {
				if err := os.WriteFile(file, []byte(input+"\nschedule\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// defaultSettings are the numbers that a schedule may set.
func defaultSettings() map[string]float64 {
	return map[string]float64{
		"replicas": 1, "clients": 0, "max_num_seqs": 8, "max_num_batched_tokens": 100, "padded": 0, "max_wait": 0,
		"blocks": 100, "block_size": 4, "context": 1000, "step": 1, "per_prompt_token": 0, "front_end": 0, "threads": 0, "sequential": 0, "max_waiting": 0, "max_time": 0, "drain": 1, "stages": 1,
		"below": 0, "layers": 0, "block_time": 0, "serial": 0,
	}
}

// runSchedule simulates what the text describes and writes down who ran when.
func runSchedule(t *testing.T, text string) string {
	set, words, traffic := parseSchedule(t, text)
	config := Config{
		Reference: true, // every step is planned one by one
		Traffic:   traffic,
		MaxTime:   units.Seconds(set["max_time"]),
		Drain:     set["drain"] != 0,
		Pools: []Pool{{
			Replicas:   int(set["replicas"]),
			Batching:   func() policies.Batching { return scheduleOffload(set, schedulePolicy(set, words["scheduler"])) },
			Cost:       &hardware.Synthetic{StepFixed: units.Seconds(set["step"]), PerPrefillToken: units.Seconds(set["per_prompt_token"])},
			FrontEnd:   func(int) units.Seconds { return units.Seconds(set["front_end"]) },
			Threads:    int(set["threads"]),
			Sequential: set["sequential"] != 0,
			Blocks:     int(set["blocks"]),
			BlockSize:  int(set["block_size"]),
			MaxTokens:  int(set["context"]),
			MaxWaiting: int(set["max_waiting"]),
		}},
	}
	config.Pools[0].Reserve = map[string]policies.Reservation{"paged": policies.ReservePaged, "oracle": policies.ReserveDeclared,
		"max": policies.ReserveMax(config.Pools[0].MaxTokens), "pow2": policies.ReservePow2(config.Pools[0].longest())}[words["reserve"]]
	if words["order"] == "shortest" {
		config.Rank = func(r workloads.Request) float64 { return float64(r.Output) }
	}
	if n := int(set["stages"]); n > 1 {
		config.Pools[0].Cost = hardware.EvenStages{CostModel: config.Pools[0].Cost, N: n}
	}
	if below := int(set["below"]); below > 0 {
		config.Pools[0].Tiers = []Tier{{Blocks: below, Bandwidth: units.BytesPerSecond(1 / set["block_time"])}}
		config.Pools[0].BlockBytes, config.Pools[0].Layers, config.Pools[0].SerialMoves = 1, int(set["layers"]), set["serial"] != 0
	}
	f := newFleet(context.Background(), &config)
	var steps []plannedStep
	for i, r := range f.replicas {
		r.batching = &scribe{Batching: r.batching, replica: r, number: i, steps: &steps}
	}
	rec, err := f.run()
	if err != nil {
		t.Fatal(err)
	}
	checkRecord(t, rec)
	return writeSteps(steps, len(f.replicas)) + writeOutcomes(rec)
}

func parseSchedule(t *testing.T, text string) (set map[string]float64, words map[string]string, traffic *scripted) {
	t.Helper()
	set, words, traffic = defaultSettings(), map[string]string{"scheduler": "vllm-v1", "reserve": "paged", "order": "fcfs"}, &scripted{}
	for line := range strings.Lines(text) {
		var at float64
		var prompt, output int
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if n, _ := fmt.Sscanf(line, "request arrival %g prompt %d output %d", &at, &prompt, &output); n == 3 {
			traffic.add(units.Seconds(at), prompt, output)
			continue
		}
		if _, known := words[fields[0]]; known && len(fields) == 2 {
			words[fields[0]] = fields[1]
			continue
		}
		x, err := strconv.ParseFloat(fields[len(fields)-1], 64)
		if _, known := set[fields[0]]; !known || err != nil || len(fields) != 2 {
			t.Fatalf("not a setting: %q", line)
		}
		set[fields[0]] = x
	}
	traffic.clients = int(set["clients"])
	return set, words, traffic
}

func schedulePolicy(set map[string]float64, name string) policies.Batching {
	scheduler, _ := policies.Find(policies.Schedulers, name)
	return scheduler.New(policies.Parameters{MaxNumSeqs: int(set["max_num_seqs"]), MaxNumBatchedTokens: int(set["max_num_batched_tokens"]),
		Padded: set["padded"] != 0, MaxWait: units.Seconds(set["max_wait"])})
}

// scheduleOffload adds what a schedule says of the memory below.
func scheduleOffload(set map[string]float64, batching policies.Batching) policies.Batching {
	swapping := policies.Swapping{Batching: batching, MaxNumSeqs: int(set["max_num_seqs"]), MaxNumBatchedTokens: int(set["max_num_batched_tokens"])}
	switch {
	case set["layers"] > 0:
		return &policies.LayerWise{Swapping: swapping, Layers: int(set["layers"])}
	case set["below"] > 0:
		return &swapping
	}
	return batching
}

// plannedStep is a line of a schedule.
type plannedStep struct {
	at      units.Seconds
	replica int
	text    string
}

// scribe writes down what a policy decides.
type scribe struct {
	policies.Batching
	replica *replica
	number  int
	steps   *[]plannedStep
}

// Plan implements policies.Batching.
func (p *scribe) Plan(v *policies.View, d *policies.Decision) {
	p.Batching.Plan(v, d)
	if len(d.Tasks)+len(d.Preempt)+d.Fetch == 0 {
		return
	}
	used := v.TotalBlocks - v.FreeBlocks
	var parts []string
	for i, s := range d.Preempt {
		verb := "preempt"
		if i < d.Swap {
			verb = "swap"
		}
		parts = append(parts, fmt.Sprintf("%s %d;", verb, p.request(s)))
		if i >= d.Swap || !v.MovesAside {
			used -= s.Blocks
		}
	}
	for i := range d.Restore {
		parts = append(parts, fmt.Sprintf("restore %d;", p.request(v.Parked.At(i))))
	}
	for i := range d.Fetch {
		parts = append(parts, fmt.Sprintf("fetch %d;", p.request(v.Parked.At(i))))
		used += v.BlocksFor(v.Parked.At(i).Computed + 1)
	}
	for _, t := range d.Tasks {
		parts = append(parts, p.task(t))
		used += t.Blocks - t.Sequence.Blocks
	}
	if d.PaddingRows > 0 {
		parts = append(parts, fmt.Sprintf("+%d rows", d.PaddingRows))
	}
	parts = append(parts, fmt.Sprintf("[%d/%d]", used, v.TotalBlocks))
	*p.steps = append(*p.steps, plannedStep{v.Now, p.number, strings.Join(parts, " ")})
}

func (p *scribe) request(s *policies.Sequence) int { return p.replica.sequences.all[s.ID].request }

func (p *scribe) task(t policies.Task) string {
	s := t.Sequence
	switch {
	case s.Generated > 0 && s.Pending() == 1:
		return fmt.Sprintf("D%d", p.request(s))
	case t.Padding > 0:
		return fmt.Sprintf("P%d:%d+%d", p.request(s), t.Tokens, t.Padding)
	default:
		return fmt.Sprintf("P%d:%d", p.request(s), t.Tokens)
	}
}

// writeSteps writes the steps in order of time, and names the replica where
// there are several.
func writeSteps(steps []plannedStep, replicas int) string {
	slices.SortStableFunc(steps, func(a, b plannedStep) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.replica, b.replica))
	})
	var b strings.Builder
	for _, s := range steps {
		name := ""
		if replicas > 1 {
			name = fmt.Sprintf("replica %d: ", s.replica)
		}
		fmt.Fprintf(&b, "t=%v  %s%s\n", float64(s.at), name, s.text)
	}
	return b.String()
}

func writeOutcomes(rec *metrics.Record) string {
	var b strings.Builder
	for id := range rec.Requests {
		r := &rec.Requests[id]
		fmt.Fprintf(&b, "request %d arrival %v %v", id, float64(r.Arrival), r.State)
		if r.Generated > 0 {
			fmt.Fprintf(&b, ", %d tokens, first %v", r.Generated, float64(r.First))
		}
		if r.State == metrics.Completed {
			fmt.Fprintf(&b, ", last %v", float64(r.Last))
		}
		if r.Preemptions > 0 {
			fmt.Fprintf(&b, ", preempted %d times", r.Preemptions)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "end %v\n", float64(rec.Ended))
	return b.String()
}
