// Package imports keeps the house in order: the direction of imports between
// kneepoint's packages, what each says of itself, and the size of files. It holds
// only tests.
//
// It knows the rooms and who may enter. It must not know what is done in them.
package imports
