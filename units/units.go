// Package units holds the quantities that every other package exchanges, as
// types in SI units: seconds, bytes, bytes per second, FLOPs, FLOP/s.
//
// It knows how people write such quantities ("500ms", "80GB", "50GB/s") and how
// they like to read them, and plain numbers beside them; it must not know models,
// hardware or requests. Inside the simulator a quantity is always in its
// base unit; human units exist only where text is parsed or printed.
package units

import (
	"math"
	"strconv"
)

// Seconds is a duration or a point on the simulated clock, in seconds.
type Seconds float64

// Longest bounds every duration that somebody writes and the clock of every run: a year.
// Up to 2^25 s, which is a little more, neighbouring float64 are at most 2^-28 s = 3.7 ns
// apart, so that a latency of 4 ms, the difference of two times, is exact to a millionth at
// the end of a year, and one of 1 s to four in a billion.
const Longest Seconds = 365 * 86400

// Bytes is an amount of memory or traffic, in bytes.
type Bytes float64

// BytesPerSecond is a bandwidth, in bytes per second.
type BytesPerSecond float64

// FLOPs is an amount of arithmetic, in floating point operations (a fused
// multiply-add counts as two).
type FLOPs float64

// FLOPsPerSecond is a rate of arithmetic, in FLOPs per second.
type FLOPsPerSecond float64

// Milliseconds returns s in milliseconds.
func (s Seconds) Milliseconds() float64 { return float64(s) * 1e3 }

// Microseconds builds a duration from microseconds, the unit of kernel tables.
func Microseconds(us float64) Seconds { return Seconds(us * 1e-6) }

// GiB returns b in binary gigabytes, the unit in which memory is sold.
func (b Bytes) GiB() float64 { return float64(b) / (1 << 30) }

// GB returns b in decimal gigabytes.
func (b Bytes) GB() float64 { return float64(b) / 1e9 }

// At returns the time that b takes at bandwidth bw: b / bw.
func (b Bytes) At(bw BytesPerSecond) Seconds { return Seconds(float64(b) / float64(bw)) }

// At returns the time that f takes at rate r: f / r.
func (f FLOPs) At(r FLOPsPerSecond) Seconds { return Seconds(float64(f) / float64(r)) }

// String writes a duration with three significant digits in the unit that
// suits its size: "850 µs", "12.3 ms", "4.56 s", "12.0 min", "3.20 h".
func (s Seconds) String() string {
	switch a := math.Abs(float64(s)); {
	case a == 0:
		return "0 s"
	case a < 0.9995e-3:
		return Significant(float64(s)*1e6) + " µs"
	case a < 0.9995:
		return Significant(float64(s)*1e3) + " ms"
	case a < 300:
		return Significant(float64(s)) + " s"
	case a < 3*3600:
		return Significant(float64(s)/60) + " min"
	default:
		return Significant(float64(s)/3600) + " h"
	}
}

// String writes an amount of memory with three significant digits in binary
// units: "512 B", "1.50 KiB", "80.0 GiB".
func (b Bytes) String() string {
	v, names := float64(b), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	i := 0
	for math.Abs(v) >= 1023.5 && i < len(names)-1 {
		v, i = v/1024, i+1
	}
	if i == 0 {
		return strconv.FormatFloat(v, 'f', 0, 64) + " B"
	}
	return Significant(v) + " " + names[i]
}
