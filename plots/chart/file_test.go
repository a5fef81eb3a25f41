package chart

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// onePanel is a page with a line and a translucent band.
func onePanel(s *Style) Page {
	p, labels := s.NewPlot(), s.Labels()
	FromZero(&p.X, []float64{1, 2}, func(float64) string { return "1" })
	FromZero(&p.Y, []float64{1, 2}, func(float64) string { return "2" })
	p.Add(Bands([]float64{1, 2}, []float64{0.5, 1}, []float64{1, 2}, Faded(s.Look(0).Line, 0.2))...)
	p.Add(Line{XYs: plotter.XYs{{X: 1, Y: 1}, {X: 2, Y: 2}}, Solid: s.Stroke(20, s.Look(0).Line)}, labels)
	return Page{Title: "A title", Subtitle: "of a page", Panels: [][]*plot.Plot{{p}}, Labels: []*Labels{labels}, Notes: []string{"a note"}}
}

// TestFiles: every format in every size and theme is drawn, the same once others have been drawn, and a PNG has
// the resolution at which it is as wide as its size says.
func TestFiles(t *testing.T) {
	drawn := map[string][]byte{}
	for range 2 {
		for _, size := range Sizes {
			for _, theme := range Themes {
				s := NewStyle(size, theme, nil)
				for _, format := range Formats {
					file, err := s.Lay(onePanel(s)).File(format)
					if err != nil {
						t.Fatalf("%s, %s: %v", size.Name, format, err)
					}
					key := size.Name + theme.Name + format
					if first := drawn[key]; first != nil && !bytes.Equal(first, file) {
						t.Errorf("%s, %s, %s: two drawings differ", size.Name, theme.Name, format)
					}
					if drawn[key] = file; format == "png" {
						checkResolution(t, size, file)
					}
				}
			}
		}
	}
	if _, err := NewStyle(Sizes[0], Themes[0], nil).Lay(Page{}).File("gif"); err == nil {
		t.Error("a GIF is drawn")
	}
}

// TestImagesAreUpright: what is drawn at the top of a page is at the top of its image, on its paper.
func TestImagesAreUpright(t *testing.T) {
	s := NewStyle(Sizes[0], Themes[1], nil)
	h := s.Lay(onePanel(s))
	to := image.NewRGBA(image.Rect(0, 0, 40, 30))
	c := h.canvas(to)
	dot := func(n float64) vg.Length { return vg.Length(n/c.DPI()) * vg.Inch }
	c.SetColor(color.White)
	c.Fill(vg.Rectangle{Min: vg.Point{Y: dot(20)}, Max: vg.Point{X: dot(40), Y: dot(30)}}.Path())
	if top, bottom := to.At(20, 5), to.At(20, 25); top != (color.RGBA{255, 255, 255, 255}) || bottom != color.RGBAModel.Convert(h.Paper) {
		t.Errorf("%v at the top and %v at the bottom", top, bottom)
	}
}

func checkResolution(t *testing.T, size Size, file []byte) {
	t.Helper()
	i := bytes.Index(file, []byte("pHYs"))
	if i < 0 {
		t.Fatal("no resolution")
	}
	perMeter := binary.BigEndian.Uint32(file[i+4:])
	image, err := png.Decode(bytes.NewReader(file)) // checks the checksums of all chunks
	if err != nil {
		t.Fatal(err)
	}
	const inch = 0.0254
	if got, want := float64(image.Bounds().Dx())/float64(perMeter)/inch, size.Width.Points()/72; got < 0.995*want || got > 1.005*want {
		t.Errorf("%s is %.3f inches wide, want %.3f", size.Name, got, want)
	}
}

// TestTextIsReadable: ticks of a column are at least 6 points high.
func TestTextIsReadable(t *testing.T) {
	for _, size := range Sizes {
		if size.Text < 6 {
			t.Errorf("%s has ticks of %v points", size.Name, size.Text)
		}
	}
}

// TestNotesAreNeverCut: a footer has whole notes in three lines, and says where the others
// are.
func TestNotesAreNeverCut(t *testing.T) {
	s := NewStyle(Sizes[2], Themes[0], nil)
	notes := []string{"first", "the second one, which is longer than a line of a narrow column can be, by far, so that it stands elsewhere",
		"third of them, still short", "fourth of them, still short", "fifth of them, still short", "sixth of them, still short"}
	lines := s.footer(Page{Notes: notes, Rest: "more in x.txt"})
	want := []string{"first · third of them, still short · fourth of them, still short", "fifth of them, still short · sixth of them, still short · more in x.txt"}
	for i := range max(len(lines), len(want)) {
		if len(lines) != len(want) || lines[i] != want[i] {
			t.Fatalf("footer %q, want %q", lines, want)
		}
	}
}
