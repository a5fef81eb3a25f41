// Package ids keeps a value for each of many IDs. Where IDs are counted from 0 on, as those of traces and
// workloads are, they lead to it through an array, which takes a fraction of the time of a search in a map; any
// others through a map.
//
// It knows numbers. It must not know what they name.
package ids

const (
	pageSize = 32                 // IDs that follow each other are together in memory, and where there is none of them they take nothing
	nearest  = 1 << 20            // pages at most: there are traces with hashes for IDs
	far      = nearest * pageSize // the first ID without a page
)

// Table is the values of IDs. An ID without one has the zero value. A Table that is zero is empty.
type Table[T comparable] struct {
	pages  []*page[T]
	others map[int]T // of IDs that no page has
}

// page is the values of IDs that follow each other.
type page[T comparable] struct {
	values [pageSize]T
	used   int // of them not zero
}

// At is the value of an ID.
func (t *Table[T]) At(id int) T {
	if i := uint(id) / pageSize; i < uint(len(t.pages)) {
		if p := t.pages[i]; p != nil {
			return p.values[uint(id)%pageSize]
		}
		var none T
		return none
	}
	return t.others[id]
}

// Put gives an ID a value.
func (t *Table[T]) Put(id int, value T) {
	var none T
	switch near := uint(id) < far; {
	case near:
		t.putNear(id, value)
	case value == none:
		delete(t.others, id)
	default:
		if t.others == nil {
			t.others = map[int]T{}
		}
		t.others[id] = value
	}
}

// putNear is Put for an ID with a page, which is there as long as it has values.
func (t *Table[T]) putNear(id int, value T) {
	var none T
	i := id / pageSize
	if i >= len(t.pages) {
		if value == none {
			return
		}
		t.pages = append(t.pages, make([]*page[T], i+1-len(t.pages))...)
	}
	p := t.pages[i]
	if p == nil {
		if value == none {
			return
		}
		p = &page[T]{}
		t.pages[i] = p
	}
	of := &p.values[id%pageSize]
	switch {
	case *of == none && value != none:
		p.used++
	case *of != none && value == none:
		p.used--
	}
	if *of = value; p.used == 0 {
		t.pages[i] = nil
	}
}

// All hands on the IDs that have a value, in no order, until yield wants no more.
func (t *Table[T]) All(yield func(id int, value T) bool) {
	var none T
	for i, p := range t.pages {
		if p == nil {
			continue
		}
		for k, value := range p.values {
			if value != none && !yield(i*pageSize+k, value) {
				return
			}
		}
	}
	for id, value := range t.others {
		if !yield(id, value) {
			return
		}
	}
}
