package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"kneepoint/experiments/results"
	"kneepoint/plots"
	"kneepoint/units/badinput"
	"kneepoint/units/printable"
)

// figureFlags say how figures are drawn that do not ask for something else themselves.
type figureFlags struct {
	formats string // "png,svg"
	size    string
	theme   string
	font    string // path of a file; "": none
}

// defaultFigures is what the flags are where they are not given.
var defaultFigures = figureFlags{formats: "png,svg", size: results.PageSize, theme: "light"}

// declare gives the flags their names, defaults and help.
func (f *figureFlags) declare(set *pflag.FlagSet) {
	f.declareLook(set)
	set.StringVar(&f.font, "font", "", "font file (TTF, OTF, TTC) for letters in figures that the built-in font lacks")
}

// declareWith declares them beside the flag that none are drawn.
func (f *figureFlags) declareWith(set *pflag.FlagSet, none *bool) {
	set.BoolVar(none, "no-figures", false, "draw no figures")
	f.declare(set)
}

// unless is options, and nil where no figures are drawn: a program that reads JSON has no use
// for them.
func (f *figureFlags) unless(json, none bool) (*plots.Options, error) {
	switch {
	case json:
		return nil, f.checkUnused("with --json, which draws no figures")
	case none:
		return nil, f.checkUnused("with --no-figures")
	}
	o, err := f.options()
	return &o, err
}

// declareLook declares the flags that concern figures in the letters of the built-in font.
func (f *figureFlags) declareLook(set *pflag.FlagSet) {
	set.StringVar(&f.formats, "figure-formats", defaultFigures.formats, "formats of figures: png, svg, pdf, or several with commas")
	set.StringVar(&f.size, "figure-size", defaultFigures.size, "size of figures: slide, page or column")
	set.StringVar(&f.theme, "figure-theme", defaultFigures.theme, "light, or dark: light on dark paper")
}

// options are what the flags mean; a *badinput.Error where that is nothing.
func (f *figureFlags) options() (plots.Options, error) {
	o := plots.Options{Size: f.size, Theme: f.theme}
	if err := oneOf("--figure-size", f.size, results.PlotSizes...); err != nil {
		return o, err
	}
	if err := oneOf("--figure-theme", f.theme, "light", "dark"); err != nil {
		return o, err
	}
	var err error
	if o.Formats, err = formatsOf(f.formats); err != nil || f.font == "" {
		return o, err
	}
	o.Font, err = badinput.ReadFile(f.font, badinput.MostTable, readFont)
	return o, badinput.At("--font", err)
}

// checkUnused refuses flags that were given although no figures are drawn, and says why.
func (f *figureFlags) checkUnused(why string) error {
	for _, flag := range []struct{ name, value, usual string }{
		{"--figure-formats", f.formats, defaultFigures.formats},
		{"--figure-size", f.size, defaultFigures.size},
		{"--figure-theme", f.theme, defaultFigures.theme},
		{"--font", f.font, defaultFigures.font},
	} {
		if flag.value != flag.usual {
			return &badinput.Error{Key: flag.name, Value: flag.value, Problem: "has no effect " + why}
		}
	}
	return nil
}

// formatsOf are the formats of a list, each once.
func formatsOf(list string) ([]string, error) {
	var known, formats []string
	for _, ending := range results.PlotEndings {
		known = append(known, ending[1:])
	}
	for _, name := range strings.Split(list, ",") {
		name = strings.TrimSpace(name)
		if err := oneOf("--figure-formats", name, known...); err != nil {
			return nil, err
		}
		if slices.Contains(formats, name) {
			return nil, &badinput.Error{Key: "--figure-formats", Value: list, Problem: fmt.Sprintf("%s stands twice in the list", name)}
		}
		formats = append(formats, name)
	}
	return formats, nil
}

// readFont reads a font, or the first one of a collection, and looks at what figures ask
// every letter for: half of a font would stop them when everything is simulated.
func readFont(r io.Reader) (*opentype.Font, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var font *opentype.Font
	collection, err := opentype.ParseCollection(data)
	if err == nil {
		font, err = collection.Font(0)
	}
	if err == nil {
		err = checkFont(font)
	}
	if err != nil {
		return nil, &badinput.Error{Problem: "is no font: " + err.Error(), Allowed: "a file with outlines of letters: TTF, OTF or TTC"}
	}
	return font, nil
}

func checkFont(f *opentype.Font) error {
	var buf sfnt.Buffer
	size := fixed.Int26_6(f.UnitsPerEm())
	if name, err := f.Name(&buf, sfnt.NameIDFamily); err != nil || !printable.Line(name) || strings.ContainsAny(name, `"'<>&;`) {
		return errors.New("its name is none that an SVG can have")
	}
	if _, err := f.Metrics(&buf, size, font.HintingNone); err != nil {
		return err
	}
	for glyph := range f.NumGlyphs() {
		if _, err := f.GlyphAdvance(&buf, sfnt.GlyphIndex(glyph), size, font.HintingNone); err != nil {
			return err
		}
		_, err := f.Kern(&buf, sfnt.GlyphIndex(glyph), sfnt.GlyphIndex(glyph), size, font.HintingNone)
		if err != nil && !errors.Is(err, sfnt.ErrNotFound) {
			return err
		}
	}
	return nil
}
