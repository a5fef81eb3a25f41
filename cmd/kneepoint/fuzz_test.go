package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// commands are command lines that end before anything is simulated, whatever flag is
// added: the files that they name are not there.
var commands = [][]string{
	{"run", "no-such.toml"},
	{"estimate", "--model", "llama-3.1-8b", "--accelerator", "h100-sxm"},
	{"calibrate", "--steps", "no-such.csv"},
	{"calibrate", "--accelerator", "h100-sxm", "--bench", "no-such.json"},
	{"validate", "no-such"},
	{"list", "models"},
	{"show", "h100-sxm"},
	{"init"},
	{},
}

// FuzzFlags gives each command a flag: its value is refused in one line, or it does what
// it does.
func FuzzFlags(f *testing.F) {
	for i, args := range commands {
		cmd, _, err := newRoot().Find(args)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range flagNames(cmd) {
			for _, value := range []string{"", "1", "-1", "nan", "1e400", "0x10", "a,b", "a=b\nc", "true", "h100", "50GB/s"} {
				f.Add(uint8(i), name, value)
			}
		}
	}
	f.Fuzz(func(t *testing.T, command uint8, name, value string) {
		if strings.HasPrefix(name, "plot") {
			t.Skip("writes files, anywhere")
		}
		args := commands[int(command)%len(commands)]
		answers(t, append(args[:len(args):len(args)], "--"+name+"="+value))
	})
}

// FuzzEstimate asks for deployments and lengths of any size and form.
func FuzzEstimate(f *testing.F) {
	f.Add("llama-3.1-8b", "h100-sxm", "bf16", 1024, 256, 1, 1, 1, 1, 0.9, 0.0, 0)
	f.Add("deepseek-v3", "h100-sxm", "fp8", 1<<40, 1<<40, 1<<40, 8, 2, 8, 1.0, 1e300, 1<<40)
	f.Add("mixtral-8x7b", "apple-m4-max", "int4", 1, 1, 64, 2, 4, 1, 1e-9, 3.0, -1)
	names := []string{"model", "accelerator", "weights", "prompt", "output", "batch", "tp", "pp", "ep",
		"gpu-memory-utilization", "cpu-offload-gb", "context"}
	f.Fuzz(func(t *testing.T, model, accelerator, weights string, prompt, output, batch, tp, pp, ep int, share, offload float64, context int) {
		args := []string{"estimate", "--json"}
		for i, value := range []any{model, accelerator, weights, prompt, output, batch, tp, pp, ep, share, offload, context} {
			args = append(args, fmt.Sprintf("--%s=%v", names[i], value))
		}
		text := answers(t, args)
		var report map[string]any
		if err := json.Unmarshal(text, &report); len(text) > 0 && err != nil {
			t.Errorf("%q: no JSON: %v", args, err)
		}
	})
}

// answers runs a command line, which must do what it does or be refused in one line, and
// returns what it printed.
func answers(t *testing.T, args []string) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := execute(context.Background(), args, &stdout, &stderr)
	message := stderr.String()
	switch {
	case code == exitDone && stdout.Len() > 0:
	case code == exitBadInput && stdout.Len() == 0 && strings.HasPrefix(message, "kneepoint: ") && strings.Count(message, "\n") == 1:
	default:
		t.Errorf("%q ends with status %d, prints %d bytes and says %q", args, code, stdout.Len(), message)
	}
	return stdout.Bytes()
}
