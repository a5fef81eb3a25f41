package workloads

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"kneepoint/internal/jsonfields"
	"kneepoint/units/badinput"
)

// vllmBlock is the tokens of a block of a timed trace that does not say how many.
const vllmBlock = 16

// readVLLM reads a timed trace, one object a line, or the results of a run of vLLM's benchmark, which are one object.
func (l layout) readVLLM(unit string) textReader {
	return func(r io.Reader, add addRow) error {
		rows, lines, whole := &jsonlParser{layout: l}, 0, false
		return eachObject(r, func(line jsonfields.Fields) (more bool, err error) {
			results := line.Get("total_input_tokens") != nil
			whole = whole || results
			switch lines++; {
			case whole && lines > 1:
				return false, &badinput.Error{Problem: "is not the only line beside the results of a run", Allowed: "the results of one run"}
			case whole && unit != "":
				return false, &badinput.Error{Key: "time_unit", Value: unit, Problem: "has no effect on results, whose times are seconds", Allowed: "to be left out"}
			case whole && l.block != vllmBlock:
				return false, &badinput.Error{Key: "block_size", Value: l.block, Problem: "has no effect on results, which have no hash_ids", Allowed: "to be left out"}
			case whole:
				return handResults(line, add)
			}
			return rows.hand(line, add)
		})
	}
}

// handResults hands on the requests of a run in order of the times at which they were sent, without those that failed, which
// have no tokens of the answer.
func handResults(results jsonfields.Fields, add addRow) (more bool, err error) {
	var inputs, outputs []int
	var starts []float64
	for _, list := range []struct {
		key  string
		into any
	}{{"input_lens", &inputs}, {"output_lens", &outputs}, {"start_times", &starts}} {
		if err := json.Unmarshal(results.Get(list.key), list.into); err != nil {
			return false, &badinput.Error{Problem: "no list " + list.key, Allowed: "results that were written with --save-detailed"}
		}
	}
	if len(inputs) != len(starts) || len(outputs) != len(starts) {
		return false, &badinput.Error{Problem: fmt.Sprintf("%d input_lens and %d output_lens for %d start_times", len(inputs), len(outputs), len(starts))}
	}
	order := make([]int, len(starts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(starts[i], starts[j]) })
	for _, i := range order {
		if outputs[i] == 0 {
			continue
		}
		r := row{at: starts[i] - starts[order[0]]}
		if r.input, err = tokens(fmt.Sprintf("input_lens[%d]", i), strconv.Itoa(inputs[i])); err != nil {
			return false, err
		}
		if r.output, err = tokens(fmt.Sprintf("output_lens[%d]", i), strconv.Itoa(outputs[i])); err != nil {
			return false, err
		}
		if more, err = add(r); err != nil || !more {
			return more, err
		}
	}
	return true, nil
}
