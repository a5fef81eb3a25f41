package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/plots"
)

// write puts results, and figures unless they are nil, into the folder, and the folder where
// it belongs: only when all of them are there. An interrupt leaves the figures out, which
// drawn tells, and so does a fault while they are drawn, which is returned.
func write(
	ctx context.Context,
	folder *results.Folder,
	res *results.Results,
	figures *plots.Options,
	stderr io.Writer,
) (drawn bool, err error) {
	if err := folder.Write(res); err != nil {
		return false, err
	}
	if err := folder.Create(tablesFile, func(w io.Writer) error { return writeTables(w, res) }); err != nil {
		return false, err
	}
	if figures != nil {
		drawn, err = draw(ctx, folder.Path(), res, *figures, stderr)
	}
	committed := commit(folder, stderr) // also without figures: the results are there
	return drawn, cmp.Or(err, committed)
}

// commit puts a folder where it belongs.
func commit(folder *results.Folder, stderr io.Writer) error {
	renamed, err := folder.Commit()
	for _, name := range renamed {
		fmt.Fprintf(stderr, "kneepoint: a file that had the name of a result was renamed: %s\n", name)
	}
	return err
}

// writeTables writes all tables, as wide as they are.
func writeTables(w io.Writer, res *results.Results) error {
	var text strings.Builder
	renderReport(page{Writer: &text}, res)
	_, err := io.WriteString(w, text.String())
	return err
}

// draw draws the figures into a folder. An interrupt does not wait for the one that is
// being drawn; drawn is then false, and none is there.
func draw(ctx context.Context, dir string, res *results.Results, figures plots.Options, stderr io.Writer) (drawn bool, err error) {
	if ctx.Err() != nil {
		return false, nil
	}
	if n := len(res.Series); n > plots.MostCurves {
		fmt.Fprintf(stderr, "kneepoint: figures show at most %d curves, and there are %d: none is drawn\n", plots.MostCurves, n)
		return false, nil
	}
	type outcome struct {
		images   []plots.Image
		warnings []string // of letters without a font
		err      error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = caught(func() (err error) { o.images, o.warnings, err = plots.Images(res, figures); return err })
		done <- o
	}()
	var o outcome
	select {
	case o = <-done:
	case <-ctx.Done():
		return false, nil
	}
	if o.err != nil {
		return false, o.err
	}
	if err := writeImages(dir, o.images); err != nil {
		return false, err
	}
	tellOfFigures(stderr, undrawn(res, o.images), o.warnings)
	return len(o.images) > 0, nil
}

// tellOfFigures says which figures are not there, and in which letters are not those of the
// experiment.
func tellOfFigures(stderr io.Writer, undrawn, letters []string) {
	if len(undrawn) > 0 {
		fmt.Fprintf(stderr, "kneepoint: no run has what these figures would show, so that they are not there: %s\n", strings.Join(undrawn, ", "))
	}
	if len(letters) > 0 {
		names := strings.Join(letters, "; ")
		fmt.Fprintf(stderr, "kneepoint: no font has the letters of some names; figures but SVG say instead: %s; --font FILE names one\n", names)
	}
}

// undrawn are the names of figures that the experiment asks for and that are not among the
// images: a metric may have no value in any run, which nobody knows beforehand.
func undrawn(res *results.Results, images []plots.Image) []string {
	var names []string
	for i := range res.Plots {
		name, _ := res.Plots[i].Name()
		isOf := func(image plots.Image) bool { return strings.TrimSuffix(image.Name, filepath.Ext(image.Name)) == name }
		if !slices.ContainsFunc(images, isOf) {
			names = append(names, name)
		}
	}
	return names
}

// writeImages writes images into a folder. One that could not be written whole, on a disk
// that is full, is not there.
func writeImages(dir string, images []plots.Image) error {
	for _, image := range images {
		path := filepath.Join(dir, image.Name)
		if err := os.WriteFile(path, image.Bytes, 0o644); err != nil {
			_ = os.Remove(path) // it may not be there
			return err
		}
	}
	return nil
}
