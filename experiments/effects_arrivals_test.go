package experiments_test

import (
	"fmt"
	"strings"
)

// addArrivals adds the keys of a process of arrivals at a place. A client's own can have
// no other times than those of a rate.
func addArrivals(all map[string]effect, place, with string) {
	path := strings.Replace(place, "workload.client.", "workload.client.x.", 1)
	add := func(key, from, to string) {
		all[place+"."+key] = effect{with: with, from: fmt.Sprintf("%s={%s}", path, from), to: fmt.Sprintf("%s={%s}", path, to)}
	}
	const poisson, gamma, onoff, closed = `process="poisson", rate=60`, `process="gamma", rate=60, `, `process="onoff", rate=60, on="100ms", `, `process="closed", concurrency=4`
	add("process", poisson, `process="constant", rate=60`)
	add("rate", poisson, `process="poisson", rate=30`)
	add("burstiness", gamma+`burstiness=0.5`, gamma+`burstiness=0.2`)
	add("cv", gamma+`cv=2`, gamma+`cv=3`)
	add("on", `process="onoff", rate=60, on="100ms", off="100ms"`, `process="onoff", rate=60, on="50ms", off="100ms"`)
	add("off", onoff+`off="100ms"`, onoff+`off="300ms"`)
	add("modulation.cv", poisson+`, modulation={cv=0.5, tau="1s"}`, poisson+`, modulation={cv=0.9, tau="1s"}`)
	add("modulation.tau", poisson+`, modulation={cv=0.5, tau="1s"}`, poisson+`, modulation={cv=0.5, tau="100ms"}`)
	const stages, ramp = `stages=[{rate=60, duration="100ms"}, {rate=20, duration="1s"}]`, `ramp={strategy="linear", start_rps=20, end_rps=90}`
	hourly := `process="poisson", rate=60, hour="50ms", hourly=[9` + strings.Repeat(", 1", 23) + "]"
	add("stages.rate", stages, strings.Replace(stages, "rate=20", "rate=30", 1))
	add("stages.duration", stages, strings.Replace(stages, "100ms", "200ms", 1))
	add("hourly", hourly, strings.Replace(hourly, "[9", "[8", 1))
	add("hour", hourly, strings.Replace(hourly, "50ms", "70ms", 1))
	add("ramp.strategy", ramp, strings.Replace(ramp, "linear", "exponential", 1))
	add("ramp.start_rps", ramp, strings.Replace(ramp, "20", "30", 1))
	add("ramp.end_rps", ramp, strings.Replace(ramp, "90", "80", 1))
	add("normalize", poisson, poisson+`, normalize=true`)
	add("max_concurrency", poisson, poisson+`, max_concurrency=2`)
	add("concurrency", closed, `process="closed", concurrency=2`)
	add("think_time", closed, closed+`, think_time="500ms"`)
	add("start", closed+`, think_time="500ms"`, closed+`, think_time="500ms", start="at_once"`)
	if with == "" {
		return
	}
	for _, key := range []string{"normalize", "max_concurrency"} {
		e := all[place+"."+key]
		e.refused = true
		all[place+"."+key] = e
	}
	for _, key := range []string{"strategy", "start_rps", "end_rps"} {
		all[place+".ramp."+key] = effect{with: with, to: fmt.Sprintf("%s={%s}", path, ramp), refused: true}
	}
	// A closed loop is no process of a client.
	for key, value := range map[string]string{"concurrency": `3`, "think_time": `"1s"`, "start": `"at_once"`} {
		all[place+"."+key] = effect{with: with, to: fmt.Sprintf("%s={%s, %s=%s}", path, poisson, key, value), refused: true}
	}
}
