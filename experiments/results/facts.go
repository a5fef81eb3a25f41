package results

import (
	"fmt"
	"strings"
)

// Facts are what people ask first about an experiment, as tables and figures name it:
// of what, on what, under which traffic. They are for reading: no result depends on
// them. A zero field is not known.
type Facts struct {
	Deployment              // that the file describes, before strategies' own
	Strategies []Deployment `json:"strategies"` // of each strategy, its overrides included
	Traffic    Traffic      `json:"traffic"`
	Limits     []Limits     `json:"limits,omitempty"` // that engines gave, each once, in order of points
}

// Deployment is a model on accelerators under an engine, by names of the catalogs.
type Deployment struct {
	Model       string `json:"model"`
	Weights     string `json:"weights"` // precision, like "bf16"
	Accelerator string `json:"accelerator"`
	Engine      string `json:"engine"`          // profile
	TP          int    `json:"tp"`              // tensor parallelism
	PP          int    `json:"pp"`              // pipeline parallelism
	DP          int    `json:"dp"`              // attention data parallelism
	EP          int    `json:"ep"`              // expert parallelism
	Replicas    int    `json:"replicas"`        // each of all these accelerators
	Fleet       string `json:"fleet,omitempty"` // in words: the replicas, pool by pool; empty: one replica
}

// Common is what two deployments have in common: what differs is not known.
func (d Deployment) Common(other Deployment) Deployment {
	return Deployment{
		Model:       common(d.Model, other.Model),
		Weights:     common(d.Weights, other.Weights),
		Accelerator: common(d.Accelerator, other.Accelerator),
		Engine:      common(d.Engine, other.Engine),
		TP:          common(d.TP, other.TP),
		PP:          common(d.PP, other.PP),
		DP:          common(d.DP, other.DP),
		EP:          common(d.EP, other.EP),
		Replicas:    common(d.Replicas, other.Replicas),
		Fleet:       common(d.Fleet, other.Fleet),
	}
}

func common[T comparable](a, b T) (both T) {
	if a == b {
		both = a
	}
	return both
}

// Limits are the sizes of a strategy's batch that its file leaves to the engine, whose
// profile has them by accelerator. 0 where the file states one, or none is needed.
type Limits struct {
	Strategy            string `json:"strategy"`
	Pool                string `json:"pool,omitempty"` // of the strategy's fleet; empty: it has none
	Engine              string `json:"engine"`
	Accelerator         string `json:"accelerator,omitempty"` // empty: not known
	MaxNumSeqs          int    `json:"max_num_seqs,omitempty"`
	MaxNumBatchedTokens int    `json:"max_num_batched_tokens,omitempty"`
}

// Whose are the limits: a strategy's, or those of a pool of its fleet.
func (l Limits) Whose() string {
	if l.Pool == "" {
		return l.Strategy
	}
	return l.Strategy + " (" + l.Pool + ")"
}

// Text is what was taken, and from whom.
func (l Limits) Text() string {
	var taken []string
	if l.MaxNumSeqs > 0 {
		taken = append(taken, fmt.Sprintf("max_num_seqs %d", l.MaxNumSeqs))
	}
	if l.MaxNumBatchedTokens > 0 {
		taken = append(taken, fmt.Sprintf("max_num_batched_tokens %d", l.MaxNumBatchedTokens))
	}
	text := fmt.Sprintf("%s, as %s has it", strings.Join(taken, ", "), l.Engine)
	if l.Accelerator == "" {
		return text + " where the accelerator is not known"
	}
	return text + " on " + l.Accelerator
}

// Traffic is where requests come from. Of swept variables it has the first value.
type Traffic struct {
	Workload       string  `json:"workload,omitempty"` // name of a built-in one
	Trace          string  `json:"trace,omitempty"`    // path of a file
	Input          Lengths `json:"input,omitzero"`
	Output         Lengths `json:"output,omitzero"`
	SharedPrefix   int     `json:"shared_prefix,omitempty"` // tokens that prompts have in common
	Process        string  `json:"process,omitempty"`       // of arrivals
	Rate           float64 `json:"rate,omitempty"`          // requests or conversations per second; 0 with stages and ramps
	Profile        string  `json:"profile,omitempty"`       // how the rate changes by design: stages, hourly, ramp
	LowestRate     float64 `json:"lowest_rate,omitempty"`   // that it then has
	HighestRate    float64 `json:"highest_rate,omitempty"`
	Stages         int     `json:"stages,omitempty"`
	Burstiness     float64 `json:"burstiness,omitempty"`      // shape of the gamma law of gaps, 1 for Poisson; 0: they have no such law
	Concurrency    int     `json:"concurrency,omitempty"`     // clients of a closed loop
	MaxConcurrency int     `json:"max_concurrency,omitempty"` // requests that clients let be in flight; 0: no limit
	Conversations  bool    `json:"conversations,omitempty"`   // requests follow each other's answers
	Users          int     `json:"users,omitempty"`           // who hold conversations
	OwnArrivals    bool    `json:"own_arrivals,omitempty"`    // a class of clients has arrivals of its own
	OwnObjectives  bool    `json:"own_objectives,omitempty"`  // a class of clients has bounds of its own
}

// Lengths is a law of lengths.
type Lengths struct {
	Law  string  `json:"law"`            // like "lognormal"
	Mean float64 `json:"mean,omitempty"` // in tokens: the given one, or that of draws where the law is given otherwise
}
