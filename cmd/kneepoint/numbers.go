package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"kneepoint/units"
)

// Numbers of flags are decimal. pflag's own are those of Go's source, where 010 is 8,
// 1_0 is 10, and 0x1p9 and Inf are numbers.

// wholeNumber is a flag's whole number.
type wholeNumber int

// Set implements pflag.Value.
func (w *wholeNumber) Set(text string) error {
	digits, negative := strings.CutPrefix(text, "-")
	n, ok := units.ParseCount(digits)
	if !ok {
		return errNoNumber
	}
	if *w = wholeNumber(n); negative {
		*w = -*w
	}
	return nil
}

func (w *wholeNumber) String() string { return strconv.Itoa(int(*w)) }

// Type implements pflag.Value.
func (w *wholeNumber) Type() string { return "int" }

// seedNumber is a flag's seed.
type seedNumber uint64

// Set implements pflag.Value.
func (s *seedNumber) Set(text string) error {
	n, ok := units.ParseCount(text)
	if !ok {
		return errNoNumber
	}
	*s = seedNumber(n)
	return nil
}

func (s *seedNumber) String() string { return strconv.FormatUint(uint64(*s), 10) }

// Type implements pflag.Value.
func (s *seedNumber) Type() string { return "uint64" }

// number is a flag's number.
type number float64

// Set implements pflag.Value.
func (x *number) Set(text string) error {
	digits, negative := strings.CutPrefix(text, "-")
	n, ok := units.ParseDecimal(digits)
	if !ok {
		return errNoNumber
	}
	if *x = number(n); negative {
		*x = -*x
	}
	return nil
}

func (x *number) String() string { return strconv.FormatFloat(float64(*x), 'g', -1, 64) }

// Type implements pflag.Value.
func (x *number) Type() string { return "float64" }

// errNoNumber is what flagError makes a message of.
var errNoNumber = errors.New("no number")

func intVar(set *pflag.FlagSet, into *int, name string, fallback int, usage string) {
	*into = fallback
	set.Var((*wholeNumber)(into), name, usage)
}

func seedVar(set *pflag.FlagSet, into *uint64, name, usage string) {
	set.Var((*seedNumber)(into), name, usage)
}

func floatVar(set *pflag.FlagSet, into *float64, name string, fallback float64, usage string) {
	*into = fallback
	set.Var((*number)(into), name, usage)
}
