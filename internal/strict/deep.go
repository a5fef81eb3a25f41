package strict

// Deepest is how many tables and lists may be within each other. A parser that calls
// itself for each runs out of stack, which ends the program.
const Deepest = 1000

// TooDeep tells whether the text of a TOML file has more tables and lists within each
// other than Deepest, by its brackets and the dots of its keys. It does not look for
// quotes: text has none that many either.
func TooDeep(text string) bool {
	dots, depth := []int{0}, 0 // dots of the present key or number, by open bracket; the sum and the brackets
	for _, c := range []byte(text) {
		last := len(dots) - 1
		switch {
		case c == '[' || c == '{':
			dots = append(dots, 0)
			depth++
		case c == '.':
			dots[last]++
			depth++
		case c == ',' || c == '\n' && last == 0:
			depth -= dots[last]
			dots[last] = 0
		case (c == ']' || c == '}') && last > 0:
			depth -= dots[last] + 1
			dots = dots[:last]
		}
		if depth > Deepest {
			return true
		}
	}
	return false
}
