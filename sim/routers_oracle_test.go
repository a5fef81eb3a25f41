package sim

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"kneepoint/internal/effort"
)

// parseKnown reads a mean of a table, as 3.237(8) where 8 is the standard error of its last digit.
func parseKnown(t *testing.T, text string) known {
	t.Helper()
	digits, rest, simulated := strings.Cut(text, "(")
	mean, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		t.Fatal(err)
	}
	if !simulated {
		return known{mean, 0}
	}
	last, err := strconv.ParseFloat(strings.TrimSuffix(rest, ")"), 64)
	if err != nil {
		t.Fatal(err)
	}
	_, decimals, _ := strings.Cut(digits, ".")
	return known{mean, last * math.Pow10(-len(decimals))}
}

// TestRoutersOverServers: the mean time in system of exponential services, first come first
// served. With a random replica each is an M/M/1 queue, 1/(1-ρ); in turn an E_n/M/1
// queue; to the shorter of two queues a matrix-geometric solution (Adan, Wessels and Zijm,
// Stochastic Models 6, 1990). The others were simulated as jump chains of the numbers
// in system, of 20 seeds.
func TestRoutersOverServers(t *testing.T) {
	effort.Whole(t)
	loads := []float64{0.5, 0.7, 0.8, 0.9, 0.95, 0.99}
	for _, row := range []struct {
		router string
		n      int
		want   string
	}{
		{"random", 10, "2 3.3333 5 10 20"},
		{"round-robin", 2, "1.6180 2.6006 3.8440 7.5883 15.0857"},
		{"round-robin", 4, "1.4325 2.2367 3.2674 6.3830 12.6289"},
		{"round-robin", 10, "1.3246 2.0198 2.9223 5.6603 11.1549"},
		{"least-requests", 2, "1.4263 2.1082 2.9557 5.4749 10.4866 50.4972"},
		{"least-requests", 4, "1.1577(22) 1.5127(22) 1.9503(22) 3.237(8) 5.75(3) 25.9(3)"},
		{"least-requests", 10, "1.0238(22) 1.1605(22) 1.3554(22) 1.910(3) 2.939(8) 11.1(2)"},
		{"least-requests", 100, "1.0000(22) 1.0000(22) 1.0060(22) 1.066(1) 1.223(4) 2.18(4)"},
		{"power-of-two", 4, "1.3239(22) 1.7969(22) 2.3279(22) 3.756(8) 6.42(2) 26.9(5)"},
		{"power-of-two", 10, "1.2855(22) 1.6776(22) 2.0749(22) 2.982(4) 4.36(1) 13.0(2)"},
		{"power-of-two", 100, "1.2665(22) 1.6193(22) 1.9576(22) 2.649(3) 3.458(6) 5.93(3)"},
	} {
		for i, text := range strings.Fields(row.want) {
			t.Run(fmt.Sprintf("%s of %d at %v", row.router, row.n, loads[i]), func(t *testing.T) {
				q := servers{n: row.n, load: loads[i], law: memoryless, router: row.router}
				q.check(t, parseKnown(t, text))
			})
		}
	}
}
