package workloads

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// serveGenClients is the numbers of the clients of which a folder has a file.
func serveGenClients(folder string) ([]int, error) {
	entries, _ := os.ReadDir(folder) // a file in place of a folder has none
	var clients []int
	for _, entry := range entries {
		number, chunk := strings.CutPrefix(strings.TrimSuffix(entry.Name(), ".gz"), "chunk-")
		number, trace := strings.CutSuffix(number, "-trace.csv")
		number, dataset := strings.CutSuffix(number, "-dataset.json")
		if !chunk || !trace && !dataset {
			continue
		}
		client, ok := units.ParseCount(number)
		if !ok || number != strconv.FormatInt(int64(client), 10) { // 05 would be the same client as 5
			return nil, &badinput.Error{File: filepath.Join(folder, entry.Name()), Problem: "is not the file of a client",
				Allowed: "chunk-0-trace.csv and chunk-0-dataset.json, chunk-1-trace.csv, …"}
		}
		clients = append(clients, int(client))
	}
	if len(clients) == 0 {
		return nil, &badinput.Error{File: folder, Problem: "has no chunk-N-trace.csv", Allowed: "a folder of ServeGen's data, such as data/reason/deepseek-r1, as path"}
	}
	slices.Sort(clients)
	return slices.Compact(clients), nil
}

// serveGenClient is the windows of a client in which it sent something. A client has both files, or part of the data is missing.
func serveGenClient(folder string, client int) (windows []serveGenWindow, err error) {
	var tokens []serveGenTokens
	dataset := filepath.Join(folder, fmt.Sprintf("chunk-%d-dataset.json", client))
	err = openText(dataset, func(text io.Reader) (err error) {
		tokens, err = readServeGenTokens(text)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = openText(filepath.Join(folder, fmt.Sprintf("chunk-%d-trace.csv", client)), func(text io.Reader) (err error) {
		windows, err = readServeGenWindows(text)
		return err
	})
	for i := range windows {
		w := &windows[i]
		if w.client, w.tokens = client, tokensAt(tokens, w.start); w.tokens == nil {
			return nil, &badinput.Error{File: dataset, Problem: fmt.Sprintf("has no input_tokens or output_tokens at %g s, when requests came", w.start)}
		}
	}
	return windows, err
}

// openText opens a text of a folder, and names it in what is wrong with it.
func openText(path string, read func(text io.Reader) error) error {
	file, err := openMember(path)
	if err != nil {
		return &badinput.Error{File: path, Problem: "cannot be read: " + badinput.Reason(err)}
	}
	defer file.Close()
	plain, err := decompress(file)
	if err == nil {
		err = read(&boundedText{text: plain, most: mostObject})
	}
	var wrong *badinput.Error
	switch {
	case errors.As(err, &wrong):
		return wrong.In(file.Name())
	case err != nil:
		return &badinput.Error{File: file.Name(), Problem: "cannot be read: " + badinput.Reason(err)}
	}
	return nil
}
