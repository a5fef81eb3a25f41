package hardware

import "embed"

//go:embed catalog
var catalogFiles embed.FS
