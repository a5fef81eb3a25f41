package experiments_test

import "path/filepath"

// prices is a [prices] table: rent, a purchase, or prices of one's own. Prices of single accelerators
// are for those that every strategy has.
func (d *drawer) prices(tree table) table {
	p := table{}
	switch d.below(3) {
	case 0:
		d.optional(p, "basis", func() any { return d.word("oci_on_demand aws_on_demand nebius_on_demand gcp_3yr") })
	case 1:
		p["file"] = filepath.ToSlash(filepath.Join(d.dir, "prices.toml"))
	default:
		p["basis"] = d.word("purchase purchase_street")
		for _, key := range []string{"residual", "interest", "maintenance", "usd_per_kwh"} {
			d.optional(p, key, func() any { return d.number(0, 1) })
		}
		d.optional(p, "years", func() any { return d.number(1, 9) })
		d.optional(p, "site_usd_per_kw_month", func() any { return d.whole(0, 300) })
	}
	d.optional(p, "pue", func() any { return d.number(1, 2) })
	d.optional(p, "server_w", func() any { return d.whole(0, 500) })
	d.optional(p, "gco2_per_kwh", func() any { return d.whole(1, 800) })
	if h, _ := tree["hardware"].(table); h["accelerator"] != nil && tree["fleet"] == nil && d.bool() {
		p["usd_per_hour"] = table{h["accelerator"].(string): d.number(0.1, 20)}
	}
	return p
}
