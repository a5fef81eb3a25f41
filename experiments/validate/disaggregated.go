package validate

import (
	"strconv"

	"kneepoint/hardware"
)

// transferBandwidth is that of keys and values between the workers of a row, which is not
// recorded: what vLLM and SGLang reach from GPU to GPU with one 400 Gb/s port each
// (llm-d's blog of 2026-06-23).
const transferBandwidth = "49.5GB/s"

// disaggregatedTree sets the experiment of row i, whose prompts and answers have workers
// of their own, as the case's tree. How many clients there were is not recorded; they are as
// many as the workers for answers have slots.
func disaggregatedTree(t *table, i int, a *hardware.Accelerator, c *Case) error {
	var lengths [2]int64
	for k, column := range []string{"isl", "osl"} {
		var err error
		if lengths[k], err = t.requiredWhole(i, column); err != nil {
			return err
		}
	}
	var prefill, decode workers
	for _, w := range []struct {
		into *workers
		role string
	}{{&prefill, "prefill"}, {&decode, "decode"}} {
		if err := w.into.read(t, i, w.role); err != nil {
			return err
		}
	}
	switch {
	case prefill.count == 0 || decode.count == 0 || prefill.batch == 0 || decode.batch == 0:
		c.Skip = "how many workers prompts and answers have, and how many requests are in flight, is not recorded"
		return nil
	case max(prefill.accelerators(), decode.accelerators()) > int64(a.Server()):
		c.Skip = unknownNetwork
		return nil
	}
	p, clients := protocolOf(t.rows[i]), decode.count*decode.slots()
	c.Tree = map[string]any{
		"title": c.ID, "model": siliconModel(t.rows[i], a, c.Labels["precision"]),
		"hardware": map[string]any{"accelerator": a.Name, "engine": c.Labels["engine"]},
		"workload": p.workload(clients, lengths[0], lengths[1]),
		"strategy": []map[string]any{{"name": "measured"}},
		"fleet": map[string]any{
			"pool": []map[string]any{
				prefill.pool(map[string]any{"max_num_seqs": prefill.slots(), "max_num_batched_tokens": prefill.batch * lengths[0]}),
				decode.pool(map[string]any{"max_num_seqs": decode.slots()}),
			},
			"transfer": map[string]any{"bandwidth": transferBandwidth},
		},
	}
	c.Labels["concurrency"] = strconv.FormatInt(clients, 10)
	return nil
}

// workers are those of a row that do the same.
type workers struct {
	role         string
	count, batch int64 // 0: not recorded
	tp           int64
	split        parallelism
}

// read reads the columns of row i that begin with a role.
func (w *workers) read(t *table, i int, role string) (err error) {
	w.role = role
	for _, cell := range []struct {
		column string
		into   *int64
	}{{"_num_workers", &w.count}, {"_batch_size", &w.batch}, {"_tp_size", &w.tp}} {
		if *cell.into, _, err = t.whole(i, role+cell.column, 0); err != nil {
			return err
		}
	}
	w.tp = max(w.tp, 1)
	return w.split.read(t, i, role+"_")
}

// accelerators are those of one worker.
func (w *workers) accelerators() int64 { return w.tp * w.split.groups * w.split.stages }

// slots are the requests of one worker at a time.
func (w *workers) slots() int64 { return w.batch * w.split.groups }

// pool is the [[fleet.pool]] table with a strategy.
func (w *workers) pool(strategy map[string]any) map[string]any {
	deployment := map[string]any{"tp": w.tp}
	w.split.set(deployment)
	return map[string]any{"name": w.role, "role": w.role, "replicas": w.count, "hardware": deployment, "strategy": strategy}
}
