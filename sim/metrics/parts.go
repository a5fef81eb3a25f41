package metrics

import (
	"cmp"
	"encoding/json"
	"math/big"
	"strconv"
	"strings"

	"kneepoint/units"
)

// Part is one of the things that the time of a request goes to.
type Part int

// The parts of TTFT and E2EL.
const (
	Routing      Part = iota // at the router, before the request is at a replica, and again where it comes back to it
	FrontEnd                 // before the request may be scheduled, and before steps in the thread that runs them
	Queue                    // for a place in the batch, its turn, or the next step
	KVWait                   // while the head of the queue lacked KV memory
	Prefill                  // in the batch until the first token
	Interference             // by which the prompts of others lengthened steps
	KVTransfer               // from the end of a prefill on one replica until its keys and values are at the one that decodes
	Decode                   // in the batch after the first token
	Draft                    // while tokens were proposed
	Transfer                 // while keys and values were moved between a replica's accelerators and its tiers
	Preemption               // from a preemption until as many tokens were in memory again
	partCount
)

// PartKeys names the parts in results.
var PartKeys = [partCount]string{"routing", "front_end", "queue", "kv_wait", "prefill", "interference", "kv_transfer", "decode", "draft",
	"transfer", "preemption"}

// Parts is a time in seconds by its parts.
type Parts [partCount]units.Seconds

// Sum is the time that the parts make up.
func (p *Parts) Sum() units.Seconds {
	var sum units.Seconds
	for _, t := range p {
		sum += t
	}
	return sum
}

// addPacked adds packed parts.
func (p *Parts) addPacked(q *Packed) {
	for i, t := range q {
		p[i] += units.Seconds(t)
	}
}

// Add adds n times the parts q.
func (p *Parts) Add(q *Parts, n float64) {
	for i, t := range q {
		p[i] += units.Seconds(n) * t
	}
}

// scaled is the parts of another time, with the same shares; all zero where there is
// nothing to share out.
func (p *Parts) scaled(whole units.Seconds) Parts {
	var q Parts
	if sum := p.Sum(); sum > 0 {
		q.Add(p, float64(whole/sum))
	}
	return q
}

// MarshalJSON writes an object of milliseconds by the keys of the parts, with as
// many digits as it takes to read back the same seconds.
func (p Parts) MarshalJSON() ([]byte, error) {
	text := make([]byte, 0, 512)
	for i, t := range p {
		text = append(strconv.AppendQuote(append(text, ','), PartKeys[i]), ':')
		text = append(text, exactMilliseconds(t)...)
	}
	text[0] = '{'
	return append(text, '}'), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Parts) UnmarshalJSON(text []byte) error {
	var read map[string]json.Number
	if err := json.Unmarshal(text, &read); err != nil {
		return err
	}
	for i, key := range PartKeys {
		t, err := fromMilliseconds(read[key].String())
		if err != nil {
			return err
		}
		p[i] = t
	}
	return nil
}

// exactMilliseconds writes a time in milliseconds so that fromMilliseconds gives
// the same time. Multiplying by 1000 rounds, and two times may become one number
// of milliseconds; the text then has a few digits more than that number needs.
func exactMilliseconds(t units.Seconds) string {
	if t == 0 { // as most parts are
		return "0"
	}
	rounded := t.Milliseconds()
	text := units.Shortest(rounded)
	if readsBack(text, rounded, t) {
		return text
	}
	exact := new(big.Float).SetPrec(64) // holds the 53 bits of a time and the 10 of 1000
	exact.Mul(big.NewFloat(float64(t)), big.NewFloat(1000))
	for digits := 17; !readsBack(text, rounded, t); digits++ {
		text = exact.Text('g', digits)
	}
	return text
}

// readsBack tells whether text is read as a number of milliseconds by a program that
// knows no better, and as the time t by fromMilliseconds.
func readsBack(text string, milliseconds float64, t units.Seconds) bool {
	x, _ := strconv.ParseFloat(text, 64)
	y, _ := fromMilliseconds(text)
	return x == milliseconds && y == t
}

// fromMilliseconds reads a time by moving the decimal point, which rounds once.
// No text is no time.
func fromMilliseconds(text string) (units.Seconds, error) {
	if text == "" {
		return 0, nil
	}
	digits, power, _ := strings.Cut(strings.ToLower(text), "e")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	if err != nil {
		return 0, err
	}
	t, err := strconv.ParseFloat(digits+"e"+strconv.Itoa(exponent-3), 64)
	return units.Seconds(t), err
}

// Packed is Parts as records keep them, in single precision: a run may have millions.
type Packed [partCount]float32

// Add adds a time to a part. A negative one comes from rounding, and counts as zero.
func (p *Packed) Add(part Part, t units.Seconds) {
	if t > 0 {
		p[part] += float32(t)
	}
}

// partsOf is the parts of a time whose packed parts are p: what rounding left over
// goes to the largest one, so that they sum to the time.
func (p *Packed) partsOf(whole units.Seconds) Parts {
	var parts Parts
	largest := 0
	for i, t := range p {
		parts[i] = units.Seconds(t)
		if t > p[largest] {
			largest = i
		}
	}
	parts[largest] += whole - parts.Sum()
	return parts
}

// TTFTParts is the parts of TTFT, which sum to it.
func (r *Request) TTFTParts() Parts { return r.ToFirst.partsOf(r.TTFT()) }

// E2ELParts is the parts of E2EL, which sum to it.
func (r *Request) E2ELParts() Parts { return r.ToLast.partsOf(r.E2EL()) }
