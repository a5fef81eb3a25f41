package scaling

import (
	"kneepoint/policies"
	"kneepoint/units"
)

// fixedEntry goes to sleep after five minutes, as Ollama does (OLLAMA_KEEP_ALIVE).
var fixedEntry = Entry{
	Description: policies.Description{Name: "fixed", Key: "scaler",
		Doc:  "as many replicas as the pool has, and with min_replicas = 0 none while it is idle",
		Keys: []string{"idle_timeout"}},
	Defaults: Parameters{IdleTimeout: 300},
	New:      func(p Parameters) Scaler { return fixed{p.Replicas} },
}

// fixed wants the replicas that the pool had at first. When it is idle is up to Bounds.
type fixed struct{ replicas int }

// Wanted implements Scaler.
func (f fixed) Wanted(*Signals) int { return f.replicas }

// Next implements Scaler.
func (f fixed) Next(units.Seconds) units.Seconds { return Never }
