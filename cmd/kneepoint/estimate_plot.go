package main

import (
	"fmt"
	"io"

	"kneepoint/experiments/results"
	"kneepoint/plots"
	"kneepoint/units/badinput"
)

// estimateFigures is where the figures of an estimate go; nil for none.
type estimateFigures struct {
	dir     string
	folder  *results.Folder
	options plots.Options
}

// openFigures prepares the folder of --plot. Results of simulations do not give way to the
// figures of an estimate.
func openFigures(flags *estimateFlags) (*estimateFigures, error) {
	if flags.plot == "" {
		return nil, flags.figure.checkUnused("without --plot")
	}
	options, err := flags.figure.options()
	if err != nil {
		return nil, err
	}
	if results.IsIn(flags.plot) {
		return nil, &badinput.Error{Key: "--plot", Value: flags.plot, Problem: "is a folder of results, which the figures would replace",
			Allowed: "a new or an empty folder, or one of earlier figures"}
	}
	folder, err := results.OpenFolder(flags.plot)
	return &estimateFigures{flags.plot, folder, options}, badinput.At("--plot", err)
}

// draw draws figures and puts them in place; nothing of nil.
func (f *estimateFigures) draw(e *plots.Estimate, stderr io.Writer) error {
	if f == nil || e == nil {
		return nil
	}
	images, err := e.Images(f.options)
	if err == nil {
		err = writeImages(f.folder.Path(), images)
	}
	if err == nil {
		err = commit(f.folder, stderr)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.dir, err)
	}
	return nil
}

// discard removes what was not put in place.
func (f *estimateFigures) discard() {
	if f != nil {
		f.folder.Discard()
	}
}
