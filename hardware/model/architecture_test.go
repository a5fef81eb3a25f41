package model

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"kneepoint/hardware"
	"kneepoint/units/badinput"
)

func lookup(t *testing.T, name string) Architecture {
	t.Helper()
	a, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Totals as counted from the published checkpoints.
func TestParametersMatchPublishedTotals(t *testing.T) {
	for name, want := range map[string]float64{
		"llama-2-7b":      6738415616,
		"llama-2-70b":     68976648192,
		"llama-3.1-8b":    8030261248,
		"llama-3.1-70b":   70553706496,
		"llama-3.2-1b":    1235814400, // tied: the embedding counts once
		"mistral-7b-v0.3": 7248023552,
		"qwen2.5-7b":      7615616512,
		"qwen3-8b":        8190735360, // with the norms of queries and keys
		"gpt2":            124439808,
		"opt-125m":        125239296,
		"bloom-560m":      559214592,
		"mpt-7b":          6649286656,
		"falcon-7b":       6921720704, // one norm for attention and MLP
	} {
		t.Run(name, func(t *testing.T) {
			a := lookup(t, name)
			if got := a.Parameters(); got != want {
				t.Errorf("%s: %.0f parameters, published %.0f", name, got, want)
			}
		})
	}
}

// TestParametersMatchOrcasNames: what the dimensions of Orca's table give is what its models are called by.
func TestParametersMatchOrcasNames(t *testing.T) {
	for name, want := range map[string]float64{"orca-gpt-101b": 101e9, "orca-gpt-341b": 341e9, "opt-175b": 175e9} {
		if a := lookup(t, name); math.Abs(a.Parameters()/want-1) > 0.005 {
			t.Errorf("%s: %.1f billion parameters", name, a.Parameters()/1e9)
		}
	}
}

func TestParametersMatchReferenceTable(t *testing.T) {
	file, err := os.Open("../../../shared/reference/models.csv")
	if err != nil {
		t.Skip("needs ../shared/reference/models.csv")
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	compared := map[string]bool{}
	for _, row := range rows[1:] {
		a := lookup(t, row[column["hf_id"]])
		want, err := strconv.ParseFloat(row[column["total_params"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		active, err := strconv.ParseFloat(row[column["active_params"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		kv, err := strconv.ParseFloat(row[column["kv_bytes_per_token_bf16"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		// The table counts no indexers: index queries, a key, weights of the heads, and a norm.
		if x := a.Indexer; x != nil {
			index := float64(a.Layers * (a.Latent.QueryRank*x.Heads*x.Dim + a.Hidden*(x.Dim+x.Heads) + 2*x.Dim))
			want, active = want+index, active+index
			kv += float64(a.Layers * (x.Dim + 4)) // 8 bits, and a scale of 32
		}
		if got := a.Parameters(); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%s: %.0f parameters, the table has %.0f", a.Name, got, want)
		}
		if got := a.ActiveParameters(); math.Abs(got/active-1) > 5e-3 {
			t.Errorf("%s: %.0f active parameters, the table has %.0f", a.Name, got, active)
		}
		if got := float64(a.KVBytesPerToken(hardware.BF16)); got != kv {
			t.Errorf("%s: %.0f KV bytes per token, the table has %.0f", a.Name, got, kv)
		}
		compared[a.Name] = true
	}
	// Models that differ from one of the table in nothing but the context, or what their checkpoint quantizes.
	for name, like := range map[string]string{"yi-34b-200k": "yi-34b", "llama-2-7b-32k": "llama-2-7b", "vicuna-13b-v1.5-16k": "llama-2-13b",
		"llama-3.1-405b-fp8": "llama-3.1-405b", "kimi-k2.5": "kimi-k2", "glm-4.6": "glm-4.5",
		"qwen3-30b-a3b-2507": "qwen3-30b-a3b", "qwen3-235b-a22b-2507": "qwen3-235b-a22b", "qwen3-4b-2507": "qwen3-4b"} {
		t.Run(name, func(t *testing.T) {
			a, b := lookup(t, name), lookup(t, like)
			if a.Parameters() != b.Parameters() || a.KVBytesPerToken(hardware.BF16) != b.KVBytesPerToken(hardware.BF16) {
				t.Errorf("%s: %.0f parameters and %.0f KV bytes per token, %s has %.0f and %.0f", name,
					a.Parameters(), float64(a.KVBytesPerToken(hardware.BF16)), like, b.Parameters(), float64(b.KVBytesPerToken(hardware.BF16)))
			}
			compared[name] = true
		})
	}
	compared["deepseek-v4-pro"] = true // by TestCompressedParameters
	// Models of which the table has nothing, by the parameters of their papers and model cards.
	for name, parameters := range map[string]float64{"llama-30b": 32.5e9, "opt-30b": 30e9, "qwen1.5-72b": 72.3e9, "qwen3.5-9b": 8.95e9} {
		a := lookup(t, name)
		if got := a.Parameters(); math.Abs(got/parameters-1) > 5e-3 {
			t.Errorf("%s: %.4g parameters, published are %.4g", name, got, parameters)
		}
		compared[name] = true
	}
	for _, name := range Names() {
		if !compared[name] && name != "qwama-0.5b" && !strings.HasPrefix(name, "orca-gpt-") && !hybrids[name] { // which the table lacks
			t.Errorf("%s was not compared", name)
		}
	}
}

func TestKVBytesPerToken(t *testing.T) {
	llama := lookup(t, "llama-3.1-8b")
	if got := llama.KVBytesPerToken(hardware.BF16); got != 131072 {
		t.Errorf("llama-3.1-8b: %v bytes per token, want 131072", float64(got))
	}
	if got := llama.KVBytesPerToken(hardware.FP8); got != 65536 {
		t.Errorf("llama-3.1-8b in fp8: %v bytes per token, want 65536", float64(got))
	}
	// Databricks, "LLM Inference Performance Engineering", table 3: Llama-2-70B
	// at 1024 tokens, GiB in fp16 and int8.
	big := lookup(t, "llama-2-70b")
	for batch, want := range map[int]float64{1: 0.3125, 16: 5, 32: 10, 64: 20} {
		t.Run(fmt.Sprint(batch), func(t *testing.T) {
			tokens := float64(batch * 1024)
			if got := big.KVBytesPerToken(hardware.FP16).GiB() * tokens; got != want {
				t.Errorf("batch %d: %v GiB in fp16, want %v", batch, got, want)
			}
			if got := big.KVBytesPerToken(hardware.INT8).GiB() * tokens; got != want/2 {
				t.Errorf("batch %d: %v GiB in int8, want %v", batch, got, want/2)
			}
		})
	}
}

func TestGatedMLPHasThreeMatrices(t *testing.T) {
	a := Architecture{Layers: 1, Hidden: 8, Heads: 2, KVHeads: 1, HeadDim: 4, FFN: 32, Vocab: 10}
	plain := a.MatrixWeights()
	a.Gated = true
	if got, want := a.MatrixWeights()-plain, 8.0*32; got != want {
		t.Errorf("the gate adds %v weights, want %v", got, want)
	}
	if want := 8*(2+2)*4.0 + 8*8 + 3*8*32; a.MatrixWeights() != want {
		t.Errorf("layer has %v weights, want %v", a.MatrixWeights(), want)
	}
}

func TestFLOPs(t *testing.T) {
	a := lookup(t, "llama-3.1-8b")
	// Two FLOPs per weight that every token meets, plus attention.
	weights := a.Parameters() - 2*a.EmbeddingWeights()
	if got := float64(a.MatrixFLOPsPerToken()); math.Abs(got/(2*weights)-1) > 1e-4 {
		t.Errorf("%v FLOPs per token for %v weights", got, weights)
	}
	// A prompt costs the same in one chunk, in pieces, and token by token.
	whole := float64(a.ChunkFLOPs(0, 100))
	pieces := float64(a.ChunkFLOPs(0, 37) + a.ChunkFLOPs(37, 100))
	var tokens float64
	for i := 1; i <= 100; i++ {
		tokens += float64(a.DecodeFLOPs(i) - a.HeadFLOPs())
	}
	if math.Abs(pieces/whole-1) > 1e-12 || math.Abs(tokens/whole-1) > 1e-12 {
		t.Errorf("whole %v, pieces %v, tokens %v", whole, pieces, tokens)
	}
}

func TestLookupKnowsVariants(t *testing.T) {
	for spelling, want := range map[string]string{
		"LLAMA-3.1-8B":                          "llama-3.1-8b",
		"meta-llama/Meta-Llama-3.1-8B-Instruct": "llama-3.1-8b",
		"meta-llama/Llama-3.1-8B-Instruct":      "llama-3.1-8b",
		"meta-llama/Llama-2-7b-chat-hf":         "llama-2-7b",
		"codellama/CodeLlama-34b-Instruct-hf":   "codellama-34b",
		"mistralai/Mistral-7B-Instruct-v0.3":    "mistral-7b-v0.3",
		"mistralai/Mistral-Nemo-Instruct-2407":  "mistral-nemo-12b",
		"Qwen/Qwen3-14B":                        "qwen3-14b",
		"bigscience/bloom":                      "bloom-176b",
		"openai-community/gpt2-xl":              "gpt2-xl",
	} {
		t.Run(spelling, func(t *testing.T) {
			if a := lookup(t, spelling); a.Name != want {
				t.Errorf("%s is %s, want %s", spelling, a.Name, want)
			}
		})
	}
}

func TestLookupSaysWhatIsWrong(t *testing.T) {
	for name, want := range map[string]string{
		"lama-3.1-8b":    `name = "lama-3.1-8b": unknown model; did you mean "llama-3.1-8b"?`,
		"my/config.json": `name = "my/config.json": cannot be read: no such file or directory`,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Lookup(name)
			var bad *badinput.Error
			if !errors.As(err, &bad) || bad.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestCatalogIsWhole(t *testing.T) {
	all, err := architectures()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 91 {
		t.Errorf("only %d models", len(all))
	}
	seen := map[string]string{}
	for _, a := range all {
		if a.Layers < 1 || a.Hidden < 1 || a.Heads < 1 || a.KVHeads < 1 || a.HeadDim < 1 || a.Vocab < 1 || a.MaxContext < 1 {
			t.Errorf("%s: a dimension is missing: %+v", a.Name, a)
		}
		if err := a.check(); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		if (a.Window > 0) != (a.WindowLayers > 0) {
			t.Errorf("%s: a window of %d in %d layers", a.Name, a.Window, a.WindowLayers)
		}
		if a.Source == "" || a.Date == "" {
			t.Errorf("%s: no source or date", a.Name)
		}
		for _, name := range a.names() {
			if other, taken := seen[canonical(name)]; taken && other != a.Name {
				t.Errorf("%q means both %s and %s", name, other, a.Name)
			}
			seen[canonical(name)] = a.Name
		}
	}
}

func FuzzLookup(f *testing.F) {
	f.Add("meta-llama/Meta-Llama-3.1-8B-Instruct")
	f.Add("./config.json")
	f.Add("-\n/")
	f.Fuzz(func(t *testing.T, name string) {
		a, err := Lookup(name)
		var bad *badinput.Error
		switch {
		case err == nil && a.Layers == 0:
			t.Error("found nothing, without an error")
		case err != nil && (!errors.As(err, &bad) || strings.Contains(err.Error(), "\n")):
			t.Errorf("not one line of bad input: %v", err)
		}
	})
}
