package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kneepoint/experiments"
	"kneepoint/experiments/results"
	"kneepoint/plots"
	"kneepoint/units/badinput"
)

// reproduceFlags are the flags of reproduce.
type reproduceFlags struct {
	out       string // path of a folder
	workers   int    // 0: one per core
	json      bool
	quiet     bool
	noColor   bool
	noFigures bool
	storing   storeFlags
	figure    figureFlags
}

func (f *reproduceFlags) declare(set *pflag.FlagSet) {
	set.StringVar(&f.out, "out", filepath.Join("results", "reproductions"), "folder for the page and its figures")
	intVar(set, &f.workers, "workers", 0, "simulations at a time (default: one per core)")
	set.BoolVar(&f.json, "json", false, "print "+reproductionsFile+" instead of a table")
	set.BoolVarP(&f.quiet, "quiet", "q", false, "no progress, no messages")
	set.BoolVar(&f.noColor, "no-color", false, "no colour, even on a terminal")
	set.BoolVar(&f.noFigures, "no-figures", false, "draw no figures")
	f.figure.declareLook(set)
	f.storing.declare(set)
}

func (f *reproduceFlags) read(set *pflag.FlagSet) error {
	return cmp.Or(checkFolderFlag(set, "out", f.out), f.storing.check(set), checkWorkers(f.workers))
}

// newReproduce makes the verb that repeats what papers published.
func newReproduce() *cobra.Command {
	var flags reproduceFlags
	cmd := &cobra.Command{
		Use:   "reproduce [FILE...]",
		Short: "Repeat published results, and say how near they come",
		Long: `Reproduce runs the experiments that repeat a paper or a post, all that come with
kneepoint or those that are named, and says of every figure or table how many of its
numbers come out within their bands, and whether orders and crossings are kept. It
writes a page with every published curve beside the simulated one. What is missed
stays in the table, and is no error.`,
		Example: `  kneepoint reproduce
  kneepoint reproduce databricks-static
  kneepoint reproduce mine.toml --out results/mine
  kneepoint reproduce --json | jq '.[].figures[].verdict'`,
	}
	flags.declare(cmd.Flags())
	return onFiles(cmd, &flags, &flags.quiet, experiments.Papers, func(ctx context.Context, files []string, stdout, stderr io.Writer) error {
		return reproduce(ctx, files, &flags, stdout, stderr)
	})
}

// reproduction is what came of one experiment.
type reproduction struct {
	Experiment string                 `json:"experiment"`
	Paper      *results.Paper         `json:"paper"`
	Figures    []results.Reproduction `json:"figures"`
	Curves     []results.Reproduced   `json:"curves"`
	Witnesses  []results.Witnessed    `json:"witnesses,omitempty"`

	res   *results.Results
	image string // of the overlay; "": none is drawn
}

// reproduce runs the named experiments, or all that repeat a paper. All files are read before
// anything is simulated.
func reproduce(ctx context.Context, names []string, flags *reproduceFlags, stdout, stderr io.Writer) error {
	figures, err := flags.figure.unless(flags.json, flags.noFigures)
	if err != nil {
		return err
	}
	all, err := loadPapers(ctx, names)
	if err != nil {
		return err
	}
	folder, err := results.OpenFolder(flags.out)
	if err != nil {
		return err
	}
	defer folder.Discard()
	keeper, err := flags.storing.open(ctx)
	if err != nil {
		return err
	}
	defer keeper.close()
	var done []reproduction
	for _, e := range all {
		var r *reproduction
		if r, err = reproduceOne(ctx, e, flags, keeper, stderr); err != nil {
			break
		}
		done = append(done, *r)
	}
	if len(done) == 0 {
		return err
	}
	failed := writeReproductions(folder, done, figures, stderr)
	printed := printReproductions(stdout, done, flags)
	if failed != nil {
		return errors.Join(fmt.Errorf("%s: %w", flags.out, failed), err, printed)
	}
	fmt.Fprintf(stderr, "\npage: %s\n", filepath.Join(flags.out, pageFile))
	if errors.Is(err, context.Canceled) {
		fmt.Fprintf(stderr, "kneepoint: interrupted; the page holds %d of %d experiments\n", len(done), len(all))
	}
	return errors.Join(err, printed)
}

// loadPapers reads the experiments, none of which may be without published curves. Two of one name would be one on the
// page, and have one figure.
func loadPapers(ctx context.Context, names []string) ([]*experiments.Experiment, error) {
	if len(names) == 0 {
		names = experiments.Papers()
	}
	var all []*experiments.Experiment
	for _, name := range names {
		e, err := load(ctx, name, nil, (*experiments.File).Check)
		if err != nil {
			return nil, err
		}
		if e.Spec.Paper == nil {
			return nil, &badinput.Error{File: name, Key: "paper", Problem: "repeats nothing that was published",
				Allowed: "a [paper] and [[curve]] tables"}
		}
		if slices.ContainsFunc(all, func(other *experiments.Experiment) bool { return other.File.Name == e.File.Name }) {
			return nil, &badinput.Error{File: name, Problem: fmt.Sprintf("is a second one of the name %q", e.File.Name), Allowed: "every name once"}
		}
		all = append(all, e)
	}
	return all, nil
}

// reproduceOne runs one experiment.
func reproduceOne(
	ctx context.Context,
	e *experiments.Experiment,
	flags *reproduceFlags,
	keeper *keeper,
	stderr io.Writer,
) (*reproduction, error) {
	progress := newProgress(stderr)
	res, err := e.Run(ctx, experiments.Options{Workers: flags.workers, Store: keeper.store(), Progress: progress.updateRuns})
	progress.close()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.File.Name, err)
	}
	return &reproduction{e.File.Name, res.Paper, res.Reproductions(), res.Reproduced, res.Witnesses(), res, ""}, nil
}

// The files of a folder of reproductions.
const (
	reproductionsFile = "reproductions.json"
	pageFile          = "reproductions.md"
)

// writeReproductions puts the page and what it shows into the folder, and the folder where it
// belongs.
func writeReproductions(folder *results.Folder, all []reproduction, figures *plots.Options, stderr io.Writer) error {
	if err := folder.Create(reproductionsFile, func(w io.Writer) error { return printJSON(w, all) }); err != nil {
		return err
	}
	for i := range all {
		if figures == nil {
			break
		}
		images, err := overlayOf(&all[i], *figures)
		if err != nil {
			return err
		}
		if err := writeImages(folder.Path(), images); err != nil {
			return err
		}
		if len(images) > 0 {
			all[i].image = images[0].Name
		}
	}
	page := func(w io.Writer) error {
		_, err := io.WriteString(w, reproductionsPage(all))
		return err
	}
	if err := folder.Create(pageFile, page); err != nil {
		return err
	}
	return commit(folder, stderr)
}

// overlayOf is the figure of published and simulated curves, under the experiment's name.
func overlayOf(r *reproduction, o plots.Options) ([]plots.Image, error) {
	shown := *r.res
	shown.Plots = []results.PlotSpec{{Kind: results.PlotOverlay, File: r.Experiment}}
	images, _, err := plots.Images(&shown, o)
	return images, err
}

// printReproductions prints the table, or what the folder has as JSON.
func printReproductions(stdout io.Writer, all []reproduction, flags *reproduceFlags) error {
	if flags.json {
		return printJSON(stdout, all)
	}
	var text strings.Builder
	p := newPage(stdout, flags.noColor).on(&text)
	reproductionSheet(all).print(p)
	p.paragraph(totals(all))
	printWitnesses(p, all)
	_, err := io.WriteString(stdout, text.String())
	return err
}
