// Package crash turns a panic, which is a fault of kneepoint itself, into an error that
// can be told from what users did wrong.
//
// It knows what a panic leaves behind. It must not know who catches it.
package crash

import (
	"fmt"
	"runtime/debug"
)

// Error is a panic that was caught. Its text has the stack, so over several lines.
type Error struct {
	Value any // of the panic
	Stack []byte
}

// Error is what went wrong, and where.
func (e *Error) Error() string {
	return fmt.Sprintf("crashed: %v\nThis is a fault of kneepoint: please report it, with the command and its files.\n%s", e.Value, e.Stack)
}

// Catch is deferred: a panic of the function that defers it becomes its error.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Value: p, Stack: debug.Stack()}
	}
}
