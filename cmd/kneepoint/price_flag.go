package main

import (
	"math"
	"strconv"
	"strings"

	"kneepoint/units/badinput"
)

// parsePrice reads the price of an accelerator, NAME=USD.
func parsePrice(text string) (name string, usd float64, err error) {
	name, number, _ := strings.Cut(text, "=")
	usd, err = strconv.ParseFloat(number, 64)
	if name == "" || err != nil || !(usd > 0) || math.IsInf(usd, 0) {
		return "", 0, &badinput.Error{Key: "--price", Value: text, Problem: "is no price of an accelerator",
			Allowed: "NAME=USD, like h100-sxm=2.10"}
	}
	return name, usd, nil
}

// withPrices adds --price to the keys that are set: NAME=USD.
func withPrices(set, prices []string) ([]string, error) {
	for _, text := range prices {
		name, usd, err := parsePrice(text)
		if err != nil {
			return nil, err
		}
		set = append(set, "prices.usd_per_hour."+name+"="+strconv.FormatFloat(usd, 'f', -1, 64))
	}
	return set, nil
}
