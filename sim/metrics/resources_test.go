package metrics

import (
	"math"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units"
)

// TestRatesOfTheEngine: what did not happen has no share, and what did has those of its
// own ingredients.
func TestRatesOfTheEngine(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		totals Totals
		want   map[string]float64
	}{
		"nothing": {Totals{}, map[string]float64{PrefixHitRate: nan, PrefixBlockHitRate: nan, PrefixLoadRate: nan, KVMoved: nan, KVExposedTime: nan,
			AcceptanceRate: nan, MeanAcceptanceLength: nan, WastedFLOPs: nan}},
		"a cache": {Totals{AdmittedTokens: 200, CachedTokens: 50, AdmittedBlocks: 20, CachedBlocks: 4, LoadedTokens: 9},
			map[string]float64{PrefixHitRate: 0.25, PrefixBlockHitRate: 0.2, PrefixLoadRate: nan, KVMoved: nan}},
		"moves without a cache": {Totals{MovedBytes: 3e9, Exposed: 2}, map[string]float64{KVMoved: 3, KVExposedTime: 2, PrefixLoadRate: nan, PrefixHitRate: nan}},
		"fetches": {Totals{AdmittedTokens: 200, CachedTokens: 90, FetchedTokens: 30, FetchedBytes: 5e9},
			map[string]float64{PrefixFetchRate: 0.15, KVFetched: 5, PrefixHitRate: 0.45, PrefixLoadRate: nan, KVMoved: nan}},
		"moves of a cache": {Totals{MovedBytes: 3e9, AdmittedTokens: 200, LoadedTokens: 30}, map[string]float64{PrefixLoadRate: 0.15, KVExposedTime: 0}},
		"a quick link":     {Totals{HandedOver: 3}, map[string]float64{MeanInTransfer: 0}},
		"no link":          {Totals{Steps: 3}, map[string]float64{MeanInTransfer: nan}},
		"guesses": {Totals{Verifications: 10, ProposedTokens: 40, AcceptedTokens: 15, WastedFLOPs: 1, FLOPs: 3},
			map[string]float64{AcceptanceRate: 0.375, MeanAcceptanceLength: 2.5, WastedFLOPs: 0.25}},
	} {
		t.Run(name, func(t *testing.T) {
			v := Values{}
			v.setEngine(&c.totals, 1, 1)
			checkValues(t, v, c.want)
		})
	}
}

// TestResourcesOfPools: blocks of pools count by their tokens, and by their replicas; peaks
// that are unknown of one pool leave no share of all.
func TestResourcesOfPools(t *testing.T) {
	pools := []PoolRecord{
		{Replicas: replicasOf(3, Totals{}), Blocks: 100, BlockSize: 16, Totals: Totals{Busy: 4, Bytes: 10, FLOPs: 100, KVBlocks: 900}},
		{Replicas: replicasOf(2, Totals{}), Blocks: 50, BlockSize: 32, Totals: Totals{Busy: 6, Bytes: 20, FLOPs: 100, KVBlocks: 300}},
	}
	peaks := func(bandwidth units.BytesPerSecond, compute units.FLOPsPerSecond) Deployment {
		return Deployment{Capacity: hardware.Capacity{PeakBandwidth: bandwidth, PeakCompute: compute}}
	}
	for name, c := range map[string]struct {
		second   Deployment
		mbu, mfu float64
	}{
		"known":             {peaks(20, 100), (1 + 1) / 10.0, (2 + 1) / 10.0},
		"without bandwidth": {peaks(0, 100), math.NaN(), math.NaN()},
		"without compute":   {peaks(20, 0), math.NaN(), math.NaN()},
	} {
		t.Run(name, func(t *testing.T) {
			v := Values{}
			v.setHardware(&Record{Ended: 2}, pools, []Deployment{peaks(10, 50), c.second}, served{1, 1, 1})
			checkValues(t, v, map[string]float64{MBU: c.mbu, MFU: c.mfu, MeanKVUtilization: (900 + 600) / (2 * (300 + 200.0))})
		})
	}
}

// TestWhatRatesAreDividedBy: accelerators, their price and their power are those of all pools;
// links count where there are any, over the time in which all pools are busy.
func TestWhatRatesAreDividedBy(t *testing.T) {
	pools := []PoolRecord{{Replicas: replicasOf(3, Totals{}), Totals: Totals{Busy: 4, LinkBytes: 10}},
		{Replicas: replicasOf(2, Totals{}), Totals: Totals{Busy: 6}}}
	single := Deployment{Accelerators: 1, USDPerHour: 3, IdleWatts: 50,
		Capacity: hardware.Capacity{PeakBandwidth: 1, PeakCompute: 1}}
	linked := Deployment{Accelerators: 4, USDPerHour: 2, IdleWatts: 100, Capacity: single.Capacity}
	linked.Capacity.PeakLink = 5
	nan := math.NaN()
	for name, c := range map[string]struct {
		deployments []Deployment
		want        map[string]float64
	}{
		"known": {[]Deployment{linked, single},
			map[string]float64{Accelerators: 14, PricePerHour: 30, Cost: 60, MeanPower: 1300, Energy: 1300 * 7200, LinkUtilization: 0.2}},
		"without links": {[]Deployment{single, single}, map[string]float64{Accelerators: 5, PricePerHour: 15, LinkUtilization: nan}},
		"not known of the other": {[]Deployment{linked, {Accelerators: 1}},
			map[string]float64{Accelerators: 14, PricePerHour: nan, MeanPower: nan}},
		"nothing known": {[]Deployment{{}, {}}, map[string]float64{Accelerators: nan}},
	} {
		t.Run(name, func(t *testing.T) {
			v := Values{}
			v.setHardware(&Record{Ended: 2}, pools, c.deployments, served{7200, 1, 1})
			checkValues(t, v, c.want)
		})
	}
}
