package hardware

// BreakEvenPriceRatio is how many times the price of the second accelerator the first may cost
// before the second is the cheaper one for the same service: the ratio of what one of each
// serves, in requests or tokens per second. At more the second wins.
func BreakEvenPriceRatio(first, second float64) float64 { return first / second }

// BreakEvenUtilization is the share of the time from which on having an accelerator of one's own,
// or a commitment, that costs owned an hour is cheaper than rent for the hours that it is used;
// false where it never is.
func BreakEvenUtilization(owned, rent float64) (float64, bool) {
	if owned > rent {
		return 1, false
	}
	return owned / rent, true
}

// CommitQuantile is up to which quantile of the load over time to commit, at a committed price below
// that on demand, and to rent the rest on demand: an accelerator that is needed for less than
// committed/onDemand of the time is cheaper on demand.
func CommitQuantile(committed, onDemand float64) float64 { return max(0, 1-committed/onDemand) }
