package policies

import (
	"reflect"
	"testing"
)

// TestResetForgetsEverything sets every field of a decision, whichever there are: none is left but the memory of lists.
func TestResetForgetsEverything(t *testing.T) {
	var d Decision
	fields := reflect.ValueOf(&d).Elem()
	for i := range fields.NumField() {
		switch f := fields.Field(i); f.Kind() {
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 2, 2))
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			f.SetInt(3)
		case reflect.Uint8:
			f.SetUint(3)
		case reflect.Float64:
			f.SetFloat(3)
		case reflect.Struct:
			f.Field(0).SetInt(3)
		case reflect.Interface:
			f.Set(reflect.ValueOf(&FixedProposals{}))
		default:
			t.Fatalf("%s is a %s, which this test cannot set", fields.Type().Field(i).Name, f.Kind())
		}
	}
	d.Reset()
	for i := range fields.NumField() {
		name, f := fields.Type().Field(i).Name, fields.Field(i)
		switch {
		case name == "Wake":
			if d.Wake != Never {
				t.Errorf("Wake is %v", d.Wake)
			}
		case f.Kind() == reflect.Slice:
			if f.Len() > 0 || f.Cap() == 0 {
				t.Errorf("%s has %d of %d left", name, f.Len(), f.Cap())
			}
		case !f.IsZero():
			t.Errorf("%s is %v", name, f)
		}
	}
}
