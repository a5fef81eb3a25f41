package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

const (
	plainRequests = 20_000 // of a row at most as many requests are run as take the time of so many plain ones, by what is recorded
	checkRounds   = 2      // of runs of all rows, of which the cheapest of each row counts: what slows the machine down for a moment meets one round
	updateRounds  = 6      // of which the median is recorded
	rowsBetween   = 10     // runs of the plain row, with which they are compared
	tolerance     = 0.2    // by which a row may cost more than recorded
)

// compareRecorded warns of rows that cost more plain requests than a file says, or writes the file.
func compareRecorded(binary, file string, update bool) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	known, err := parseCosts(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	rounds := checkRounds
	if update {
		rounds = updateRounds
	}
	costs, err := relativeCosts(binary, known, rounds)
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(file, formatCosts(atRank(costs, 0.5)), 0o644)
	}
	for _, warning := range warnings(atRank(costs, 0), known) {
		fmt.Println("warning:", warning)
	}
	fmt.Printf("%d rows were compared with %s\n", len(costs), file)
	return nil
}

// relativeCosts is what a request of each row costs beside start and end of a run, in plain requests that were run a few
// seconds before, by row and in ascending order of the rounds.
func relativeCosts(binary string, known map[string]float64, rounds int) (map[string][]float64, error) {
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	single, plain := rows[0], rows[0].sized(known[plainRow])
	single.requests = 1
	start, err := single.took(binary, dir)
	if err != nil {
		return nil, err
	}
	costs, perRequest := map[string][]float64{}, 0.0
	for range rounds {
		for i, r := range rows {
			if i%rowsBetween == 0 {
				again, err := single.took(binary, dir)
				if err != nil {
					return nil, err
				}
				start = min(start, again)
				took, err := plain.took(binary, dir)
				if err != nil {
					return nil, err
				}
				perRequest = (took - start).Seconds() / float64(plain.requests)
			}
			r = r.sized(known[r.name])
			took, err := r.took(binary, dir)
			if err != nil {
				return nil, err
			}
			costs[r.name] = append(costs[r.name], (took-start).Seconds()/float64(r.requests)/perRequest)
		}
	}
	for _, ofRow := range costs {
		slices.Sort(ofRow)
	}
	return costs, nil
}

// atRank is one of the costs of each row, by the share of them that are below.
func atRank(costs map[string][]float64, share float64) map[string]float64 {
	some := map[string]float64{}
	for name, ofRow := range costs {
		some[name] = ofRow[int(share*float64(len(ofRow)))]
	}
	return some
}

// sized is the row with as many requests as take about as long as plainRequests, where each costs so many plain requests. Without
// that, of a row with few requests it would be the noise of the start that counts. They are a power of two, which stays the same
// when costs change by little: a longer run may have another share of warm-up.
func (r row) sized(cost float64) row {
	if cost <= 0 {
		r.requests /= 10
		return r
	}
	r.requests = 1 << (bits.Len(uint(plainRequests/cost)) - 1)
	return r
}

// took is the CPU time of a run of the row.
func (r *row) took(binary, dir string) (time.Duration, error) {
	file, err := r.write(dir)
	if err != nil {
		return 0, err
	}
	took, err := cpuTime(binary, file, filepath.Join(dir, "out"))
	if err != nil {
		return 0, fmt.Errorf("%s: %w", r.name, err)
	}
	return took, nil
}

// warnings names the rows that cost more than is known of them, in their order.
func warnings(costs, known map[string]float64) (all []string) {
	for _, r := range rows {
		is, was := costs[r.name], known[r.name]
		switch {
		case was == 0:
			all = append(all, fmt.Sprintf("%q costs %.1f plain requests, and nothing is recorded of it", r.name, is))
		case is > was*(1+tolerance):
			all = append(all, fmt.Sprintf("%q costs %.1f plain requests, and %.1f are recorded", r.name, is, was))
		}
	}
	return all
}

// formatCosts writes costs as CSV, in the order of the rows.
func formatCosts(costs map[string]float64) []byte {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	for _, r := range rows {
		_ = w.Write([]string{r.name, strconv.FormatFloat(costs[r.name], 'f', 2, 64)}) // to memory
	}
	w.Flush()
	return text.Bytes()
}

// parseCosts reads what formatCosts writes.
func parseCosts(text []byte) (map[string]float64, error) {
	lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for _, line := range lines {
		cost, err := strconv.ParseFloat(line[len(line)-1], 64)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line[0], err)
		}
		costs[line[0]] = cost
	}
	return costs, nil
}
