package metrics

import "kneepoint/units"

// setEngine stores what the engine of all pools, or of one, did in elapsed seconds. A
// metric that has no meaning, such as a hit rate without a cache, has no value.
func (v Values) setEngine(t *Totals, elapsed, replicas float64) {
	v.Set(Steps, float64(t.Steps))
	v.Set(Preemptions, float64(t.Preemptions))
	v.Set(RecomputedTokens, float64(t.RecomputedTokens))
	if t.AtRouter > 0 {
		v.Set(MeanAtRouter, t.AtRouter/elapsed)
	}
	if t.HandedOver > 0 {
		v.Set(MeanInTransfer, t.InTransfer/elapsed)
	}
	v.Set(MeanInFrontEnd, t.InFrontEnd/elapsed)
	v.Set(MeanWaiting, t.Waiting/elapsed)
	v.Set(MeanRunning, t.Running/elapsed)
	v.Set(BusyFraction, float64(t.Busy)/(elapsed*replicas))
	v.Set(MaxKVUtilization, t.KVMax)
	if t.AdmittedTokens > 0 {
		v.Set(PrefixHitRate, float64(t.CachedTokens)/float64(t.AdmittedTokens))
		v.Set(PrefixBlockHitRate, float64(t.CachedBlocks)/float64(t.AdmittedBlocks))
	}
	if t.ReuseAsked > 0 {
		pooled := float64(t.PooledTokens) / float64(t.ReuseAsked)
		v.Set(PrefixReuseRate, float64(t.ReusedTokens)/float64(t.ReuseAsked))
		v.Set(PrefixPooledRate, pooled)
		if t.AdmittedTokens > 0 {
			v.Set(PrefixHitLoss, pooled-v.Get(PrefixHitRate))
		}
	}
	if t.MovedBytes > 0 {
		v.Set(KVMoved, float64(t.MovedBytes)/1e9)
		v.Set(KVExposedTime, float64(t.Exposed))
		if t.AdmittedTokens > 0 {
			v.Set(PrefixLoadRate, float64(t.LoadedTokens)/float64(t.AdmittedTokens))
		}
	}
	if t.FetchedBytes > 0 {
		v.Set(PrefixFetchRate, float64(t.FetchedTokens)/float64(t.AdmittedTokens))
		v.Set(KVFetched, float64(t.FetchedBytes)/1e9)
	}
	if t.Verifications > 0 {
		v.Set(AcceptanceRate, float64(t.AcceptedTokens)/float64(t.ProposedTokens))
		v.Set(MeanAcceptanceLength, 1+float64(t.AcceptedTokens)/float64(t.Verifications))
		v.Set(WastedFLOPs, float64(t.WastedFLOPs/(t.WastedFLOPs+t.FLOPs)))
	}
}

// setHardware stores how the hardware of some pools was used and what that cost. A
// metric whose ingredients are not known of all of these pools has no value: a sum
// over the others would pass for the whole.
func (v Values) setHardware(rec *Record, pools []PoolRecord, deployments []Deployment, s served) {
	var u use
	for i := range pools {
		u.add(&pools[i], &deployments[i], pools[i].replicas(rec), s.duration)
	}
	v.Set(MeanKVUtilization, u.kvUsed/(u.kvBlocks*rec.elapsed()))
	if u.peaks {
		v.Set(MBU, float64(u.reading/u.busy))
		v.Set(MFU, float64(u.computing/u.busy))
	}
	if u.linked {
		v.Set(LinkUtilization, float64(u.exchanging/u.busy))
	}
	if u.accelerators > 0 {
		v.Set(Accelerators, u.accelerators)
	}
	if u.power {
		v.Set(MeanPower, u.joules/float64(s.duration))
		v.Set(Energy, u.joules)
		v.Set(EnergyPerToken, u.joules/s.tokens)
		v.Set(EnergyPerMillionTokens, u.joules/s.tokens)
		v.Set(EnergyPerMillionGoodTokens, u.joules/s.goodTokens)
	}
	if u.power && len(deployments) > 0 && deployments[0].Site.PUE > 0 {
		v.setSite(&deployments[0].Site, &u, s)
	}
	if u.priced {
		usd := u.usdPerHour * float64(s.duration) / 3600
		v.Set(PricePerHour, u.usdPerHour)
		v.Set(Cost, usd)
		v.Set(CostPerMillionTokens, usd/s.tokens*1e6)
		v.Set(CostPerMillionGoodTokens, usd/s.goodTokens*1e6)
	}
}

const joulesPerKWh = 3.6e6

// setSite stores what the place of the accelerators takes.
func (v Values) setSite(site *Site, u *use, s served) {
	joules := site.joules(u.joules, u.accelerators*float64(s.duration))
	v.Set(SitePower, joules/float64(s.duration)/1e3)
	if site.GramsCO2PerKWh > 0 {
		grams := joules / joulesPerKWh * site.GramsCO2PerKWh
		v.Set(CarbonPerMillionTokens, grams/s.tokens*1e6)
		v.Set(CarbonPerMillionGoodTokens, grams/s.goodTokens*1e6)
	}
}

// use is how the hardware of pools was used, as sums over pools.
type use struct {
	kvUsed, kvBlocks         float64       // ∫ blocks in use dt, and blocks, of the first pool's size
	busy, reading, computing units.Seconds // in steps; the same at peak bandwidth, at peak compute
	exchanging               units.Seconds // in steps at peak bandwidth of the links
	joules, usdPerHour       float64
	accelerators             float64
	peaks, power, priced     bool // whether they are known of every pool
	linked                   bool // whether the accelerators of any pool have links

	blockSize float64 // of the first pool
}

// add adds a pool of so many replicas that was there for a duration. Blocks of different
// sizes count by their tokens; unknown peaks, power or price are remembered for all pools.
func (u *use) add(p *PoolRecord, d *Deployment, replicas float64, duration units.Seconds) {
	first := u.blockSize == 0
	if first {
		u.blockSize, u.peaks, u.power, u.priced = float64(p.BlockSize), true, true, true
	}
	t, size := &p.Totals, float64(p.BlockSize)/u.blockSize
	u.kvUsed += t.KVBlocks * size
	u.kvBlocks += float64(p.Blocks) * replicas * size
	u.busy += t.Busy
	u.accelerators += float64(d.Accelerators) * replicas
	c := &d.Capacity
	if c.PeakLink > 0 {
		u.linked = true
		u.exchanging += t.LinkBytes.At(c.PeakLink)
	}
	if u.peaks = u.peaks && c.PeakBandwidth > 0 && c.PeakCompute > 0; u.peaks {
		u.reading += t.Bytes.At(c.PeakBandwidth)
		u.computing += t.FLOPs.At(c.PeakCompute)
	}
	if u.power = u.power && d.IdleWatts > 0; u.power {
		u.joules += float64(d.Accelerators)*replicas*d.IdleWatts*float64(duration) + t.Energy
	}
	if u.priced = u.priced && d.USDPerHour > 0; u.priced {
		u.usdPerHour += float64(d.Accelerators) * replicas * d.USDPerHour
	}
}
