package workloads

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kneepoint/units"
	"kneepoint/units/badinput"
)

// timeReader reads the time of one row after another, in seconds. Its errors say what is allowed.
type timeReader func(text string) (seconds float64, err error)

// unitSeconds are the units of numbers that are times.
var unitSeconds = map[string]float64{"": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}

// latestNumber is the largest time that is a number, in seconds: 3,000 years after those of any clock that counts from
// 1970, and less than those of a clock that counts milliseconds, taken for seconds.
const latestNumber = 1e11

// secondsClock reads numbers of seconds, not negative.
func secondsClock() timeReader {
	return func(text string) (float64, error) {
		at, ok := units.ParseDecimal(strings.TrimSpace(text))
		if !ok {
			return 0, errors.New("a number of seconds from 0 on")
		}
		return at, nil
	}
}

// numberClock reads numbers that count from 0 in a unit of so many seconds.
func numberClock(unit float64) func() timeReader {
	return func() timeReader {
		return func(text string) (float64, error) {
			at, ok := units.ParseDecimal(text)
			if !ok {
				return 0, errors.New("a number from 0 on")
			}
			return at * unit, nil
		}
	}
}

// sinceFirst reads numbers in a unit, which count from the first of them.
func sinceFirst(unit string) timeReader {
	first, started := 0.0, false
	return func(text string) (float64, error) {
		at, ok := units.ParseDecimal(text)
		if !ok || at*unitSeconds[unit] > latestNumber {
			return 0, fmt.Errorf("a number from 0 to %g in the unit time_unit, \"s\" if not given", latestNumber/unitSeconds[unit])
		}
		if !started {
			first, started = at, true
		}
		return (at - first) * unitSeconds[unit], nil
	}
}

// logClock reads what the first row has: numbers in a unit, or dates with times, in quotes or without. They count from the
// first one.
func logClock(unit string) timeReader {
	var read timeReader
	return func(text string) (float64, error) {
		text = strings.Trim(strings.TrimSpace(text), `"`)
		if read == nil {
			read = sinceFirst(unit)
			if date := wallClock(); isTime(date, text) {
				if unit != "" {
					return 0, &badinput.Error{Key: "time_unit", Value: unit, Problem: "has no effect on times that are dates", Allowed: "to be left out"}
				}
				read = wallClock()
			} else if !isTime(read, text) {
				_, err := read(text)
				return 0, fmt.Errorf("%w, or a date like 2023-11-16 18:15:46.6805900", err)
			}
		}
		return read(text)
	}
}

// isTime tells whether a clock reads a text.
func isTime(read timeReader, text string) bool {
	_, err := read(text)
	return err == nil
}

// timeLayouts are the notations of time that were seen in these traces; Go reads
// fractions of a second after any of them.
var timeLayouts = [...]string{"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"}

// wallClock reads dates with times; they count from the first one.
func wallClock() timeReader {
	var first time.Time
	layout, started := 0, false
	return func(text string) (float64, error) {
		for range timeLayouts {
			at, err := time.Parse(timeLayouts[layout], strings.TrimSpace(text))
			if err != nil {
				layout = (layout + 1) % len(timeLayouts) // the one that fits stays
				continue
			}
			if !started {
				first, started = at, true
			}
			return at.Sub(first).Seconds(), nil
		}
		return 0, errors.New("like 2023-11-16 18:15:46.6805900")
	}
}
