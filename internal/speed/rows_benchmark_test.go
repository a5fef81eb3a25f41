package main

import (
	"path/filepath"
	"testing"
	"time"

	"kneepoint/internal/revisions"
)

// BenchmarkRows runs every row with the working tree's kneepoint, everything included but what a run of one request takes.
func BenchmarkRows(b *testing.B) {
	binary := filepath.Join(b.TempDir(), "kneepoint")
	if err := revisions.BuildWorkTree(binary); err != nil {
		b.Fatal(err)
	}
	took := func(b *testing.B, r row) time.Duration {
		t, err := r.took(binary, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		return t
	}
	for _, r := range rows {
		b.Run(r.name, func(b *testing.B) {
			one := r
			one.requests = 1
			start, all := took(b, one), time.Duration(0)
			for b.Loop() {
				all += took(b, r) - start
			}
			b.ReportMetric(float64(r.requests*b.N)/all.Seconds(), "requests/CPU-s")
		})
	}
}
