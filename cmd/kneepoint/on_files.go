package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// onFiles completes a verb that does something with files of experiments, or with those of
// given names that come with kneepoint. Its flags are read and checked before.
func onFiles(cmd *cobra.Command, flags interface{ read(*pflag.FlagSet) error }, quiet *bool, names func() []string,
	do func(ctx context.Context, files []string, stdout, stderr io.Writer) error) *cobra.Command {
	cmd.RunE = func(cmd *cobra.Command, files []string) error {
		if err := flags.read(cmd.Flags()); err != nil {
			return err
		}
		return do(cmd.Context(), files, cmd.OutOrStdout(), messages(cmd, *quiet))
	}
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return names(), cobra.ShellCompDirectiveDefault
	}
	return cmd
}
