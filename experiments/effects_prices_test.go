package experiments_test

import (
	"fmt"
	"maps"
	"path/filepath"
)

const bought = `prices.basis="purchase"`

// priceEffects are changes to keys of [prices]; addPrices adds that of a file.
var priceEffects = map[string]effect{
	"prices.basis":                 {to: `prices.basis="aws_on_demand"`},
	"prices.usd_per_hour":          {to: `prices.usd_per_hour.h100-sxm=2.5`},
	"prices.years":                 {with: bought, to: `prices.years=5`},
	"prices.residual":              {with: bought, to: `prices.residual=0`},
	"prices.interest":              {with: bought, to: `prices.interest=0`},
	"prices.maintenance":           {with: bought, to: `prices.maintenance=0`},
	"prices.usd_per_kwh":           {with: bought, to: `prices.usd_per_kwh=0.3`},
	"prices.site_usd_per_kw_month": {with: bought, to: `prices.site_usd_per_kw_month=0`},
	"prices.pue":                   {to: `prices.pue=1`},
	"prices.server_w":              {to: `prices.server_w=0`},
	"prices.gco2_per_kwh":          {to: `prices.gco2_per_kwh=481`},
}

func addPrices(all map[string]effect, dir string) {
	maps.Copy(all, priceEffects)
	all["prices.file"] = effect{to: fmt.Sprintf(`prices.file=%q`, filepath.ToSlash(filepath.Join(dir, "prices.toml")))}
}
