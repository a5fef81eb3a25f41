// Package strict turns parsed TOML tables into structs without forgiving
// anything: an unknown key, a value of the wrong kind, a number out of range, and a
// key that has no effect beside another one are all errors that name the key, the
// value and what is allowed.
//
// It knows struct tags. It must not know what the keys mean. The tags:
//
//	toml:"key"               the key's name; matched with regard to case
//	check:"positive"         numbers: positive, nonnegative, fraction [0,1], share (0,1]
//	most:"1000"              whole numbers: the largest that is allowed
//	oneof:"a b"              the allowed strings
//	only:"process=gamma,onoff"  the key has an effect only beside these values of a sibling;
//	                            several conditions are separated by spaces
//	required:"true"          the key must be there
//
// In oneof and only, "@name" means the strings that the struct's method
// Words(name string) []string returns: those of a table in another package, say.
//
// A struct may have SetDefaults(), called before its table is read, and
// Validate() error, called after. A type may have DecodeTOML(any) error to read
// a value itself, with EncodeTOML() any as its inverse, nil for a value that is
// not given.
package strict
