package results

import (
	"encoding/json"
	"io"
)

// WriteJSON writes the results as results.json holds them.
func (r *Results) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
