package experiments

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"kneepoint/internal/columns"
	"kneepoint/units/badinput"
)

// readPoints reads published points from a CSV file; see parsePoints.
func readPoints(path string) ([]PublishedPointSpec, error) {
	return badinput.ReadFile(path, badinput.MostText, parsePoints)
}

// parsePoints reads comma-separated values with a header that has columns x and y, and noise where
// measurements were repeated, whose cells may be empty. A cell of x that is no number is a name. Other
// columns are ignored.
func parsePoints(r io.Reader) ([]PublishedPointSpec, error) {
	table := csv.NewReader(r)
	table.TrimLeadingSpace = true
	names, err := columns.Header(table)
	if err != nil {
		return nil, err
	}
	at, err := columns.Find(names, "x", "y")
	if err != nil {
		return nil, err
	}
	noise := slices.Index(names, "noise")
	var points []PublishedPointSpec
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, badinput.NotCSV(err)
		}
		cells := []any{numberOrText(record[at[0]]), numberOrText(record[at[1]])}
		if noise >= 0 && strings.TrimSpace(record[noise]) != "" {
			cells = append(cells, numberOrText(record[noise]))
		}
		var p PublishedPointSpec
		if err := p.DecodeTOML(cells); err != nil {
			return nil, badinput.AtRecord(&badinput.Error{Problem: err.Error()}, table)
		}
		points = append(points, p)
	}
	if len(points) == 0 {
		return nil, &badinput.Error{Problem: "has no rows below its header", Allowed: "a row for each point"}
	}
	return points, nil
}

// numberOrText is a cell's number, or its text, without blanks around it.
func numberOrText(text string) any {
	text = strings.TrimSpace(text)
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return x
	}
	return text
}
