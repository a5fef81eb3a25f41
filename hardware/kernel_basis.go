package hardware

import "slices"

// KernelBasis says on which accelerator the kernels were measured whose constants another one has.
type KernelBasis int

const (
	KernelsMeasured KernelBasis = iota // on the accelerator itself
	KernelsOfFamily                    // on the one that it is said to be like, or one of its architecture
	KernelsOfClass                     // on none like it
)

// KernelBasisOf is that of the matrix products of an accelerator.
func KernelBasisOf(a *Accelerator) KernelBasis {
	products, err := efficiencies(GEMM)
	if err != nil {
		return KernelsOfClass
	}
	measured := func(name string) bool {
		return name != "" && slices.ContainsFunc(products, func(r efficiencyRow) bool { return r.Accelerator == name })
	}
	switch {
	case measured(a.Name):
		return KernelsMeasured
	case measured(a.KernelsLike) || slices.ContainsFunc(sameArchitecture(a), measured):
		return KernelsOfFamily
	}
	return KernelsOfClass
}
