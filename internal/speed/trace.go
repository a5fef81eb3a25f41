package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// hashTrace is a trace with hash ids, one for every 512 tokens, of as many prompts as are asked for, which come 2.5 s apart:
// six turns of conversations, 40 at a time, that begin with 4,096 tokens, all with the same 512, and get
// 2,048 longer by the turn. Prompts are of 9,000 tokens on average, three quarters of which came before.
func hashTrace(prompts int) []byte {
	const conversations, turns, first, more = 40, 6, 8, 4
	var trace bytes.Buffer
	random := rand.New(rand.NewPCG(1, 0))
	next := 1
	said := make([][]string, conversations)
	for i := range prompts {
		c := random.IntN(conversations)
		if len(said[c]) == 0 || len(said[c]) >= first+(turns-1)*more {
			said[c] = []string{"0"}
		}
		until := max(first, len(said[c])+more)
		for len(said[c]) < until {
			said[c] = append(said[c], fmt.Sprint(next))
			next++
		}
		fmt.Fprintf(&trace, `{"timestamp": %d, "input_length": %d, "output_length": %d, "hash_ids": [%s]}`+"\n",
			2500*i, 512*until-random.IntN(512), 128+random.IntN(256), strings.Join(said[c], ", "))
	}
	return trace.Bytes()
}
