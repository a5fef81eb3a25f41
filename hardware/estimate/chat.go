package estimate

// A chat feels instant when its first token comes within instantTTFT and the
// others come faster than people read: rules of thumb. A second is about how
// long a pause can be before it interrupts a user's flow of thought (J. Nielsen,
// Usability Engineering, 1993). Ten tokens per second is twice what MLPerf
// Inference asks of a chat with Llama-2-70B, 200 ms a token, as the pace of a
// reader.
const (
	instantTTFTMS          = 1000
	readingTokensPerSecond = 10
)

// Chat is what a single user of the replica sees, and what a second one would
// change.
type Chat struct {
	TTFTMS          float64 `json:"ttft_ms"`
	TokensPerSecond float64 `json:"tokens_per_second"`
	FeelsInstant    bool    `json:"feels_instant"` // TTFT up to 1 s, and 10 tokens per second or more

	// WithSecond is the rate of each of two chats that generate at once; absent
	// where the KV cache has no room for the second.
	WithSecond *float64 `json:"tokens_per_second_with_second,omitempty"`
}

func (m *deployed) chat(q Question) *Chat {
	q.Batch = 1
	ttft := m.serve(q).TTFTMS
	_, alone := m.decodeStep(&q, 1)
	rate := 1 / float64(alone)
	c := &Chat{TTFTMS: ttft, TokensPerSecond: rate,
		FeelsInstant: ttft <= instantTTFTMS && rate >= readingTokensPerSecond}
	if m.users(q.Length()) > 1 {
		_, both := m.decodeStep(&q, 2)
		second := 1 / float64(both)
		c.WithSecond = &second
	}
	return c
}
