// Package model knows what large language models are made of: the dimensions
// of dense decoders, and what follows from them exactly, such as parameters,
// matrix shapes, FLOPs, and bytes of keys and values per token.
//
// The catalog under catalog/ is TOML data, each entry with its source, parsed
// once and never changed. Mixtures of experts, latent attention and sliding
// windows are not described yet, and no model that needs them is in the catalog.
//
// The package must not know accelerators or engines (of package hardware it
// uses the precisions alone), and nothing about time.
package model
