package calibrate

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"kneepoint/sim/metrics"
	"kneepoint/units/badinput"
)

// benchResult is a result as vLLM writes it; times in seconds, statistics in
// milliseconds.
type benchResult struct {
	Model          string     `json:"model_id"`
	Rate           benchRate  `json:"request_rate"`
	Burstiness     *benchRate `json:"burstiness"`
	MaxConcurrency *int       `json:"max_concurrency"`
	RampUp         *string    `json:"ramp_up_strategy"`
	Completed      int        `json:"completed"`
	Failed         int        `json:"failed"`
	InputTokens    int64      `json:"total_input_tokens"`
	OutputTokens   int64      `json:"total_output_tokens"`

	InputLens  []int       `json:"input_lens"`
	OutputLens []int       `json:"output_lens"`
	TTFTs      []float64   `json:"ttfts"`
	ITLs       [][]float64 `json:"itls"`
	Latencies  []float64   `json:"latencies"` // of later versions, which say more than the sum of itls
	StartTimes []float64   `json:"start_times"`
	QueueTimes []float64   `json:"queue_times"`

	TTFT float64 `json:"median_ttft_ms"`
	TPOT float64 `json:"median_tpot_ms"`
	E2EL float64 `json:"median_e2el_ms"`
}

// benchRate is a number, such as of requests per second, or the string "inf".
type benchRate float64

// UnmarshalJSON implements json.Unmarshaler.
func (b *benchRate) UnmarshalJSON(text []byte) error {
	if string(text) == `"inf"` {
		*b = benchRate(math.Inf(1))
		return nil
	}
	return json.Unmarshal(text, (*float64)(b))
}

// bench checks a result, and is what a simulation needs of it. What is wrong is a
// *badinput.Error with the key of the result.
func (r *benchResult) bench() (*Bench, error) {
	b := &Bench{Model: r.Model, Rate: float64(r.Rate), Burstiness: 1, Measured: map[string]float64{}}
	if r.Burstiness != nil {
		b.Burstiness = float64(*r.Burstiness)
	}
	if r.MaxConcurrency != nil {
		b.MaxConcurrency = *r.MaxConcurrency
	}
	if err := r.check(b); err != nil {
		return nil, err
	}
	if len(r.InputLens) == 0 {
		r.setAggregated(b)
	} else if err := r.setDetailed(b); err != nil {
		return nil, err
	}
	for _, key := range Metrics {
		if x := b.Measured[key]; !(x > 0) || math.IsInf(x, 0) {
			delete(b.Measured, key)
		}
	}
	if len(b.Measured) == 0 || b.Count == 0 {
		return nil, &badinput.Error{
			Problem: "has no latencies",
			Allowed: "median_ttft_ms and median_tpot_ms, or the arrays that --save-detailed writes",
		}
	}
	return b, nil
}

