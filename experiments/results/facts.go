package results

// Facts are what people ask first about an experiment, as tables and figures
// name it: of what, on what, under which traffic. A zero field is not known.
type Facts struct {
	Deployment              // that the file describes, before strategies' own
	Strategies []Deployment `json:"strategies"` // of each strategy, its overrides included
	Traffic    Traffic      `json:"traffic"`
}

// Deployment is a model on accelerators under an engine.
type Deployment struct {
	Model       string `json:"model"`
	Weights     string `json:"weights"` // precision
	Accelerator string `json:"accelerator"`
	Engine      string `json:"engine"`
	TP          int    `json:"tp"`
	PP          int    `json:"pp"`
	DP          int    `json:"dp"`
	EP          int    `json:"ep"`
	Replicas    int    `json:"replicas"`
}

// Traffic is where requests come from. Of swept variables it has the first value.
type Traffic struct {
	Workload      string  `json:"workload,omitempty"` // built-in
	Trace         string  `json:"trace,omitempty"`    // path
	Input         Lengths `json:"input,omitzero"`
	Output        Lengths `json:"output,omitzero"`
	SharedPrefix  int     `json:"shared_prefix,omitempty"` // tokens that prompts have in common
	Process       string  `json:"process,omitempty"`       // of arrivals
	Rate          float64 `json:"rate,omitempty"`          // requests or conversations per second
	Concurrency   int     `json:"concurrency,omitempty"`   // clients of a closed loop
	Conversations bool    `json:"conversations,omitempty"`
	Users         int     `json:"users,omitempty"`          // who hold conversations
	OwnObjectives bool    `json:"own_objectives,omitempty"` // a class of clients has bounds of its own
}

// Lengths is a law of lengths in tokens.
type Lengths struct {
	Law  string  `json:"law"`
	Mean float64 `json:"mean,omitempty"` // 0 where the law is not given by it
}
