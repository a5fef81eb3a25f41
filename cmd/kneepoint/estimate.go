package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kneepoint/hardware"
	"kneepoint/hardware/estimate"
	"kneepoint/hardware/roofline"
)

// newEstimate makes the verb that asks the cost model without a simulation.
func newEstimate() *cobra.Command {
	var flags estimateFlags
	cmd := &cobra.Command{
		Use:   "estimate --model NAME --accelerator NAME",
		Short: "Estimate a deployment without a simulation: does it fit, how fast, how many, at what cost",
		Long: `Estimate asks the cost model alone: does the model fit, how many users does the KV
cache hold, what are TTFT and TPOT at least and in practice, where does the time
go, how large may the batch be, what does a token cost, and how long does a cold
start take. Nothing is simulated, so nothing waits in a queue; use run for traffic.`,
		Example: `  kneepoint estimate --model llama-3.1-70b --accelerator h100-sxm --tp 4 --prompt 1024 --output 256
  kneepoint estimate --model llama-3.1-8b --accelerator l4 --weights int4 --slo-tpot-ms 50
  kneepoint estimate --model qwen2.5-7b --accelerator apple-m4-max --weights int4
  kneepoint estimate --model llama-3.1-405b --accelerator h100-sxm --tp 8 --pp 2 --batch 64
  kneepoint estimate --model llama-3.1-8b --accelerator h100-sxm --batch 64 --json | jq .decode.operators`,
		Args: exactly(0, "no arguments but flags"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := checkFolderFlag(cmd.Flags(), "plot", flags.plot); err != nil {
				return err
			}
			if err := flags.checkZeros(cmd.Flags()); err != nil {
				return err
			}
			return runEstimate(&flags, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// runEstimate answers the question of the flags, with figures where they are asked for. A
// folder that cannot be written is refused first.
func runEstimate(flags *estimateFlags, stdout, stderr io.Writer) error {
	if err := flags.check(); err != nil {
		return err
	}
	figures, err := openFigures(flags.plot, &flags.figure)
	if err != nil {
		return err
	}
	defer figures.discard()
	report, cost, err := flags.report()
	if err != nil {
		return errors.Join(err, figures.draw(flags.lack(), stderr))
	}
	prices, err := flags.pricesOf(cost.Deployment().Accelerator)
	if err != nil {
		return err
	}
	if err := printEstimate(stdout, flags.json, &pricedReport{report, prices}, cost.Deployment()); err != nil {
		return err
	}
	if figures == nil {
		return nil
	}
	if err := figures.draw([]figured{flags.figures(&report, cost)}, stderr); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stderr, "figures: %s\n", flags.plot)
	return err
}

// printEstimate prints an answer in tables or as JSON. Text is
// printed in one piece: a reader that closes the pipe early gets no half of a line.
func printEstimate(w io.Writer, asJSON bool, report *pricedReport, deployment roofline.Deployment) error {
	if asJSON {
		return printJSON(w, report)
	}
	var text strings.Builder
	renderEstimate(&text, &report.Report, deployment)
	if report.Prices != nil {
		fmt.Fprintln(&text, report.Prices.Text())
	} else {
		fmt.Fprintf(&text, "no price of %s (%s)\n", report.Accelerator, hardware.PricedIn(report.Accelerator))
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// report asks the cost model. The model that comes with it has its own limits where flags
// left them out.
func (f *estimateFlags) report() (estimate.Report, *roofline.Model, error) {
	cost, err := f.costModel()
	if err != nil {
		return estimate.Report{}, nil, err
	}
	question, err := f.asked()
	if err != nil {
		return estimate.Report{}, nil, err
	}
	if err := estimate.Check(cost, question); err != nil {
		return estimate.Report{}, nil, asFlag(err)
	}
	return estimate.Of(cost, question), cost, nil
}

// costModel builds the cost model of what the flags name.
func (f *estimateFlags) costModel() (*roofline.Model, error) {
	deployment, err := f.deployment()
	if err != nil {
		return nil, asFlag(err)
	}
	cost, err := roofline.New(deployment)
	return cost, asFlag(err)
}