// check refuses results that a simulation could not repeat.
func (r *benchResult) check(b *Bench) error {
	total := r.Completed + r.Failed
	switch {
	case r.Failed < 0 || r.Failed > mostTokens:
		return &badinput.Error{Key: "failed", Value: r.Failed, Problem: "not a number of requests", Allowed: "a whole number from 0"}
	case r.Completed < 1 || r.Completed > mostTokens:
		return &badinput.Error{
			Key:     "completed",
			Value:   r.Completed,
			Problem: "not a number of completed requests",
			Allowed: "a result of `vllm bench serve --save-result`",
		}
	case float64(r.Failed) > mostFailures*float64(total):
		return &badinput.Error{
			Key:     "failed",
			Value:   r.Failed,
			Problem: fmt.Sprintf("too many of %d requests: what they cost the server is not known", total),
			Allowed: "at most 2 %",
		}
	case !(b.Rate > 0):
		return &badinput.Error{Key: "request_rate", Value: b.Rate, Problem: "not a rate", Allowed: `a number greater than 0, or "inf"`}
	case !(b.Burstiness > 0):
		return &badinput.Error{Key: "burstiness", Value: b.Burstiness, Problem: "must be greater than 0"}
	case b.MaxConcurrency < 0:
		return &badinput.Error{Key: "max_concurrency", Value: b.MaxConcurrency, Problem: "must not be negative"}
	}
	if err := r.checkMedians(); err != nil {
		return err
	}
	switch {
	case len(r.InputLens) > 0:
		return r.checkArrays()
	case len(r.OutputLens)+len(r.TTFTs)+len(r.ITLs)+len(r.Latencies)+len(r.StartTimes)+len(r.QueueTimes) > 0:
		return &badinput.Error{Key: "input_lens", Problem: "missing beside the other arrays of --save-detailed"}
	case r.RampUp != nil:
		return &badinput.Error{
			Key:     "ramp_up_strategy",
			Value:   *r.RampUp,
			Problem: "the rate grows: when requests came is not known",
			Allowed: "a result with start_times (--save-detailed)",
		}
	}
	for _, total := range []struct {
		key    string
		tokens int64
	}{{"total_input_tokens", r.InputTokens}, {"total_output_tokens", r.OutputTokens}} {
		if n := int64(r.Completed); total.tokens < n || total.tokens/n > mostTokens {
			return &badinput.Error{
				Key:     total.key,
				Value:   total.tokens,
				Problem: "missing, or not the tokens of so many requests",
				Allowed: "1 to 2^30 tokens per request",
			}
		}
	}
	return nil
}

// checkMedians refuses medians that no run has; 0 is what was not measured.
func (r *benchResult) checkMedians() error {
	for i, x := range []float64{r.TTFT, r.TPOT, r.E2EL} {
		if !isTime(x / 1e3) {
			return &badinput.Error{Key: Metrics[i], Value: x, Problem: "not a time", Allowed: "milliseconds from 0 to those of a month"}
		}
	}
	return nil
}

// isTime tells whether a run can have a time of so many seconds in it.
func isTime(seconds float64) bool { return 0 <= seconds && seconds <= longestRun }

// checkArrays refuses arrays of different lengths: they have a value for each request.
func (r *benchResult) checkArrays() error {
	n := len(r.InputLens)
	for _, a := range []struct {
		key      string
		length   int
		optional bool
	}{{"output_lens", len(r.OutputLens), false}, {"ttfts", len(r.TTFTs), false}, {"itls", len(r.ITLs), len(r.Latencies) > 0},
		{"latencies", len(r.Latencies), true}, {"start_times", len(r.StartTimes), true}, {"queue_times", len(r.QueueTimes), true}} {
		if a.length != n && !(a.optional && a.length == 0) {
			return &badinput.Error{Key: a.key, Problem: fmt.Sprintf("has %d values for %d requests", a.length, n)}
		}
	}
	if r.RampUp != nil && len(r.StartTimes) == 0 {
		return &badinput.Error{
			Key:     "ramp_up_strategy",
			Value:   *r.RampUp,
			Problem: "the rate grows: when requests came is not known",
			Allowed: "a result with start_times",
		}
	}
	for i := range n {
		if err := r.checkRequest(i); err != nil {
			return err
		}
	}
	return nil
}

