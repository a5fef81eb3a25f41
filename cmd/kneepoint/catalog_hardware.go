package main

import (
	"fmt"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/internal/strict"
	"kneepoint/units"
)

// modelRows have what decides whether a model fits: the bytes of its weights follow
// from the parameters, those of a request's KV cache from the last column.
func modelRows() ([][]string, error) {
	var rows [][]string
	for _, name := range model.Names() {
		a, err := model.Lookup(name)
		if err != nil {
			return nil, err
		}
		// Bytes in full, not in KiB: people multiply them by tokens.
		kvBytes := fmt.Sprintf("%.0f", float64(a.KVBytesPerToken(hardware.BF16)))
		rows = append(rows, []string{name, parameterCount(a.Parameters()), fmt.Sprint(a.Layers), fmt.Sprint(a.Heads),
			fmt.Sprint(a.KVHeads), fmt.Sprint(a.MaxContext), kvBytes})
	}
	return rows, nil
}

// showModel adds in a comment what the shape amounts to. bf16 takes 2 bytes a
// parameter, and is what most models are published in.
func showModel(name string) (string, error) {
	a, err := model.Lookup(name)
	if err != nil {
		return "", err
	}
	text, err := asTOML(strict.Encode(&a))
	return text + fmt.Sprintf("\n# %s parameters; weights take %s in bf16, and each token %s of KV cache\n",
		parameterCount(a.Parameters()), units.Bytes(2*a.Parameters()), a.KVBytesPerToken(hardware.BF16)), err
}

// parameterCount writes n parameters as model cards do: "559M", "8.03B", "1.03T".
// The limits are where rounding to three digits would write 1000 of the smaller unit.
func parameterCount(n float64) string {
	switch {
	case n < 999.5e6:
		return units.Decimals(n/1e6, 0) + "M"
	case n < 999.5e9:
		return units.Short(n/1e9) + "B"
	default:
		return units.Short(n/1e12) + "T"
	}
}

func acceleratorRows() ([][]string, error) {
	var rows [][]string
	for _, name := range hardware.Accelerators() {
		a, err := hardware.LookupAccelerator(name)
		if err != nil {
			return nil, err
		}
		row, err := acceleratorRow(name, &a)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// acceleratorRow is what people choose an accelerator by. A dash means that the default
// basis has no price of it, or that no link joins several of them.
func acceleratorRow(name string, a *hardware.Accelerator) ([]string, error) {
	price, link := "–", "–"
	if basis, err := hardware.LookupPriceBasis(hardware.DefaultPriceBasis); err != nil {
		return nil, err
	} else if rent, ok := basis.PerHour(name, 0, nil); ok {
		price = fmt.Sprintf("%.2f", rent)
	}
	if a.ScaleUp.World > 1 {
		link = fmt.Sprintf("%.0f", float64(a.ScaleUp.Bandwidth)/1e9) // GB/s
	}
	// As files write it: this cell can be copied into one.
	bandwidth, err := a.Bandwidth.MarshalText()
	// Older accelerators have no bf16: the faster 16-bit type is what models run in.
	// Data sheets give four digits.
	peak := units.Shortest(units.Round(max(a.BF16TFLOPS, a.FP16TFLOPS), 4))
	return []string{name, a.Memory.String(), string(bandwidth), peak, link, fmt.Sprintf("%.0f", a.TDPWatts), price}, err
}

// showAccelerator is the whole entry: what rows leave out says where numbers are from.
func showAccelerator(name string) (string, error) {
	a, err := hardware.LookupAccelerator(name)
	if err != nil {
		return "", err
	}
	return asTOML(strict.Encode(&a))
}

// priceRows are the bases of prices, the default first.
func priceRows() ([][]string, error) {
	var rows [][]string
	for _, name := range hardware.PriceBases() {
		b, err := hardware.LookupPriceBasis(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, b.Title, b.Date, fmt.Sprint(len(b.USDPerHour) + len(b.PurchaseUSD))})
	}
	return rows, nil
}

// showPrices is the whole basis: a copy of it can be named by prices.file.
func showPrices(name string) (string, error) {
	b, err := hardware.LookupPriceBasis(name)
	if err != nil {
		return "", err
	}
	return asTOML(strict.Encode(&b))
}

func engineRows() ([][]string, error) {
	var rows [][]string
	for _, name := range hardware.Engines() {
		e, err := hardware.LookupEngine(name)
		if err != nil {
			return nil, err
		}
		rows = append(rows, []string{name, e.Title})
	}
	return rows, nil
}

// showEngine is the whole profile: a copy of it can be named by hardware.engine.
func showEngine(name string) (string, error) {
	e, err := hardware.LookupEngine(name)
	if err != nil {
		return "", err
	}
	return asTOML(strict.Encode(&e))
}
