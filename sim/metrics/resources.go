package metrics

import "kneepoint/units"

// summarizeResources stores how the hardware was used, and what that cost.
func summarizeResources(v Values, rec *Record, s served, dep Deployment) {
	t := rec.Totals
	elapsed := float64(rec.Ended - rec.Started)
	replicas := float64(rec.Replicas)
	v.Set("steps", float64(t.Steps))
	v.Set("preemptions", float64(t.Preemptions))
	v.Set("recomputed_tokens", float64(t.RecomputedTokens))
	v.Set("frontend_mean", t.InFrontEnd/elapsed)
	v.Set("waiting_mean", t.Waiting/elapsed)
	v.Set("running_mean", t.Running/elapsed)
	v.Set("busy_fraction", float64(t.Busy)/(elapsed*replicas))
	v.Set("kv_utilization_mean", t.KVBlocks/(float64(rec.Blocks)*elapsed))
	v.Set("kv_utilization_max", t.KVMax)
	if t.AdmittedTokens > 0 {
		v.Set("prefix_hit_rate", float64(t.CachedTokens)/float64(t.AdmittedTokens))
		v.Set("prefix_block_hit_rate", float64(t.CachedBlocks)/float64(t.AdmittedBlocks))
	}
	if t.MovedBytes > 0 {
		v.Set("kv_moved_gb", float64(t.MovedBytes)/1e9)
		v.Set("kv_exposed_time", float64(t.Exposed))
		if t.AdmittedTokens > 0 {
			v.Set("prefix_load_rate", float64(t.LoadedTokens)/float64(t.AdmittedTokens))
		}
	}
	if t.Verifications > 0 {
		v.Set("acceptance_rate", float64(t.AcceptedTokens)/float64(t.ProposedTokens))
		v.Set("mean_acceptance_length", 1+float64(t.AcceptedTokens)/float64(t.Verifications))
		v.Set("wasted_flops", float64(t.WastedFLOPs/(t.WastedFLOPs+t.FLOPs)))
	}
	if c := dep.Capacity; c.PeakBandwidth > 0 && c.PeakCompute > 0 {
		v.Set("mbu", float64(t.Bytes.At(c.PeakBandwidth)/t.Busy))
		v.Set("mfu", float64(t.FLOPs.At(c.PeakCompute)/t.Busy))
	}
	if dep.Power.TDP > 0 {
		joules := energy(t, s.duration, replicas, dep)
		v.Set("energy_j", joules)
		v.Set("energy_j_per_token", joules/s.tokens)
		v.Set("energy_mj_per_million_output_tokens", joules/s.tokens)
		v.Set("energy_mj_per_million_output_tokens_at_goodput", joules/s.goodTokens)
	}
	if dep.USDPerHour > 0 {
		usd := float64(dep.Accelerators) * replicas * dep.USDPerHour * float64(s.duration) / 3600
		v.Set("cost_usd", usd)
		v.Set("usd_per_million_output_tokens", usd/s.tokens*1e6)
		v.Set("usd_per_million_output_tokens_at_goodput", usd/s.goodTokens*1e6)
	}
}

// energy integrates, over the accelerators of all replicas, in joules,
//
//	∫ [idle + (TDP - idle)·(w_c·MFU + w_m·MBU + w_n·link)] dt
//
// The time integral of a utilization is the work done over the peak rate.
func energy(t Totals, duration units.Seconds, replicas float64, dep Deployment) float64 {
	c, p, n := dep.Capacity, dep.Power, float64(dep.Accelerators)
	busy := p.Compute*float64(t.FLOPs.At(c.PeakCompute)) + p.Memory*float64(t.Bytes.At(c.PeakBandwidth))
	if c.PeakLink > 0 {
		busy += p.Link * float64(t.LinkBytes.At(c.PeakLink))
	}
	return n * (p.Idle*float64(duration)*replicas + (p.TDP-p.Idle)*busy)
}
