package workloads

import (
	"math"
	"math/rand/v2"
)

// segments yields a speed and how long it holds, in wall time, one after the other without
// end.
type segments func() (speed, length float64)

// infinity is the length of the last segment.
var infinity = math.Inf(1)

// clock has a speed that is constant on each of a sequence of segments: it turns
// the time that a regular arrival process lives in into wall time. Where
// the speed is 2 arrivals come twice as fast; where it is 0 there are none.
type clock struct {
	next segments

	speed, length float64 // of the current segment
	start, inner  float64 // wall and inner time at its start
}

// wall returns the wall time of an inner time, which must not decrease from
// call to call.
func (c *clock) wall(inner float64) float64 {
	for c.speed == 0 || inner > c.inner+c.speed*c.length {
		c.start += c.length
		c.inner += c.speed * c.length
		c.speed, c.length = c.next()
	}
	return c.start + min((inner-c.inner)/c.speed, c.length)
}

// product is two speeds at the same time, of which one is a multiple of the other.
func product(a, b segments) segments {
	var speedA, speedB, leftA, leftB float64
	return func() (speed, length float64) {
		if leftA == 0 {
			speedA, leftA = a()
		}
		if leftB == 0 {
			speedB, leftB = b()
		}
		length = min(leftA, leftB)
		leftA, leftB = leftA-length, leftB-length
		return speedA * speedB, length
	}
}

// phases are alternating ON and OFF segments with exponential lengths, started
// in equilibrium. The speed in ON, (on+off)/on, makes the mean speed 1.
func phases(on, off float64, u *rand.Rand) segments {
	isOn := u.Float64() >= on/(on+off) // the first call flips it
	return func() (speed, length float64) {
		isOn = !isOn
		if isOn {
			return (on + off) / on, on * u.ExpFloat64()
		}
		return 0, off * u.ExpFloat64()
	}
}

// driftSteps is the number of segments in a correlation time.
const driftSteps = 10

// drift is a log-normal speed of mean 1 and coefficient of variation cv whose
// logarithm is a stationary Ornstein-Uhlenbeck process with correlation time
// tau, held constant for tau/10 at a time: with sigma² = ln(1+cv²) and standard
// normal x, speed = exp(sigma·x - sigma²/2) and x' = ρ·x + sqrt(1-ρ²)·n, ρ = exp(-1/10).
func drift(cv, tau float64, u *rand.Rand) segments {
	variance := math.Log1p(cv * cv)
	sigma, keep := math.Sqrt(variance), math.Exp(-1.0/driftSteps)
	fresh := math.Sqrt(1 - keep*keep)
	x := u.NormFloat64()
	return func() (speed, length float64) {
		speed = math.Exp(sigma*x - variance/2)
		x = keep*x + fresh*u.NormFloat64()
		return speed, tau / driftSteps
	}
}
