// Package svgtext reads where an SVG that gonum/plot drew has its texts, for tests of
// figures: none may lie on another, or leave the page.
//
// It knows SVG and fonts. It must not know what a figure shows.
package svgtext

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// Text is a text on a page, with its box: that of capitals above the baseline, in points
// from the upper left corner of the page.
type Text struct {
	Text string
	Box  vg.Rectangle
}

var (
	fonts    = font.NewCache(liberation.Collection())
	fontSize = regexp.MustCompile(`font-size:([0-9.]+)px`)
	rotation = regexp.MustCompile(`^rotate\(([-+0-9.e]+)\)`)
)

// Read returns the texts of an SVG in the order in which they are drawn, and the size of
// its page. Letters are taken to be of Liberation Sans.
func Read(svg string) (texts []Text, page vg.Point, err error) {
	r := reader{turned: []float64{0}}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return r.texts, r.page, nil
		}
		if err == nil {
			err = r.read(token)
		}
		if err != nil {
			return nil, r.page, err
		}
	}
}

// reader is how far an SVG is read.
type reader struct {
	texts  []Text
	page   vg.Point
	of     *Text // that is being read; nil outside of any
	face   font.Face
	turned []float64 // by the groups around, in radians
}

// read reads the next part of the SVG.
func (r *reader) read(token xml.Token) error {
	switch e := token.(type) {
	case xml.StartElement:
		return r.begin(e)
	case xml.EndElement:
		r.of = nil
		if e.Name.Local == "g" {
			r.turned = r.turned[:len(r.turned)-1]
		}
	case xml.CharData:
		if r.of != nil {
			r.of.Text = string(e)
			r.of.Box.Max.X = r.of.Box.Min.X + r.face.Width(r.of.Text)
			r.of.Box = turn(r.of.Box, r.turned[len(r.turned)-1])
			r.texts = append(r.texts, *r.of)
		}
	}
	return nil
}

// begin reads the beginning of an element.
func (r *reader) begin(e xml.StartElement) (err error) {
	attributes := map[string]string{}
	for _, a := range e.Attr {
		attributes[a.Name.Local] = a.Value
	}
	switch e.Name.Local {
	case "svg":
		_, err = fmt.Sscanf(attributes["viewBox"], "0 0 %g %g", (*float64)(&r.page.X), (*float64)(&r.page.Y))
	case "g":
		degrees := 0.0
		if found := rotation.FindStringSubmatch(attributes["transform"]); found != nil {
			degrees, err = strconv.ParseFloat(found[1], 64)
		}
		r.turned = append(r.turned, r.turned[len(r.turned)-1]+degrees*math.Pi/180)
	case "text":
		r.of, r.face, err = newText(attributes)
	}
	return err
}

// turn is the box around another one that is turned around the corner of the page.
func turn(box vg.Rectangle, angle float64) vg.Rectangle {
	sin, cos := math.Sincos(angle)
	at := func(p vg.Point) vg.Point {
		return vg.Point{X: p.X*vg.Length(cos) - p.Y*vg.Length(sin), Y: p.X*vg.Length(sin) + p.Y*vg.Length(cos)}
	}
	a, b := at(box.Min), at(box.Max)
	return vg.Rectangle{Min: vg.Point{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, Max: vg.Point{X: max(a.X, b.X), Y: max(a.Y, b.Y)}}
}

// newText is a text of which the letters follow, and their font.
func newText(attributes map[string]string) (*Text, font.Face, error) {
	x, errX := strconv.ParseFloat(attributes["x"], 64)
	y, errY := strconv.ParseFloat(attributes["y"], 64)
	found := fontSize.FindStringSubmatch(attributes["style"])
	if errX != nil || errY != nil || found == nil {
		return nil, font.Face{}, fmt.Errorf("a text without a place or a size: %v", attributes)
	}
	size, err := strconv.ParseFloat(found[1], 64)
	fnt := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if strings.Contains(attributes["style"], "font-weight:bold") {
		fnt.Weight = xfont.WeightBold
	}
	const capital = 0.7 // of the size
	bottom := vg.Point{X: vg.Length(x), Y: -vg.Length(y)}
	box := vg.Rectangle{Min: bottom, Max: bottom.Add(vg.Point{Y: vg.Length(capital * size)})}
	return &Text{Box: box}, fonts.Lookup(fnt, vg.Length(size)), err
}

// Faults are the texts of an SVG that lie on each other or leave the page, in words.
func Faults(svg string) ([]string, error) {
	texts, page, err := Read(svg)
	if err != nil {
		return nil, err
	}
	const tolerance = 0.6 // points
	var faults []string
	for i, a := range texts {
		if a.Box.Min.X < -tolerance || a.Box.Max.X > page.X+tolerance || a.Box.Min.Y < -tolerance || a.Box.Max.Y > page.Y+tolerance {
			faults = append(faults, fmt.Sprintf("%q leaves the page of %v: %v", a.Text, page, a.Box))
		}
		for _, b := range texts[:i] {
			wide := min(a.Box.Max.X, b.Box.Max.X) - max(a.Box.Min.X, b.Box.Min.X)
			high := min(a.Box.Max.Y, b.Box.Max.Y) - max(a.Box.Min.Y, b.Box.Min.Y)
			if wide > tolerance && high > tolerance {
				faults = append(faults, fmt.Sprintf("%q at %v lies on %q at %v", a.Text, a.Box, b.Text, b.Box))
			}
		}
	}
	return faults, nil
}
