package experiments

import (
	"kneepoint/hardware"
	"kneepoint/units"
	"kneepoint/units/badinput"
)

// TransferSpec is the [fleet.transfer] table: how keys and values come from pools that
// prefill to those that decode.
type TransferSpec struct {
	Link      string               `toml:"link" oneof:"@interconnects"`
	Bandwidth units.BytesPerSecond `toml:"bandwidth" check:"positive"` // of the link of each accelerator; 0: that of Link
	Latency   units.Seconds        `toml:"latency" check:"nonnegative"`
	Per       string               `toml:"per" oneof:"replica fleet"`
	When      string               `toml:"when" oneof:"end layerwise"`
	Mode      string               `toml:"mode" oneof:"pull push reserve"`
	MinTokens int                  `toml:"min_tokens" check:"nonnegative"`

	// From which on the queue of a replica is long; 0: none is.
	MaxPendingTokens   int `toml:"max_pending_tokens" check:"nonnegative"`
	MaxPendingRequests int `toml:"max_pending_requests" check:"nonnegative"`
}

// SetDefaults is what vLLM's NIXL connector does: the replica that decodes pulls, once the
// prompt is computed, over links of each replica's own.
func (t *TransferSpec) SetDefaults() { t.Per, t.When, t.Mode = "replica", "end", "pull" }

// Words are the names in the catalog of interconnects.
func (*TransferSpec) Words(string) []string { return hardware.Interconnects() }

// Validate refuses two links, and layers that are sent to nobody.
func (t *TransferSpec) Validate() error {
	switch {
	case t.Link != "" && t.Bandwidth > 0:
		return &badinput.Error{Key: "bandwidth", Problem: "has no effect beside link", Allowed: "one of them"}
	case t.When == "layerwise" && t.Mode != "reserve":
		return &badinput.Error{Key: "when", Value: t.When, Problem: "while a prompt is computed, nobody knows which replica decodes",
			Allowed: `end, or mode = "reserve"`}
	}
	return nil
}

// bandwidth is that of the link of each accelerator; 0: the table names none.
func (t *TransferSpec) bandwidth() (units.BytesPerSecond, error) {
	if t.Link == "" {
		return t.Bandwidth, nil
	}
	link, err := hardware.LookupInterconnect(t.Link)
	return link.Bandwidth, badinput.Under("fleet.transfer.link", err)
}
