package experiments

import (
	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

// PricesSpec is the [prices] table: one basis of prices for all strategies, and what a place for
// the accelerators takes.
type PricesSpec struct {
	Basis      string             `toml:"basis"`
	File       string             `toml:"file"`         // a basis of one's own
	USDPerHour map[string]float64 `toml:"usd_per_hour"` // of single accelerators, before the basis's

	Years                *float64 `toml:"years" check:"positive" most:"100"`
	Residual             *float64 `toml:"residual" check:"fraction"`
	Interest             *float64 `toml:"interest" check:"nonnegative" most:"10"`
	Maintenance          *float64 `toml:"maintenance" check:"nonnegative" most:"10"`
	USDPerKWh            *float64 `toml:"usd_per_kwh" check:"nonnegative" most:"1000"`
	SiteUSDPerKWPerMonth *float64 `toml:"site_usd_per_kw_month" check:"nonnegative" most:"1000000"`

	PUE            float64 `toml:"pue" check:"positive" most:"10"`
	ServerWatts    float64 `toml:"server_w" check:"nonnegative" most:"10000"`
	GramsCO2PerKWh float64 `toml:"gco2_per_kwh" check:"nonnegative" most:"10000"` // 0: not known
}

// SetDefaults is those of servers with eight accelerators in a usual site.
func (p *PricesSpec) SetDefaults() {
	p.PUE, p.ServerWatts = hardware.UsualOwnership().PUE, hardware.UsualServerWatts
}

// Validate refuses a PUE below 1, prices that are none, and a basis beside a file.
func (p *PricesSpec) Validate() error {
	if p.PUE < 1 {
		return &badinput.Error{Key: "pue", Value: p.PUE, Problem: "below 1: a site draws what its servers draw", Allowed: "1 to 10"}
	}
	if p.File != "" && p.Basis != "" {
		return &badinput.Error{Key: "basis", Value: p.Basis, Problem: "has no effect beside file, which is a basis of its own",
			Allowed: "one of them"}
	}
	return badinput.Under("usd_per_hour", hardware.CheckPrices(p.USDPerHour))
}

// ownership is that of what is bought, the usual one where the table does not say.
func (p *PricesSpec) ownership() hardware.Ownership {
	o := hardware.UsualOwnership()
	o.PUE = p.PUE
	for _, k := range p.owning(&o) {
		if k.given != nil {
			*k.into = *k.given
		}
	}
	return o
}

// owning are the keys that concern what is bought alone.
func (p *PricesSpec) owning(o *hardware.Ownership) []owningKey {
	return []owningKey{{"years", p.Years, &o.Years}, {"residual", p.Residual, &o.Residual}, {"interest", p.Interest, &o.Interest},
		{"maintenance", p.Maintenance, &o.Maintenance}, {"usd_per_kwh", p.USDPerKWh, &o.USDPerKWh},
		{"site_usd_per_kw_month", p.SiteUSDPerKWPerMonth, &o.SiteUSDPerKWPerMonth}}
}

type owningKey struct {
	key   string
	given *float64
	into  *float64
}
