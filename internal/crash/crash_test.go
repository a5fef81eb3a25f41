package crash

import (
	"errors"
	"strings"
	"testing"
)

func fails(with any) (err error) {
	defer Catch(&err)
	if with != nil {
		panic(with)
	}
	return nil
}

func TestCatch(t *testing.T) {
	if err := fails(nil); err != nil {
		t.Errorf("an error without a panic: %v", err)
	}
	var crash *Error
	if err := fails("index out of range"); !errors.As(err, &crash) || !strings.Contains(err.Error(), "index out of range") ||
		!strings.Contains(err.Error(), "crash_test.go") {
		t.Errorf("%v, want the panic and where it was", err)
	}
}
