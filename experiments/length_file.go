package experiments

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/internal/strict"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// mostQuantiles bounds the numbers of a file of quantiles, which stand in the results.
const mostQuantiles = 10_000

// withQuantiles is a value of the [workload] table in which empirical laws have the numbers of the files that they name.
// The value itself stays as it is: other points share it.
func (s *shared) withQuantiles(folder string, value any) (any, error) {
	if list := strict.Tables(value); len(list) > 0 {
		tables := make([]map[string]any, len(list))
		for i, table := range list {
			changed, err := s.withQuantiles(folder, table)
			if err != nil {
				return nil, badinput.Under(fmt.Sprintf("[%d]", i), err)
			}
			tables[i], _ = changed.(map[string]any)
		}
		return tables, nil
	}
	table, ok := value.(map[string]any)
	if !ok {
		return value, nil
	}
	if path, named := table["path"].(string); named && path != "" && table["type"] == "empirical" {
		return s.quantilesOf(folder, path, table)
	}
	table = maps.Clone(table)
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if key == "think_time" { // a law of times, which has no files
			continue
		}
		changed, err := s.withQuantiles(folder, table[key])
		if err != nil {
			return nil, badinput.Under(key, err)
		}
		table[key] = changed
	}
	return table, nil
}

// quantilesOf is the table of a law with the numbers of its file.
func (s *shared) quantilesOf(folder, path string, law map[string]any) (any, error) {
	if law["quantiles"] != nil {
		return nil, &badinput.Error{Key: "path", Value: path, Problem: "has no effect beside quantiles"}
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, path)
	}
	numbers := s.quantiles[path]
	if numbers == nil {
		var err error
		if numbers, err = badinput.ReadFile(path, badinput.MostText, parseQuantiles); err != nil {
			return nil, badinput.Under("path", err)
		}
		s.quantiles[path] = numbers
	}
	table := maps.Clone(law)
	delete(table, "path")
	table["quantiles"] = numbers
	return table, nil
}

// parseQuantiles reads one number a line.
func parseQuantiles(r io.Reader) ([]any, error) {
	var numbers []any
	lines := bufio.NewScanner(r)
	for line := 1; lines.Scan(); line++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" {
			continue
		}
		x, ok := units.ParseDecimal(text)
		if !ok {
			return nil, &badinput.Error{Line: line, Problem: fmt.Sprintf("%.40q is not a number of tokens", text), Allowed: "one number a line"}
		}
		if len(numbers) == mostQuantiles {
			return nil, &badinput.Error{Line: line, Problem: "too many numbers", Allowed: fmt.Sprintf("at most %d", mostQuantiles)}
		}
		numbers = append(numbers, x)
	}
	return numbers, lines.Err()
}
