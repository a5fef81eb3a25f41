// Package model knows what large language models are made of: the dimensions
// of decoders, and what follows from them exactly, such as parameters, matrix
// shapes, FLOPs, and bytes of keys and values per token.
//
// The catalog under catalog/ is TOML data, each entry with its source, parsed
// once and never changed; a Hugging Face config.json describes any other model
// of a known family.
//
// The package must not know accelerators or engines (of package hardware it
// uses the precisions alone), and nothing about time.
package model
