package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"kneepoint/experiments/results"
	"kneepoint/plots"
)

// write puts results, and figures unless they are nil, into the folder, and the folder where
// it belongs: only when all of them are there, so that a crash while figures are
// drawn leaves earlier results as they were. An interrupt leaves the figures out, which
// drawn tells.
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
		if drawn, err = draw(ctx, folder.Path(), res, *figures, stderr); err != nil {
			return false, err
		}
	}
	renamed, err := folder.Commit()
	for _, name := range renamed {
		fmt.Fprintf(stderr, "kneepoint: a file that had the name of a result was renamed: %s\n", name)
	}
	return drawn, err
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
	if ctx.Err() != nil || len(res.Series) > plots.MostCurves {
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
	for _, image := range o.images {
		if err := os.WriteFile(filepath.Join(dir, image.Name), image.Bytes, 0o644); err != nil {
			return false, err
		}
	}
	if len(o.warnings) > 0 {
		names := strings.Join(o.warnings, "; ")
		fmt.Fprintf(stderr, "kneepoint: no font has the letters of some names; figures but SVG say instead: %s; --font FILE names one\n", names)
	}
	return o.err == nil, o.err
}
