// Command speed measures how fast kneepoint simulates what it compares: a row for every
// feature, in requests per second of CPU time, of each kneepoint that it is given, in turns.
//
//	go run ./internal/speed
//	go run ./internal/speed -base main
//	go run ./internal/speed /tmp/before /tmp/after
//
// Without kneepoints that are built already it builds two: that of the parent commit, or of -base, and that of the working tree.
// The table shows the first and the last one, how many times as fast the last is, how many times the CPU time of a plain
// request it takes for one, and how many times that of the row before where this differs from it by longer outputs. A run
// includes its metrics, on one core, but not what a run of one request takes, which is its start; the least CPU time of several
// runs counts.
//
//	go run ./internal/speed -recorded internal/speed/recorded.csv /tmp/after
//
// warns, in some five seconds of CPU time, of each row that costs a fifth more plain requests than the file says, start
// and end of a run apart; with -update it writes the file, after three times as many runs.
//
// It knows the command line of kneepoint and the experiment file. It must not know the code that it measures.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kneepoint/internal/revisions"
)

func main() {
	times := flag.Int("times", 3, "runs of a row by each kneepoint")
	only := flag.String("only", "", "rows whose names contain this")
	recorded := flag.String("recorded", "", "file of costs to compare with")
	update := flag.Bool("update", false, "write that file")
	base := flag.String("base", "HEAD~1", "revision to compare the working tree with, where no kneepoint is named")
	flag.Parse()
	var err error
	switch {
	case *recorded != "" && flag.NArg() != 1:
		err = errors.New("-recorded compares one kneepoint that is built: which?")
	case *recorded != "":
		err = compareRecorded(flag.Arg(0), *recorded, *update)
	case flag.NArg() == 0:
		err = measureRevision(*base, *times, *only)
	default:
		err = measure(flag.Args(), *times, *only)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "speed:", err)
		os.Exit(1)
	}
}

// measureRevision prints the table of a revision and the working tree, both of which it builds.
func measureRevision(base string, times int, only string) error {
	dir, err := os.MkdirTemp("", "speed-built")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	before, after := filepath.Join(dir, "before"), filepath.Join(dir, "after")
	if err := errors.Join(revisions.Build(base, before), revisions.BuildWorkTree(after)); err != nil {
		return err
	}
	return measure([]string{before, after}, times, only)
}

// measure prints the table.
func measure(binaries []string, times int, only string) error {
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	single := rows[0]
	single.requests = 1
	starts, err := single.leastTimes(binaries, times, dir)
	if err != nil {
		return err
	}
	fmt.Println("| row | requests per CPU second, before | after | times as fast | times the cost of a plain request | growth from 256 to 4,096 |")
	fmt.Println("|---|---|---|---|---|---|")
	rates := map[string]float64{} // of the last kneepoint
	for i, r := range rows {
		if r.name != plainRow && !strings.Contains(r.name, only) {
			continue
		}
		took, err := r.leastTimes(binaries, times, dir)
		if err != nil {
			return err
		}
		of := func(binary int) float64 { return float64(r.requests) / (took[binary] - starts[binary]).Seconds() }
		before, after := of(0), of(len(binaries)-1)
		rates[r.name] = after
		growth := ""
		if strings.HasSuffix(r.name, longer) && rates[rows[i-1].name] > 0 {
			growth = fmt.Sprintf("%.1f", rates[rows[i-1].name]/after)
		}
		fmt.Printf("| %s | %.0f | %.0f | %.2f | %.1f | %s |\n", r.name, before, after, after/before, rates[plainRow]/after, growth)
	}
	return nil
}

// leastTimes is the least CPU time of several runs of a row by each kneepoint, in turns.
func (r *row) leastTimes(binaries []string, times int, dir string) ([]time.Duration, error) {
	least := make([]time.Duration, len(binaries))
	for run := range times {
		for i, binary := range binaries {
			took, err := r.took(binary, dir)
			if err != nil {
				return nil, err
			}
			if run == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	return least, nil
}

// write writes the experiment to a folder, and the trace if it has one.
func (r *row) write(dir string) (file string, err error) {
	file, trace := filepath.Join(dir, "row.toml"), filepath.Join(dir, "trace.jsonl")
	if r.trace {
		if err := os.WriteFile(trace, hashTrace(r.requests), 0o644); err != nil {
			return "", err
		}
	}
	return file, os.WriteFile(file, []byte(r.text(trace)), 0o644)
}

// cpuTime is that of a run.
func cpuTime(binary, file, out string) (time.Duration, error) {
	cmd := exec.Command(binary, "run", file, "--quiet", "--no-figures", "--no-search", "--out", out)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "KNEEPOINT_STORE=off")
	if printed, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%w\n%s", err, printed)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}
