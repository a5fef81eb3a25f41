//go:build unix

package main

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"path/filepath"
	"strings"
)

// isTemporary tells whether a file is one that kneepoint renames when it is whole, or in a
// draft.
func isTemporary(name string) bool {
	return strings.HasPrefix(name, ".o.draft-") || name == ".kneepoint.new" || name == ".kneepoint.part"
}

// parses reads a file of results to its end.
func parses(name, text string) error {
	if text == "" {
		return nil // a folder
	}
	r := strings.NewReader(text)
	switch filepath.Ext(name) {
	case ".json":
		if !json.Valid([]byte(text)) {
			return errors.New("is no JSON")
		}
	case ".ndjson":
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) || !strings.HasSuffix(line, "\n") {
				return errors.New("has a line that is no JSON")
			}
		}
	case ".csv":
		if _, err := csv.NewReader(r).ReadAll(); err != nil || !strings.HasSuffix(text, "\n") {
			return errors.Join(errors.New("is no CSV"), err)
		}
	case ".png":
		_, err := png.Decode(r)
		return err
	case ".svg":
		d := xml.NewDecoder(r)
		for {
			if _, err := d.Token(); err != nil {
				if errors.Is(err, io.EOF) {
					return nil
				}
				return err
			}
		}
	}
	return nil
}
