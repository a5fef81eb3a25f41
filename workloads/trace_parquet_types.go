package workloads

import (
	"fmt"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"kneepoint/units/badinput"
)

// checkType refuses a column of a field whose values are not what they would be read as: several for a
// row, or numbers that stand for something else, as those of decimals and days do.
func checkType(f field, c *parquet.Column) error {
	leaf := c
	for !leaf.Leaf() && len(leaf.Columns()) == 1 {
		leaf = leaf.Columns()[0]
	}
	single := leaf == c && !c.Repeated()
	if leaf.Leaf() && (single || f == hashField) && isPlain(leaf, f == timeField) {
		return nil
	}
	kind := "a group"
	if leaf.Leaf() {
		kind = leaf.Type().String()
		if !single {
			kind = "a list or a group of " + kind
		}
	}
	allowed := "whole or floating-point numbers, or texts"
	switch f {
	case timeField:
		allowed += ", or timestamps"
	case hashField:
		allowed = "a list of whole numbers"
	}
	return &badinput.Error{Problem: fmt.Sprintf("the column %q of %s is %s", c.Name(), fieldKeys[f], kind), Allowed: allowed}
}

// isPlain tells whether values are the numbers or texts that they are stored as, or timestamps where
// these are wanted.
func isPlain(leaf *parquet.Column, timestamps bool) bool {
	if leaf.Type().Kind() == parquet.Int96 {
		return false
	}
	logical := leaf.Type().LogicalType()
	if logical == nil {
		return true
	}
	switch logical.Value.(type) {
	case *format.StringType, *format.EnumType, *format.UUIDType, *format.IntType:
		return true
	case *format.TimestampType:
		return timestamps
	}
	return false
}

// timestampUnit is the unit of a column whose type is a time since 1970; empty for other types.
func timestampUnit(c *parquet.Column) string {
	logical := c.Type().LogicalType()
	if logical == nil {
		return ""
	}
	timestamp, ok := logical.Value.(*format.TimestampType)
	if !ok {
		return ""
	}
	return map[time.Duration]string{time.Millisecond: "ms", time.Microsecond: "us", time.Nanosecond: "ns"}[timestamp.Unit.Value.Duration()]
}
