package policies

import "slices"

// Description is what a table of policies says of each entry.
type Description struct {
	Name string // the value in an experiment file
	Key  string // the key of [[strategy]] that takes it
	Doc  string
	Keys []string // the other keys of [[strategy]] that it reads
}

// Described is an entry of a table: a type that embeds a Description.
type Described interface{ Describe() Description }

// Describe implements Described.
func (d Description) Describe() Description { return d }

// Reads tells whether the entry reads a key of [[strategy]].
func (d Description) Reads(key string) bool { return slices.Contains(d.Keys, key) }

// Names are the names of a table's entries, in its order.
func Names[E Described](table []E) []string {
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.Describe().Name
	}
	return names
}

// Find returns the entry of a table that has the name; false when none has.
func Find[E Described](table []E, name string) (E, bool) {
	i := slices.IndexFunc(table, func(e E) bool { return e.Describe().Name == name })
	if i < 0 {
		var none E
		return none, false
	}
	return table[i], true
}

// Where returns the entries of a table that have a trait.
func Where[E any](table []E, has func(E) bool) []E {
	return slices.DeleteFunc(slices.Clone(table), func(e E) bool { return !has(e) })
}

// Catalog describes every policy of every table.
func Catalog() []Description {
	all := []Description{{
		Name: "continuous", Key: "batching", Doc: "requests join and leave the batch at every step; paged KV memory",
		Keys: []string{"scheduler", "max_num_seqs", "max_num_batched_tokens", "order", "preemption", "reserve"},
	}}
	all = describe(all, Schedulers)
	all = describe(all, Orders)
	all = describe(all, Reservations)
	all = describe(all, Evictions)
	return describe(all, SpeculationMethods)
}

// describe appends the descriptions of a table's entries.
func describe[E Described](all []Description, table []E) []Description {
	for _, e := range table {
		all = append(all, e.Describe())
	}
	return all
}
