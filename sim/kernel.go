package sim

import (
	"runtime"

	"github.com/fschuetz04/simgo"

	"kneepoint/units"
)

// kernel orders callbacks in simulated time. It is the only part of the engine that
// knows simgo.
type kernel struct {
	simulation *simgo.Simulation
	waiting    int // callbacks that are still to come
}

func newKernel() *kernel {
	return &kernel{simulation: simgo.NewSimulation()}
}

// at schedules a call of f at time t in seconds, or now if t is past. Callbacks of the
// same time run in the order in which they were scheduled.
func (k *kernel) at(t units.Seconds, f func()) {
	delay := float64(t) - k.simulation.Now()
	event := k.simulation.Event()
	// simgo aborts an event when the collector finds it unreferenced, and pays a
	// global lock for that; a scheduled callback needs neither.
	runtime.SetFinalizer(event, nil)
	event.AddHandler(func(*simgo.Event) {
		k.waiting--
		f()
	})
	k.waiting++
	event.TriggerDelayed(max(delay, 0))
}

// step runs the next callback. It is false when there is none.
func (k *kernel) step() bool { return k.simulation.Step() }
