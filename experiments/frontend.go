package experiments

import "kneepoint/units/badinput"

// FrontendSpec is the [strategy.frontend] table.
type FrontendSpec struct {
	Pipelined bool  `toml:"pipelined"`                                         // front-end work runs beside the steps, not in their thread
	Threads   int   `toml:"threads" check:"nonnegative" only:"pipelined=true"` // 0: no limit
	TokenIDs  bool  `toml:"token_ids"`                                         // prompts come as token ids, and nobody tokenizes them
	Stream    *bool `toml:"stream"`                                            // tokens are sent as they come; nil: as the engine does
}

// SetDefaults is a front end that is never short of threads.
func (f *FrontendSpec) SetDefaults() { *f = FrontendSpec{Pipelined: true} }

// CompressionSpec is the [strategy.compression] table: tokens before over tokens
// after, and the speed in tokens before (see sim.Compression).
type CompressionSpec struct {
	Ratio           float64 `toml:"ratio" required:"true"`
	TokensPerSecond float64 `toml:"tokens_per_second" required:"true" check:"positive"`
}

// Validate refuses a ratio that would lengthen prompts, and a speed that is more
// likely a mistake of unit.
func (c *CompressionSpec) Validate() error {
	if c.Ratio < 1 {
		return &badinput.Error{
			Key:     "ratio",
			Value:   c.Ratio,
			Problem: "would lengthen prompts",
			Allowed: "1 or more: tokens before over tokens after",
		}
	}
	if c.TokensPerSecond < 1 {
		return &badinput.Error{Key: "tokens_per_second", Value: c.TokensPerSecond, Problem: "slower than a token a second", Allowed: "1 or more"}
	}
	return nil
}
