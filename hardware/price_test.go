package hardware

import (
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kneepoint/units/badinput"
)

// TestPriceBases: every basis has a source, a date, and prices of accelerators that there are.
func TestPriceBases(t *testing.T) {
	if names := PriceBases(); names[0] != DefaultPriceBasis || len(names) < 10 {
		t.Errorf("bases %v", names)
	}
	most := 0
	for _, name := range PriceBases() {
		b, err := LookupPriceBasis(name)
		if err != nil {
			t.Fatal(err)
		}
		if b.Date == "" || b.Source == "" || b.Title == "" || !slices.Contains([]string{"A", "B", "C"}, b.Confidence) {
			t.Errorf("%s: source, date, title or confidence is missing", name)
		}
		for _, prices := range []map[string]float64{b.USDPerHour, b.PurchaseUSD} {
			for accelerator, usd := range prices {
				lookupAccelerator(t, accelerator)
				if rents := !b.Buys(); rents && (usd < 0.1 || usd > 30) || !rents && (usd < 500 || usd > 100_000) {
					t.Errorf("%s: %s for %v", name, accelerator, usd)
				}
			}
		}
		most = max(most, len(b.USDPerHour))
	}
	if b, _ := LookupPriceBasis(DefaultPriceBasis); len(b.USDPerHour) < most {
		t.Errorf("%d accelerators on the default basis, %d on another", len(b.USDPerHour), most)
	}
	var bad *badinput.Error
	if _, err := LookupPriceBasis("oci_ondemand"); !errors.As(err, &bad) || bad.Nearest != "oci_on_demand" {
		t.Errorf("%v", err)
	}
}

// TestPricesAgainstTheTable: the catalog has what was collected, basis by basis.
func TestPricesAgainstTheTable(t *testing.T) {
	file, err := os.Open("../../shared/reference/prices.csv")
	if err != nil {
		t.Skip("needs ../shared/reference/prices.csv")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, row := range rows[1:] {
		b, err := LookupPriceBasis(row[1])
		if err != nil {
			continue // superseded, or a guess
		}
		want, _ := strconv.ParseFloat(row[2], 64)
		if compared++; b.USDPerHour[row[0]] != want {
			t.Errorf("%s of %s is %v, the table has %v", row[0], row[1], b.USDPerHour[row[0]], want)
		}
	}
	if compared < 100 {
		t.Errorf("only %d prices compared", compared)
	}
}

// TestOwnership: an H100 for 30,000 dollars in four years, by hand: capital 0.970, electricity
// 0.112, repairs 0.171, the place 0.178, together 1.43 dollars an hour; without interest the price over the hours; less in more
// years.
func TestOwnership(t *testing.T) {
	usual, long := UsualOwnership(), UsualOwnership()
	if long.Years++; long.PerHour(30000, 1) >= usual.PerHour(30000, 1) {
		t.Error("five years cost more than four")
	}
	for name, c := range map[string]struct {
		o                      Ownership
		price, kilowatts, want float64
	}{
		"all":              {usual, 30000, 1, 1.431},
		"capital":          {Ownership{Years: 4, Residual: 0.15, Interest: 0.1}, 30000, 1, 0.970},
		"electricity":      {Ownership{Years: 4, USDPerKWh: 0.09, PUE: 1.25}, 0, 1, 0.1125},
		"repairs":          {Ownership{Years: 4, Residual: 1, Maintenance: 0.05}, 30000, 1, 0.171},
		"place":            {Ownership{Years: 4, SiteUSDPerKWPerMonth: 130}, 0, 1, 0.178},
		"without interest": {Ownership{Years: 2, Residual: 0.5}, 8760 * 4, 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if got := c.o.PerHour(c.price, c.kilowatts); math.Abs(got-c.want) > 0.006 {
				t.Errorf("%.4f $/h, want %.3f", got, c.want)
			}
		})
	}
	little, none := Ownership{Years: 3, Interest: 1e-9}, Ownership{Years: 3}
	if a, b := little.PerHour(1000, 0), none.PerHour(1000, 0); math.Abs(a/b-1) > 1e-6 {
		t.Errorf("%v with next to no interest, %v without", a, b)
	}
}

// TestPricesOfOnesOwn: a file has the keys of a basis, and says what is wrong with it in a line.
func TestPricesOfOnesOwn(t *testing.T) {
	for text, want := range map[string]string{
		"name = \"x\"\ndate = \"2026\"\nsource = \"contract\"\n[usd_per_hour]\nh100-sxm = 2.1":           "",
		"name = \"x\"\ndate = \"2026\"\nsource = \"contract\"\n[purchase_usd]\nh100-sxm = 21000":         "",
		"name = \"x\"\ndate = \"2026\"\nsource = \"contract\"\n[usd_per_hour]\nh100-sxm = 0":             "h100-sxm = 0: must be greater than 0",
		"name = \"x\"\ndate = \"2026\"\nsource = \"contract\"\n[usd_per_hour]\nh100-sxm = \"2 dollars\"": "a number",
		"name = \"x\"\ndate = \"2026\"\nsource = \"contract\"":                                           "either usd_per_hour or purchase_usd",
		"name = \"x\"\n[usd_per_hour]\nh100-sxm = 2.1":                                                   "date: missing",
		"name = \"x\"\nusd_per_hours = 1":                                                                `did you mean "usd_per_hour"`,
		"= 1":                                                                                            "is not TOML",
		"\x00":                                                                                           "is not TOML",
	} {
		t.Run(want, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "prices.toml")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			b, err := LoadPriceBasis(path)
			if want == "" {
				if usd, ok := b.PerHour("h100-sxm", 1, &Ownership{Years: 1, Residual: 1}); err != nil || b.Buys() == (usd == 2.1) || !ok {
					t.Errorf("%v, %v", b, err)
				}
				return
			}
			var bad *badinput.Error
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	if _, err := LoadPriceBasis("nowhere.toml"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
}
