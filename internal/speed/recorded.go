package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

const (
	plainRequests = 20_000 // of a row at most as many requests are run as take the time of so many plain ones, by what is recorded
	checkRounds   = 2      // of runs of all rows, of which the fastest of each row counts: what slows the machine down for a moment meets one round
	updateRounds  = 6
	tolerance     = 0.2 // by which a row may cost more than recorded
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
		return os.WriteFile(file, formatCosts(costs), 0o644)
	}
	for _, warning := range warnings(costs, known) {
		fmt.Println("warning:", warning)
	}
	fmt.Printf("%d rows were compared with %s\n", len(costs), file)
	return nil
}

// relativeCosts is what a request of each row costs beside start and end of a run, in plain requests, by row.
func relativeCosts(binary string, known map[string]float64, rounds int) (map[string]float64, error) {
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	single := rows[0]
	single.requests = 1
	sized := []row{single}
	for _, r := range rows {
		sized = append(sized, r.sized(known[r.name]))
	}
	took, err := leastTimes(sized, binary, rounds, dir)
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for i, r := range sized[1:] {
		costs[r.name] = (took[1+i] - took[0]).Seconds() / float64(r.requests)
	}
	plain := costs[plainRow]
	for name := range costs {
		costs[name] /= plain
	}
	return costs, nil
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

// leastTimes is the CPU time of the fastest run of each of some rows, which are run one after the other, several times.
func leastTimes(some []row, binary string, rounds int, dir string) ([]time.Duration, error) {
	least := make([]time.Duration, len(some))
	for round := range rounds {
		for i, r := range some {
			file, err := r.write(dir)
			if err != nil {
				return nil, err
			}
			took, err := cpuTime(binary, file, filepath.Join(dir, "out"))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", r.name, err)
			}
			if round == 0 || took < least[i] {
				least[i] = took
			}
		}
	}
	return least, nil
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
