package scenario

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"kneepoint/units"
	"kneepoint/workloads"
)

// everything is a scenario without a field that is zero.
func everything(t *testing.T) *Scenario {
	t.Helper()
	var s Scenario
	fillFields(t, "Scenario", reflect.ValueOf(&s).Elem())
	return &s
}

// fillFields gives every field of a value something that is not zero.
func fillFields(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if !v.CanSet() {
		t.Fatalf("%s is not exported: nobody else could set it", path)
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillFields(t, path, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			fillFields(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillFields(t, path+"[0]", v.Index(0))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		fillFields(t, path+"[key]", value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.Interface: // of keys that are not supported yet
	default:
		change(t, path, v)
	}
}

// change makes a plain value another one.
func change(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	switch {
	case v.Kind() == reflect.String:
		v.SetString(v.String() + "x")
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() + 1)
	case v.CanUint():
		v.SetUint(v.Uint() + 1)
	case v.CanFloat():
		v.SetFloat(v.Float() + 1)
	default:
		t.Fatalf("%s is a %s, which is no plain value", path, v.Type())
	}
}

// changes calls visit after each of all changes of one part of a value, which it
// then undoes: other values, one more in a list or a map, nothing behind a pointer.
func changes(t *testing.T, path string, v reflect.Value, visit func(path string)) {
	t.Helper()
	old := reflect.New(v.Type()).Elem()
	old.Set(v)
	with := func(other reflect.Value, what string) {
		v.Set(other)
		visit(path + what)
		v.Set(old)
	}
	switch v.Kind() {
	case reflect.Pointer:
		changes(t, path, v.Elem(), visit)
		with(reflect.Zero(v.Type()), " removed")
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; !slices.Contains(provenance, name) {
				changes(t, path+"."+name, v.Field(i), visit)
			}
		}
	case reflect.Slice:
		changes(t, path+"[0]", v.Index(0), visit)
		with(reflect.Append(v, v.Index(0)), " longer")
		with(reflect.Zero(v.Type()), " removed")
	case reflect.Map:
		other := reflect.MakeMap(v.Type())
		other.SetMapIndex(reflect.ValueOf("another key"), v.MapIndex(reflect.ValueOf("key")))
		with(other, " under another key")
		with(reflect.Zero(v.Type()), " removed")
	case reflect.Interface:
	default:
		change(t, path, v)
		visit(path)
		v.Set(old)
	}
}

// TestEveryFieldIsInTheKey: whatever changes in a scenario changes its key, and a
// change that is undone changes it back.
func TestEveryFieldIsInTheKey(t *testing.T) {
	s := everything(t)
	seen := map[string]string{s.Key(): "nothing"}
	n := 0
	changes(t, "Scenario", reflect.ValueOf(s).Elem(), func(path string) {
		n++
		if other, known := seen[s.Key()]; known {
			t.Errorf("a change of %s leaves the key of %s", path, other)
		}
		seen[s.Key()] = path
	})
	if n < 200 {
		t.Errorf("only %d changes were made", n)
	}
	if seen[s.Key()] != "nothing" {
		t.Error("equal scenarios have different keys")
	}
}

// TestProvenanceIsNotInTheKey: texts that say where numbers come from change no
// key, since they change no outcome.
func TestProvenanceIsNotInTheKey(t *testing.T) {
	s := everything(t)
	before := s.Key()
	d := s.Pools[0].Deployment.Roofline
	d.Accelerator.Source, d.Accelerator.Provenance = "elsewhere", map[string]string{"memory": "elsewhere"}
	d.Engine.Estimated, d.Engine.Sources = nil, nil
	d.Architecture.Note, d.Architecture.Aliases = "", nil
	if s.Key() != before {
		t.Error("another source is another key")
	}
}

// TestZeroIsNotNothing: a zero that was chosen has other bytes than a field that is left
// out, and so have infinities and large numbers; an empty list is no list.
func TestZeroIsNotNothing(t *testing.T) {
	zero := 0.0
	scenarios := []Scenario{
		{},
		{Traffic: workloads.Spec{Client: []workloads.ClientSpec{{}}}},
		{Traffic: workloads.Spec{Client: []workloads.ClientSpec{{SLO: workloads.ClientSLO{TTFTms: &zero}}}}},
		{Traffic: workloads.Spec{Arrival: &workloads.ArrivalSpec{}}},
		{Traffic: workloads.Spec{Arrival: &workloads.ArrivalSpec{Rate: workloads.Rate(math.Inf(1))}}},
		{Traffic: workloads.Spec{Arrival: &workloads.ArrivalSpec{Rate: math.MaxFloat64}}},
	}
	seen := map[string]int{}
	for i := range scenarios {
		if twin, known := seen[scenarios[i].Key()]; known {
			t.Errorf("scenarios %d and %d have the same key", twin, i)
		}
		seen[scenarios[i].Key()] = i
	}
	empty := Scenario{Pools: []Pool{}}
	if empty.Key() != scenarios[0].Key() {
		t.Error("an empty list is another key than none")
	}
}

// TestKeyIsOfTheValue: scenarios that were made apart, with pointers and maps of
// their own, have the same bytes.
func TestKeyIsOfTheValue(t *testing.T) {
	made := func(order ...string) *Scenario {
		s, floors := everything(t), map[string]units.Seconds{}
		for _, architecture := range order {
			floors[architecture] = 1
		}
		s.Pools[0].Deployment.Roofline.Engine.LaunchFloorByArchitecture = floors
		return s
	}
	a, b := made("hopper", "ampere", "ada"), made("ada", "hopper", "ampere")
	if string(a.Bytes()) != string(b.Bytes()) {
		t.Errorf("equal scenarios have the bytes\n%s\n%s", a.Bytes(), b.Bytes())
	}
}
