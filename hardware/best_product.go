package hardware

import (
	"sync"

	"kneepoint/internal/catalog"
)

// bestProducts are the file of the fastest products that were measured on accelerators of which no other kernels were.
type bestProducts struct {
	Source      string `toml:"source"`
	BestProduct []struct {
		Accelerator string  `toml:"accelerator"`
		TFLOPS      float64 `toml:"tflops"`
		Note        string  `toml:"note"`
	} `toml:"best_product"`
}

var bestProductFile = sync.OnceValues(func() (file bestProducts, err error) {
	err = catalog.Decode(catalogFiles, "catalog/best-products.toml", &file)
	return file, err
})

// mostSustained is the share of an accelerator's peak in 16 bits that the fastest product reached which was measured on
// it, or on the one whose kernels stand in; 1 where none was. A class default promises no kernel a greater share. That holds
// for narrower formats, too: what keeps such a product from the peak is mostly the power that it draws, and of the seven
// accelerators of which the same source has both, six reach a smaller share in 8 bits than in 16.
func mostSustained(a *Accelerator) (float64, error) {
	file, err := bestProductFile()
	if err != nil {
		return 1, err
	}
	for _, name := range []string{a.Name, a.KernelsLike} {
		for _, b := range file.BestProduct {
			if b.Accelerator == name {
				measured, err := LookupAccelerator(name)
				return b.TFLOPS * 1e12 / float64(measured.widePeak()), err
			}
		}
	}
	return 1, nil
}
