package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"time"
)

const (
	part      = 10   // of a row's requests, one in so many is run to compare with what is recorded
	atLeast   = 1000 // of them
	shortRuns = 2    // of which the faster one counts
	tolerance = 0.2  // by which a row may cost more than recorded
)

// compareRecorded warns of rows that cost more plain requests than a file says, or writes the file.
func compareRecorded(binary, file string, update bool) error {
	costs, err := relativeCosts(binary)
	if err != nil {
		return err
	}
	if update {
		return os.WriteFile(file, formatCosts(costs), 0o644)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	known, err := parseCosts(text)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, warning := range warnings(costs, known) {
		fmt.Println("warning:", warning)
	}
	fmt.Printf("%d rows were compared with %s\n", len(costs), file)
	return nil
}

// relativeCosts is what a request of each row costs, in plain requests, by row.
func relativeCosts(binary string) (map[string]float64, error) {
	dir, err := os.MkdirTemp("", "speed")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	single := rows[0]
	single.requests = 1
	start, err := single.cost(binary, dir)
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for _, r := range rows {
		r.requests = max(r.requests/part, atLeast)
		took, err := r.cost(binary, dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		costs[r.name] = (took - start).Seconds() / float64(r.requests)
	}
	plain := costs[plainRow]
	for name := range costs {
		costs[name] /= plain
	}
	return costs, nil
}

// cost is the CPU time of a run of a row, the least of several.
func (r *row) cost(binary, dir string) (time.Duration, error) {
	first, _, err := r.compare([]string{binary}, shortRuns, dir)
	return time.Duration(float64(r.requests) / first * float64(time.Second)), err
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
