package main

import (
	"errors"
	"os"
	"path/filepath"

	"kneepoint/experiments/results"
	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// benches is the folder of run --vllm; nil without it.
type benches struct {
	dir    string
	folder *results.Folder
	log    *results.BenchLog
}

// openBenches prepares a folder for benchmarks beside that of the results: neither is written
// into the other.
func openBenches(dir, out string, plan func() *results.Plan) (*benches, error) {
	if dir == "" {
		return nil, nil
	}
	b := &benches{dir: dir}
	here, _ := filepath.Abs(dir)
	if there, _ := filepath.Abs(out); here == there {
		return nil, b.holdsResults()
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	var err error
	if b.folder, err = results.OpenFolder(dir); err != nil {
		var bad *badinput.Error
		if errors.As(err, &bad) {
			bad.Key = "--vllm"
		}
		return nil, err
	}
	b.log = b.folder.NewBenchLog(plan())
	return b, nil
}

// check refuses a folder that results are in, which benchmarks would replace.
func (b *benches) check() error {
	if _, err := os.Lstat(filepath.Join(b.dir, "results.json")); err == nil {
		return b.holdsResults()
	}
	return nil
}

func (b *benches) holdsResults() error {
	return &badinput.Error{Key: "--vllm", Value: b.dir,
		Problem: "is a folder of results, and benchmarks would replace them", Allowed: "a folder of their own"}
}

// after has runs written as benchmarks behind what else is done with their records.
func (b *benches) after(add func(*results.Run, *metrics.Record) error) func(*results.Run, *metrics.Record) error {
	if b == nil {
		return add
	}
	return func(run *results.Run, rec *metrics.Record) error {
		return errors.Join(add(run, rec), b.log.Add(run, rec))
	}
}

// write puts the benchmarks in place. Where their records were not kept, the runs are written
// without their requests.
func (b *benches) write(res *results.Results, detailed bool) error {
	if b == nil {
		return nil
	}
	for i := range res.Runs {
		if detailed {
			break
		}
		if err := b.log.Add(&res.Runs[i], nil); err != nil {
			return err
		}
	}
	if err := errors.Join(b.log.Close(), b.check()); err != nil {
		return err
	}
	_, err := b.folder.Commit()
	return err
}

func (b *benches) discard() {
	if b != nil {
		b.folder.Discard()
	}
}
