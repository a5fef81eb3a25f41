package main

import (
	"errors"
	"fmt"
	"io"

	"kneepoint/experiments/results"
	"kneepoint/plots"
	"kneepoint/units/badinput"
)

// figureFolder is where the figures of --plot go; nil for none.
type figureFolder struct {
	dir     string
	folder  *results.Folder
	options plots.Options
}

// openFigures prepares the folder of --plot; "" is none. Results of simulations do not give
// way to these figures.
func openFigures(dir string, flags *figureFlags) (*figureFolder, error) {
	if dir == "" {
		return nil, flags.checkUnused("without --plot")
	}
	options, err := flags.options()
	if err != nil {
		return nil, err
	}
	if results.IsIn(dir) {
		return nil, &badinput.Error{Key: "--plot", Value: dir, Problem: "is a folder of results, which the figures would replace",
			Allowed: "a new or an empty folder, or one of earlier figures"}
	}
	folder, err := results.OpenFolder(dir)
	return &figureFolder{dir, folder, options}, badinput.At("--plot", err)
}

// figured draws figures of its own.
type figured interface {
	Images(o plots.Options) ([]plots.Image, error)
}

// draw draws figures and puts them in place; nothing of nil.
func (f *figureFolder) draw(all []figured, stderr io.Writer) error {
	if f == nil || len(all) == 0 {
		return nil
	}
	var images []plots.Image
	var err error
	for _, one := range all {
		drawn, failed := one.Images(f.options)
		images, err = append(images, drawn...), errors.Join(err, failed)
	}
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
func (f *figureFolder) discard() {
	if f != nil {
		f.folder.Discard()
	}
}
