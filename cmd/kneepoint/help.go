package main

import "github.com/spf13/cobra"

// newHelp shows how the program or one of its commands is used. Unlike cobra's
// own it refuses a command that does not exist.
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Show how a command is used",
		Example: `  kneepoint help
  kneepoint help run`,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, _, err := root.Find(args)
			if err != nil || cmd == root && len(args) > 0 { // Find gives root for what it does not know
				return unknownCommand(root, args)
			}
			// cobra adds these flags when a command is run; help shows one that is not.
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return verbs(root), cobra.ShellCompDirectiveNoFileComp
		},
	}
}
