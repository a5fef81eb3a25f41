package experiments

import "kneepoint/policies/routing"

// RouterKeys are the keys of [fleet] that some routers read, see routing.Parameters. One
// that is not given is as the router has it.
type RouterKeys struct {
	Index                   *string  `toml:"index" oneof:"approximate precise"`
	IndexBlockSize          *int     `toml:"index_block_size" check:"positive"`
	IndexCapacity           *int     `toml:"index_capacity" check:"nonnegative"`
	IndexMaxPrefix          *int     `toml:"index_max_prefix" check:"nonnegative"`
	CacheThreshold          *float64 `toml:"cache_threshold" check:"fraction"`
	BalanceAbsThreshold     *int     `toml:"balance_abs_threshold" check:"nonnegative"`
	BalanceRelThreshold     *float64 `toml:"balance_rel_threshold" check:"positive"`
	StandardDeviationFactor *float64 `toml:"standard_deviation_factor" check:"nonnegative"`
	QueueWeight             *float64 `toml:"queue_weight" check:"nonnegative"`
	KVWeight                *float64 `toml:"kv_weight" check:"nonnegative"`
	PrefixWeight            *float64 `toml:"prefix_weight" check:"nonnegative"`
	LoadAwareWeight         *float64 `toml:"load_aware_weight" check:"nonnegative"`
	OverlapScoreCredit      *float64 `toml:"overlap_score_credit" check:"fraction"`
	PrefillLoadScale        *float64 `toml:"prefill_load_scale" check:"nonnegative"`
	Temperature             *float64 `toml:"router_temperature" check:"nonnegative"`
}

// parameters are those of a router, with the keys that are given laid over them.
func (k *RouterKeys) parameters(router *routing.Entry) routing.Parameters {
	p := router.Defaults
	give(&p.Index, k.Index)
	give(&p.IndexBlockSize, k.IndexBlockSize)
	give(&p.IndexCapacity, k.IndexCapacity)
	give(&p.IndexMaxPrefix, k.IndexMaxPrefix)
	give(&p.CacheThreshold, k.CacheThreshold)
	give(&p.BalanceAbsThreshold, k.BalanceAbsThreshold)
	give(&p.BalanceRelThreshold, k.BalanceRelThreshold)
	give(&p.StandardDeviationFactor, k.StandardDeviationFactor)
	give(&p.QueueWeight, k.QueueWeight)
	give(&p.KVWeight, k.KVWeight)
	give(&p.PrefixWeight, k.PrefixWeight)
	give(&p.LoadAwareWeight, k.LoadAwareWeight)
	give(&p.OverlapScoreCredit, k.OverlapScoreCredit)
	give(&p.PrefillLoadScale, k.PrefillLoadScale)
	give(&p.Temperature, k.Temperature)
	return p
}

// give sets what is given.
func give[T any](into, given *T) {
	if given != nil {
		*into = *given
	}
}
