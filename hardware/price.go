package hardware

import (
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"

	"kneepoint/internal/catalog"
	"kneepoint/internal/strict"
	"kneepoint/units/badinput"
)

// PriceBasis is what accelerators cost with one seller on one kind of terms: rent by the hour, or
// a purchase. Costs of several accelerators can be compared on one basis alone.
type PriceBasis struct {
	Name       string `toml:"name" required:"true"`
	Title      string `toml:"title"`
	Date       string `toml:"date" required:"true"` // of the prices, as precisely as it is known
	Confidence string `toml:"confidence"`           // A: a price list; B: a transcription; C: recollection
	Source     string `toml:"source" required:"true"`

	// USDPerHour is the rent of one accelerator, with its share of the server and electricity;
	// PurchaseUSD its price when bought. By the names of accelerators; a basis has one of them.
	USDPerHour  map[string]float64 `toml:"usd_per_hour"`
	PurchaseUSD map[string]float64 `toml:"purchase_usd"`
}

// DefaultPriceBasis has the most accelerators.
const DefaultPriceBasis = "oci_on_demand"

// Buys tells whether accelerators are bought, not rented.
func (b *PriceBasis) Buys() bool { return len(b.PurchaseUSD) > 0 }

// PerHour is what an hour of an accelerator of this name costs, which draws so many kW; false
// where the basis has no price of it. What is bought is paid off as o says.
func (b *PriceBasis) PerHour(accelerator string, kilowatts float64, o *Ownership) (float64, bool) {
	if price, ok := b.PurchaseUSD[accelerator]; ok {
		return o.PerHour(price, kilowatts), true
	}
	rent, ok := b.USDPerHour[accelerator]
	return rent, ok
}

// Validate refuses prices that are none, and a basis of both kinds or of neither.
func (b *PriceBasis) Validate() error {
	if b.Buys() == (len(b.USDPerHour) > 0) {
		return &badinput.Error{Key: "usd_per_hour", Problem: "a basis has either usd_per_hour or purchase_usd", Allowed: "one of them"}
	}
	for table, prices := range map[string]map[string]float64{"usd_per_hour": b.USDPerHour, "purchase_usd": b.PurchaseUSD} {
		if err := CheckPrices(prices); err != nil {
			return badinput.Under(table, err)
		}
	}
	return nil
}

// CheckPrices refuses prices by accelerator that are not above 0, with a *badinput.Error about
// the name.
func CheckPrices(prices map[string]float64) error {
	for _, name := range slices.Sorted(maps.Keys(prices)) {
		if !(prices[name] > 0) {
			return &badinput.Error{Key: name, Value: prices[name], Problem: "must be greater than 0"}
		}
	}
	return nil
}

var priceBases = sync.OnceValues(func() ([]PriceBasis, error) {
	var file struct {
		Basis []PriceBasis `toml:"basis"`
	}
	err := catalog.Decode(catalogFiles, "catalog/prices.toml", &file)
	return file.Basis, err
})

// PriceBases lists the catalog's bases by name, the default first.
func PriceBases() []string {
	all, _ := priceBases() // embedded; a test reads it
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// LookupPriceBasis is the basis of this name in the catalog. Errors are *badinput.Error without a
// key.
func LookupPriceBasis(name string) (PriceBasis, error) {
	all, err := priceBases()
	if err != nil {
		return PriceBasis{}, err
	}
	for _, b := range all {
		if b.Name == name {
			return b, nil
		}
	}
	return PriceBasis{}, &badinput.Error{Value: name, Problem: "unknown basis of prices",
		Nearest: badinput.Nearest(name, PriceBases()), Allowed: "one of " + strings.Join(PriceBases(), ", ")}
}

// LoadPriceBasis reads a basis from a TOML file, the keys of PriceBasis. What is wrong with the
// file is a *badinput.Error without a key.
func LoadPriceBasis(path string) (PriceBasis, error) {
	var b PriceBasis
	text, err := badinput.ReadText(path)
	if err != nil {
		return b, &badinput.Error{Value: path, Problem: "cannot be read: " + reason(err)}
	}
	if strict.TooDeep(string(text)) {
		return b, &badinput.Error{Value: path, Problem: "is no list of prices: lists and tables within each other"}
	}
	var table map[string]any
	if _, err := toml.Decode(string(text), &table); err != nil {
		return b, &badinput.Error{Value: path, Problem: "is not TOML: " + firstLine(err),
			Allowed: "prices, like `kneepoint show " + DefaultPriceBasis + "` prints them"}
	}
	if err := strict.Decode(table, &b); err != nil {
		return b, &badinput.Error{Value: path, Problem: err.Error()}
	}
	return b, nil
}

// basesWith are the catalog's bases that have a price of an accelerator, the default first.
func basesWith(accelerator string) []string {
	all, _ := priceBases()
	var names []string
	for i := range all {
		if _, ok := all[i].PerHour(accelerator, 0, &Ownership{Years: 1}); ok {
			names = append(names, all[i].Name)
		}
	}
	return names
}

// PricedIn says in words which bases of the catalog have a price of an accelerator.
func PricedIn(accelerator string) string {
	names := basesWith(accelerator)
	if len(names) == 0 {
		return "no basis has one"
	}
	if len(names) == 1 {
		return names[0] + " has one"
	}
	return strings.Join(names, ", ") + " have"
}

// reason is why a file cannot be read, without its path.
func reason(err error) string {
	if p, ok := err.(*os.PathError); ok {
		return p.Err.Error()
	}
	return err.Error()
}
