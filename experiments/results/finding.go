package results

import "encoding/json"

// Finding is the answer to a question that runs may be too short for. Its zero value is
// that they are.
type Finding int8

// The answers, in JSON null, true and false.
const (
	Unknown Finding = iota
	Yes
	No
)

// MarshalJSON writes null, true or false.
func (f Finding) MarshalJSON() ([]byte, error) {
	if f == Unknown {
		return []byte("null"), nil
	}
	return json.Marshal(f == Yes)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(text []byte) error {
	var answer *bool
	err := json.Unmarshal(text, &answer)
	switch {
	case answer == nil:
		*f = Unknown
	case *answer:
		*f = Yes
	default:
		*f = No
	}
	return err
}

// most is the answer of more than half of the runs to a yes-or-no metric; runs in
// which it has no value are none for either side.
func (g *group) most(key string) Finding {
	yes, no := 0, 0
	for _, run := range g.runs {
		switch x, known := run.Metrics[key]; {
		case known && x != 0:
			yes++
		case known:
			no++
		}
	}
	switch {
	case 2*yes > len(g.runs):
		return Yes
	case 2*no > len(g.runs):
		return No
	}
	return Unknown
}
