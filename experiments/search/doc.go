// Package search finds the largest load at which enough requests meet their
// objective, and how sure that is.
//
// It knows scenarios as functions of a load, runs them, and looks at which of their
// requests met the objective. It must not know how an experiment is written, which
// variable the load is, or how results are told: what it found is results.Searched,
// of which results make the knee.
//
// The pipeline: a sampler simulates replications at a load; a look (look.go) leaves out
// their warm-up, asks how long misses last (memory.go), and says whether the
// load meets the target, misses it, or cannot be told; the pilot (pilot.go) brackets the knee and bisects, with runs as long as it takes to
// tell; the probes (probe.go) are fresh runs at loads around it, as long as the
// tolerance asks for, and of them alone the interval is made. Every replication has its
// own random numbers, the same for all strategies. The pilot has the same at all loads, so that the
// attainment of a replication hardly ever rises with the load; the probes have others at each,
// which together tell twice as much of the knee.
package search
