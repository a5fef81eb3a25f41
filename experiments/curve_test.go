package experiments

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kneepoint/experiments/results"
)

// TestCurvesAreCompleted: what a [[curve]] table leaves out is the first swept variable, and a
// band of 10 %.
func TestCurvesAreCompleted(t *testing.T) {
	got := experiment(t, small+"[[curve]]\nfigure = \"F\"\nstrategy = \"b\"\nmetric = \"mean_tpot_ms\"\npoints = [[1, 3], [1.5, 4]]\n").published()[0]
	if got.X != "workload.arrival.rate" || got.Within != 0.1 || len(got.Points) != 2 || got.Points[1].Y != 4 {
		t.Errorf("it is %+v", got)
	}
}

// TestPointsOfAFile are numbers, or names and numbers.
func TestPointsOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "points.csv")
	if err := os.WriteFile(path, []byte("note,x,y\nfirst, 1,0.9\n,b,3.2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	points, err := readPoints(path)
	if err != nil || len(points) != 2 || points[0] != (PublishedPointSpec{X: results.ValueOf(1.0), Y: 0.9}) ||
		points[1] != (PublishedPointSpec{X: results.ValueOf("b"), Y: 3.2}) {
		t.Errorf("%v, %v", points, err)
	}
}

// TestNoiseOfAFile: the column is read where it is there, empty cells have none, and blanks around a cell are no part of it.
func TestNoiseOfAFile(t *testing.T) {
	points, err := parsePoints(strings.NewReader("x,y,noise\n1 , 2 ,0.1\n a ,3,\n3,4, \n"))
	want := []PublishedPointSpec{{results.ValueOf(1.0), 2, 0.1}, {results.ValueOf("a"), 3, 0}, {results.ValueOf(3.0), 4, 0}}
	if err != nil || !slices.Equal(points, want) {
		t.Errorf("%v, %v", points, err)
	}
	_, err = parsePoints(strings.NewReader("x,y,noise\n1,2,0.1\n3,4,five\n"))
	if err == nil || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "noise") {
		t.Errorf("a word: %v", err)
	}
}

// FuzzParsePoints: any text is points with a value above 0 each, or an error.
func FuzzParsePoints(f *testing.F) {
	for _, text := range []string{"x,y\n1,2\n", "y,x\n2,h100\n", "x\n1\n", "x,y\n1,0\n", "x,y\n1,inf\n", "\ufeffx,y,z\n\"a\nb\",1,2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		points, err := parsePoints(strings.NewReader(text))
		if (err == nil) != (len(points) > 0) {
			t.Errorf("%d points, error %v", len(points), err)
		}
		for _, p := range points {
			if !(p.Y > 0) || p.X.IsZero() {
				t.Errorf("the point %v", p)
			}
		}
	})
}
