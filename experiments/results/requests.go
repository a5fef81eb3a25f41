package results

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"kneepoint/sim/metrics"
	"kneepoint/units"
)

// RequestLog writes requests.csv, one row per request of every run. Rows go to the
// file as runs end: a record is too large to keep until all are there.
type RequestLog struct {
	axes   []Axis
	file   *os.File
	buffer *bufio.Writer
	table  *csv.Writer
}

var requestColumns = []string{"request", "state", "arrival_s", "client_queue_time_ms", "prompt_tokens",
	"output_tokens", "ttft_ms", "tpot_ms", "e2el_ms", "preemptions"}

// CreateRequestLog starts requests.csv in the folder, for runs over the given axes.
// With classes of requests it has a column for their names. Errors are those of the
// file. Close must follow.
func (f *Folder) CreateRequestLog(axes []Axis, classes bool) (*RequestLog, error) {
	file, err := os.Create(filepath.Join(f.Path(), requestsFile))
	if err != nil {
		return nil, err
	}
	l := &RequestLog{axes: axes, file: file, buffer: bufio.NewWriter(file)}
	l.table = csv.NewWriter(l.buffer)
	header := []string{"strategy"}
	for _, axis := range axes {
		header = append(header, axis.Path)
	}
	header = append(append(header, "replication"), requestColumns...)
	for _, latency := range []string{"ttft", "e2el"} {
		for _, part := range metrics.PartKeys {
			header = append(header, latency+"_"+part+"_ms")
		}
	}
	if classes {
		header = append(header, "client")
	}
	return l, l.table.Write(header)
}

// Add appends the requests of one run. rec is read during the call alone, so that the
// next run can have its memory. Runs must be added one at a time. Errors are those of
// the file, and may show only in Close.
func (l *RequestLog) Add(run *Run, rec *metrics.Record) error {
	start := []string{run.Strategy}
	for _, axis := range l.axes {
		start = append(start, fmt.Sprint(run.Point[axis.Path]))
	}
	start = append(start, strconv.Itoa(run.Replication))
	for id := range rec.Requests {
		r := &rec.Requests[id]
		row := append(start[:len(start):len(start)], requestRow(id, r)...)
		if len(run.Clients) > 0 {
			row = append(row, run.Clients[r.Class].Name)
		}
		if err := l.table.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// requestRow is what one request has by itself. One that did not complete has no
// latencies, but keeps its columns.
func requestRow(id int, r *metrics.Request) []string {
	row := []string{strconv.Itoa(id), r.State.String(), units.Shortest(float64(r.Arrival)), milliseconds(r.ClientQueue),
		strconv.Itoa(int(r.Input)), strconv.Itoa(int(r.Output)), "", "", "", strconv.Itoa(int(r.Preemptions))}
	if r.State != metrics.Completed {
		return append(row, make([]string, 2*len(metrics.PartKeys))...)
	}
	row[6], row[8] = milliseconds(r.TTFT()), milliseconds(r.E2EL())
	if tpot, ok := r.TPOT(); ok {
		row[7] = milliseconds(tpot)
	}
	for _, parts := range []metrics.Parts{r.TTFTParts(), r.E2ELParts()} {
		for _, t := range parts {
			row = append(row, milliseconds(t))
		}
	}
	return row
}

func milliseconds(s units.Seconds) string { return units.Shortest(s.Milliseconds()) }

// Close writes what is buffered and closes the file. Without it, or with its error, the
// file may lack rows.
func (l *RequestLog) Close() error {
	l.table.Flush()
	return errors.Join(l.table.Error(), l.buffer.Flush(), l.file.Close())
}
