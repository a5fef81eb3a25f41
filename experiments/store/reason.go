package store

import (
	"context"
	"errors"
	"net"
	"time"

	"kneepoint/units/badinput"
)

// patience is how long a bucket may take to answer, with all that its driver tries again.
const patience = time.Minute

// errGone is the error of a folder or bucket that was a store when it was opened.
var errGone = errors.New("it is gone: what was the store has no mark of one any more")

// answer is what the API of a cloud says: smithy.APIError of AWS.
type answer interface {
	error
	ErrorCode() string
	ErrorMessage() string
}

// reason is what is at the bottom of a driver's error, which tells of every layer above it.
func reason(err error) string {
	var network *net.OpError
	var said answer
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer within " + patience.String()
	case errors.As(err, &network):
		return network.Error()
	case errors.As(err, &said):
		return said.ErrorCode() + ": " + said.ErrorMessage()
	}
	return badinput.Reason(err)
}
