package hardware

import (
	"reflect"
	"testing"
)

// TestLookupsFindWhatTheCatalogHas: an entry that is looked up by its name, of which one file is read, is the one of the whole catalog.
func TestLookupsFindWhatTheCatalogHas(t *testing.T) {
	all, err := accelerators()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		if got := lookupAccelerator(t, want.Name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s is looked up as %+v", want.Name, got)
		}
	}
	profiles, err := engines()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range profiles {
		if got, err := LookupEngine(want.Name); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is looked up as %+v, %v", want.Name, got, err)
		}
	}
}

// TestRowsOfAnOperatorAreAll: those that are found by their operator or operation are as many as all files have.
func TestRowsOfAnOperatorAreAll(t *testing.T) {
	tables, err := efficiencyFiles.All()
	if err != nil {
		t.Fatal(err)
	}
	rows := map[Operator]int{}
	for _, table := range tables {
		rows[table.Operator] += len(table.Rows)
	}
	for op, want := range rows {
		if got, err := efficiencies(op); err != nil || len(got) != want {
			t.Errorf("%d rows of %s, %v; want %d", len(got), op, err, want)
		}
	}
	sums, err := collectiveFiles.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range sums {
		if got, err := collectives(table.Operation); err != nil || !reflect.DeepEqual(got, table.Rows) {
			t.Errorf("rows of %s: %+v, %v", table.Operation, got, err)
		}
	}
}

// TestSameArchitecture: those of one architecture that files of other vendors' or generations' have are found, in order.
func TestSameArchitecture(t *testing.T) {
	all, err := accelerators()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		var want []string
		for _, b := range all {
			if b.Architecture == a.Architecture && b.Name != a.Name {
				want = append(want, b.Name)
			}
		}
		if got := sameArchitecture(&a); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", a.Name, got, want)
		}
	}
}
