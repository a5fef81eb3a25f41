package hardware

import (
	"slices"
	"strings"

	"kneepoint/units/badinput"
)

// Precision is a number format of weights, activations, or keys and values.
type Precision string

// The precisions that an experiment can name.
const (
	FP32 Precision = "fp32"
	BF16 Precision = "bf16"
	FP16 Precision = "fp16"
	FP8  Precision = "fp8"
	INT8 Precision = "int8"
	INT4 Precision = "int4"
	FP4  Precision = "fp4"
)

// Precisions lists every precision, widest first.
func Precisions() []Precision {
	return []Precision{FP32, BF16, FP16, FP8, INT8, INT4, FP4}
}

// ParsePrecision reads the name of a precision.
func ParsePrecision(text string) (Precision, error) {
	p := Precision(strings.ToLower(text))
	if slices.Contains(Precisions(), p) {
		return p, nil
	}
	names := make([]string, 0, len(Precisions()))
	for _, q := range Precisions() {
		names = append(names, string(q))
	}
	return "", &badinput.Error{Value: text, Problem: "unknown precision",
		Allowed: "one of " + strings.Join(names, ", "), Nearest: badinput.Nearest(text, names)}
}

// Bytes is the size of one element: 4, 2, 1 or 1/2 bytes.
func (p Precision) Bytes() float64 {
	switch p {
	case FP32:
		return 4
	case BF16, FP16:
		return 2
	case FP8, INT8:
		return 1
	default:
		return 0.5
	}
}

// WeightBytes is the size of one stored weight with its share of the scales
// that block-wise 4-bit formats carry: int4 4.25 bits (a 16-bit scale per 64
// weights, or a scale and a zero point per 128: GPTQ and AWQ), fp4 4.5 bits (an
// 8-bit scale per 16 weights: NVFP4). The scales of 8-bit formats are per
// channel or per tensor and are left out.
func (p Precision) WeightBytes() float64 {
	switch p {
	case INT4:
		return 4.25 / 8
	case FP4:
		return 4.5 / 8
	default:
		return p.Bytes()
	}
}
