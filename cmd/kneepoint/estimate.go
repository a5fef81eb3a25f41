package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

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
			return printEstimate(cmd.OutOrStdout(), &flags)
		},
	}
	flags.declare(cmd.Flags())
	return cmd
}

// printEstimate answers the question of the flags, in tables or as JSON. Text is
// printed in one piece: a reader that closes the pipe early gets no half of a line.
func printEstimate(w io.Writer, flags *estimateFlags) error {
	report, deployment, err := flags.report()
	if err != nil {
		return err
	}
	if flags.json {
		return printJSON(w, report)
	}
	var text strings.Builder
	renderEstimate(&text, &report, deployment)
	_, err = io.WriteString(w, text.String())
	return err
}

// report asks the cost model. The deployment that comes with it has the model's own
// limits where flags left them out.
func (f *estimateFlags) report() (estimate.Report, roofline.Deployment, error) {
	cost, err := f.costModel()
	if err != nil {
		return estimate.Report{}, roofline.Deployment{}, err
	}
	question, err := f.asked()
	if err != nil {
		return estimate.Report{}, roofline.Deployment{}, err
	}
	if err := estimate.Check(cost, question); err != nil {
		return estimate.Report{}, roofline.Deployment{}, asFlag(err)
	}
	return estimate.Of(cost, question), cost.Deployment(), nil
}

// costModel builds the cost model of what the flags name.
func (f *estimateFlags) costModel() (*roofline.Model, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	deployment, err := f.deployment()
	if err != nil {
		return nil, asFlag(err)
	}
	cost, err := roofline.New(deployment)
	return cost, asFlag(err)
}
