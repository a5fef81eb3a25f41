package model

// groupSize is the checkpoint's Architecture.GroupSize; 0 where the configuration does not say, or has a scale for all of a row.
//
// Sources: as of checkpoint; OCP Microscaling Formats specification 1.0 (MXFP4); mlx/ops, quantize (a scale and a bias for each group).
func (c *config) groupSize() int {
	q := config{table: c.object(quantization)}
	switch q.table["quant_method"] {
	case "mxfp4":
		return 32
	case "compressed-tensors":
		group := q.firstGroup()
		return sizeOf(group.object("weights"))
	case "quark":
		global := config{table: q.object("global_quant_config")}
		return sizeOf(global.quarkTable("weight"))
	case nil: // MLX, whose bias takes as many bits as the scale
		return sizeOf(q.table) / 2
	}
	return sizeOf(q.table)
}

// sizeOf is the group's size in a table, which may be -1 or null.
func sizeOf(table map[string]any) int {
	if n, _ := table["group_size"].(float64); n >= 1 && n <= largest {
		return int(n)
	}
	return 0
}
