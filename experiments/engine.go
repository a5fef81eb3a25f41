package experiments

import (
	"path/filepath"

	"kneepoint/hardware"
)

// engine is the engine profile that the experiment names; a relative path to one
// starts from the folder of the experiment's file.
func (s *Spec) engine() (hardware.Engine, error) {
	name := s.Hardware.Engine
	if hardware.IsProfilePath(name) && !filepath.IsAbs(name) {
		name = filepath.Join(s.folder, name)
	}
	e, err := hardware.LookupEngine(name)
	return e, underTable("hardware", err)
}
