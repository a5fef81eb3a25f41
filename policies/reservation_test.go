package policies

import "testing"

func TestReservations(t *testing.T) {
	for _, c := range []struct {
		name           string
		reserve        Reservation
		prompt, output int
		want           int
	}{
		{"paged", ReservePaged, 10, 7, 0},
		{"declared", ReserveDeclared, 10, 7, 17},
		{"max", ReserveMax(2048), 10, 7, 2048},
		{"pow2: one token", ReservePow2(100), 10, 1, 11},
		{"pow2: a power of two", ReservePow2(100), 10, 8, 18},
		{"pow2: above one", ReservePow2(100), 10, 9, 26},
		{"pow2: 25 tokens, as in the paper", ReservePow2(100), 10, 25, 42},
		{"pow2: no more than the context", ReservePow2(40), 10, 25, 40},
		{"contiguous", Contiguous(ReserveDeclared, 2048), 10, 7, 32},
		{"contiguous: a power of two", Contiguous(ReserveDeclared, 2048), 10, 6, 16},
		{"contiguous: no more than the context", Contiguous(ReserveDeclared, 2000), 1024, 1, 2000},
		{"contiguous max", Contiguous(ReserveMax(2048), 2048), 10, 7, 2048},
	} {
		if got := c.reserve(c.prompt, c.output); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
