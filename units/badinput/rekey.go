package badinput

import "errors"

// Under puts the name of a table before the key of wrong input that is in the
// table. Other errors, and nil, stay as they are.
func Under(table string, err error) error {
	return changed(err, func(e *Error) *Error { return e.Under(table) })
}

// At says that wrong input is the value of key, whatever key it had. Other
// errors, and nil, stay as they are.
func At(key string, err error) error {
	return changed(err, func(e *Error) *Error {
		c := *e
		c.Key = key
		return &c
	})
}

// In names the file of wrong input that names none yet. Other errors, and nil,
// stay as they are.
func In(file string, err error) error {
	return changed(err, func(e *Error) *Error { return e.In(file) })
}

// changed applies change to wrong input.
func changed(err error, change func(*Error) *Error) error {
	var bad *Error
	if errors.As(err, &bad) {
		return change(bad)
	}
	return err
}