// checkRequest refuses values of a request that none can have. Some servers send the
// first token in a chunk of its own without text: then there are as many gaps as
// tokens. One that failed has no tokens, and perhaps gaps.
func (r *benchResult) checkRequest(i int) error {
	bad := func(key string, value any, problem string) error {
		return &badinput.Error{Key: fmt.Sprintf("%s[%d]", key, i), Value: value, Problem: problem}
	}
	isTokens := func(n int) bool { return 0 <= n && n <= mostTokens }
	noTime := func(t float64) bool { return !isTime(t) }
	switch {
	case !isTokens(r.InputLens[i]):
		return bad("input_lens", r.InputLens[i], "not a number of tokens")
	case !isTokens(r.OutputLens[i]):
		return bad("output_lens", r.OutputLens[i], "not a number of tokens")
	case noTime(r.TTFTs[i]):
		return bad("ttfts", r.TTFTs[i], "not a time")
	case len(r.ITLs) > 0 && slices.ContainsFunc(r.ITLs[i], noTime):
		return bad("itls", r.ITLs[i][slices.IndexFunc(r.ITLs[i], noTime)], "not a time between tokens")
	case len(r.ITLs) > 0 && r.OutputLens[i] > 0 && len(r.ITLs[i]) > r.OutputLens[i]:
		return bad("itls", len(r.ITLs[i]), fmt.Sprintf("more times between tokens than the %d tokens", r.OutputLens[i]))
	case len(r.Latencies) > 0 && (noTime(r.Latencies[i]) || r.OutputLens[i] > 0 && r.Latencies[i] < r.TTFTs[i]):
		return bad("latencies", r.Latencies[i], "not a time that holds the first token")
	case len(r.StartTimes) > 0 && math.Abs(r.StartTimes[i]) > latestStart:
		return bad("start_times", r.StartTimes[i], "not a time")
	case len(r.QueueTimes) > 0 && noTime(r.QueueTimes[i]):
		return bad("queue_times", r.QueueTimes[i], "not a time")
	}
	return nil
}

// decode is the time from the first token of a request to its last one.
func (r *benchResult) decode(i int) float64 {
	if len(r.Latencies) > 0 {
		return r.Latencies[i] - r.TTFTs[i]
	}
	sum := 0.0
	for _, gap := range r.ITLs[i] {
		sum += gap
	}
	return sum
}

// latestStart bounds start times in seconds: a clock may count from 1970 or from
// any other moment.
const latestStart = 1e10

// setDetailed sets the requests one by one, without those that failed, and medians over
// these. A request arrived when the client sent it: the time that it waited in the
// client is subtracted from its start.
func (r *benchResult) setDetailed(b *Bench) error {
	var ttft, tpot, e2el []float64
	b.Scheduled = len(r.StartTimes) > 0
	for i, output := range r.OutputLens {
		if output < 1 || r.InputLens[i] < 1 || !(r.TTFTs[i] > 0) {
			continue
		}
		q := Request{Input: r.InputLens[i], Output: output}
		if b.Scheduled {
			q.Arrival = r.StartTimes[i]
			if len(r.QueueTimes) > 0 {
				q.Arrival -= r.QueueTimes[i]
			}
		}
		b.Requests = append(b.Requests, q)
		decode := r.decode(i)
		ttft, e2el = append(ttft, 1e3*r.TTFTs[i]), append(e2el, 1e3*(r.TTFTs[i]+decode))
		if output > 1 {
			tpot = append(tpot, 1e3*decode/float64(output-1))
		}
	}
	for i, list := range [][]float64{ttft, tpot, e2el} {
		slices.Sort(list)
		b.Measured[Metrics[i]] = metrics.Quantile(list, 0.5)
	}
	b.startAtZero()
	b.Count = len(b.Requests)
	if b.Count > 0 && !(b.Requests[b.Count-1].Arrival <= longestRun) {
		return &badinput.Error{Key: "start_times", Problem: "the run is longer than a month", Allowed: "seconds"}
	}
	return nil
}

// longestRun is the longest run that is believed, in seconds.
const longestRun = 31 * 86400

// startAtZero sorts requests by arrival and counts times from the first one.
func (b *Bench) startAtZero() {
	slices.SortStableFunc(b.Requests, func(p, q Request) int {
		switch {
		case p.Arrival < q.Arrival:
			return -1
		case p.Arrival > q.Arrival:
			return 1
		}
		return 0
	})
	for i := len(b.Requests) - 1; i >= 0; i-- {
		b.Requests[i].Arrival -= b.Requests[0].Arrival
	}
}

// setAggregated sets the number of requests and their mean lengths, rounded.
func (r *benchResult) setAggregated(b *Bench) {
	n := int64(r.Completed)
	b.Count, b.Mean = r.Completed, Request{Input: int((r.InputTokens + n/2) / n), Output: int((r.OutputTokens + n/2) / n)}
	b.Measured = map[string]float64{Metrics[0]: r.TTFT, Metrics[1]: r.TPOT, Metrics[2]: r.E2EL}
}
