package store

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
)

// entry is a file of the store: JSON, in which numbers have as many digits as it takes
// to read them back, compressed with gzip, whose checksum tells whether it is whole.
type entry struct {
	Build string `json:"build"`
	Key   string `json:"key"`
	Value any    `json:"value"`
}

// encode is the bytes of an entry.
func (e *entry) encode() ([]byte, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // a level that there is
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return packed.Bytes(), err
}

// decode reads what encode has written of a value with a build and a key into it.
func decode(packed []byte, build, key string, value any) error {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := text.ReadFrom(r); err != nil {
		return err
	}
	e := entry{Value: value}
	if err := json.Unmarshal(text.Bytes(), &e); err != nil {
		return err
	}
	if e.Build != build || e.Key != key {
		return fmt.Errorf("has the key %q of build %q", e.Key, e.Build)
	}
	return nil
}
