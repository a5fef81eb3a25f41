package units

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// scale is one unit suffix and its size in the base unit: factor·10^exponent.
// The power of ten is kept apart because a decimal number shifted by it can be
// read without rounding twice.
type scale struct {
	suffix   string
	factor   float64
	exponent int
}

// The base unit is the last of its list: other suffixes may end like it.
var (
	timeScales = []scale{{"ms", 1, -3}, {"us", 1, -6}, {"µs", 1, -6}, {"ns", 1, -9},
		{"min", 60, 0}, {"m", 60, 0}, {"h", 3600, 0}, {"d", 86400, 0}, {"s", 1, 0}}
	byteScales = []scale{{"KiB", 1 << 10, 0}, {"MiB", 1 << 20, 0}, {"GiB", 1 << 30, 0}, {"TiB", 1 << 40, 0},
		{"kB", 1, 3}, {"KB", 1, 3}, {"MB", 1, 6}, {"GB", 1, 9}, {"TB", 1, 12}, {"B", 1, 0}}
)

// ParseSeconds reads a duration with its unit: ns, us, ms, s, m (or min), h, d. It is at
// most Longest, forwards or backwards.
func ParseSeconds(text string) (Seconds, error) {
	v, err := parse(text, timeScales)
	if err != nil {
		return 0, fmt.Errorf(`%w: write a number and a unit, like "500ms", "2s" or "5m"`, err)
	}
	if s := Seconds(v); s > Longest || s < -Longest {
		return 0, ErrTooLong
	}
	return Seconds(v), nil
}

// ErrTooLong is the error of a duration beyond Longest.
var ErrTooLong = errors.New("too long for a clock that tells nanoseconds: at most 365d")

// ParseBytes reads an amount of memory with its unit: B, kB, MB, GB, TB
// (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024).
func ParseBytes(text string) (Bytes, error) {
	v, err := parse(text, byteScales)
	if err != nil {
		return 0, fmt.Errorf(`%w: write a number and a unit, like "80GB" or "64GiB"`, err)
	}
	return Bytes(v), nil
}

// ParseBytesPerSecond reads a bandwidth: an amount of memory as ParseBytes
// takes it, followed by "/s".
func ParseBytesPerSecond(text string) (BytesPerSecond, error) {
	amount, found := strings.CutSuffix(strings.TrimSpace(text), "/s")
	v, err := parse(amount, byteScales)
	if err != nil || !found {
		return 0, fmt.Errorf(`not a bandwidth: write a number and a unit, like "50GB/s"`)
	}
	if problem, allowed := OutOfRange(v); problem != "" {
		return 0, fmt.Errorf("%s: %s bytes per second", problem, allowed)
	}
	return BytesPerSecond(v), nil
}

func parse(text string, scales []scale) (float64, error) {
	text = strings.TrimSpace(text)
	for _, s := range scales {
		number, found := strings.CutSuffix(text, s.suffix)
		if !found {
			continue
		}
		if v, ok := s.read(strings.TrimSpace(number)); ok {
			return v, nil
		}
	}
	return 0, fmt.Errorf("not a quantity with a known unit")
}

// read returns a number of this unit in the base unit. Go's other notations of a number,
// like 1_0, are none here.
func (s scale) read(number string) (float64, bool) {
	if strings.Trim(number, "0123456789.eE+-") != "" {
		return 0, false
	}
	mantissa, exponent := number, 0
	if i := strings.IndexAny(number, "eE"); i >= 0 {
		n, err := strconv.Atoi(number[i+1:])
		if err != nil {
			return 0, false
		}
		mantissa, exponent = number[:i], n
	}
	v, err := strconv.ParseFloat(fmt.Sprintf("%se%d", mantissa, exponent+s.exponent), 64)
	v *= s.factor
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}

// UnmarshalText reads a duration as ParseSeconds does.
func (s *Seconds) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSeconds(string(text))
	return err
}

// UnmarshalText reads an amount of memory as ParseBytes does.
func (b *Bytes) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBytes(string(text))
	return err
}

// UnmarshalText reads a bandwidth as ParseBytesPerSecond does.
func (b *BytesPerSecond) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBytesPerSecond(string(text))
	return err
}

// MarshalText writes the shortest text that UnmarshalText reads back exactly.
func (s Seconds) MarshalText() ([]byte, error) { return shortest(float64(s), timeScales), nil }

// MarshalText writes the shortest text that UnmarshalText reads back exactly.
func (b Bytes) MarshalText() ([]byte, error) { return shortest(float64(b), byteScales), nil }

// MarshalText writes the shortest text that UnmarshalText reads back exactly.
func (b BytesPerSecond) MarshalText() ([]byte, error) {
	return append(shortest(float64(b), byteScales), "/s"...), nil
}

// shortest writes v in the unit that takes the fewest letters without losing
// anything; among equals the larger unit wins.
func shortest(v float64, scales []scale) []byte {
	if v == 0 {
		scales = scales[len(scales)-1:]
	}
	var best []byte
	var size float64
	for _, s := range scales {
		text := append(s.write(v), s.suffix...)
		back, err := parse(string(text), scales)
		if err != nil || back != v {
			continue
		}
		if best == nil || len(text) < len(best) || len(text) == len(best) && s.size() > size {
			best, size = text, s.size()
		}
	}
	return best
}

// write returns v as a number of this unit.
func (s scale) write(v float64) []byte {
	number := strconv.FormatFloat(v/s.factor, 'e', -1, 64)
	mantissa, exponent, _ := strings.Cut(number, "e")
	n, _ := strconv.Atoi(exponent)
	x, _ := strconv.ParseFloat(fmt.Sprintf("%se%d", mantissa, n-s.exponent), 64)
	return strconv.AppendFloat(nil, x, 'f', -1, 64)
}

func (s scale) size() float64 { return s.factor * math.Pow10(s.exponent) }
