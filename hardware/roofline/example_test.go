package roofline_test

import (
	"fmt"
	"log"

	"kneepoint/hardware"
	"kneepoint/hardware/model"
	"kneepoint/hardware/roofline"
)

// named is a deployment of entries of the catalogs.
func named(accelerator, engine, name string) roofline.Deployment {
	a, err := hardware.LookupAccelerator(accelerator)
	if err != nil {
		log.Fatal(err)
	}
	e, err := hardware.LookupEngine(engine)
	if err != nil {
		log.Fatal(err)
	}
	m, err := model.Lookup(name)
	if err != nil {
		log.Fatal(err)
	}
	return roofline.Deployment{Accelerator: a, Engine: e, Architecture: m}
}

// What a replica holds, and how long a step of 32 sequences with 1000 tokens each
// takes it.
func ExampleNew() {
	cost, err := roofline.New(named("h100-sxm", "vllm-v1", "llama-3.1-8b"))
	if err != nil {
		log.Fatal(err)
	}
	memory := cost.Memory()
	fmt.Printf("weights %s, KV cache of %d tokens\n", memory.Weights, memory.KVTokens)
	fmt.Println(cost.Step(&hardware.Work{DecodeRows: 32, DecodeContext: 32 * 1000, LogitRows: 32}).Time)
	// Output:
	// weights 15.0 GiB, KV cache of 436464 tokens
	// 8.37 ms
}

// A resolved deployment carries its constants, which can be varied: here every
// kernel reaches a tenth less of the memory's bandwidth.
func ExampleDeployment_Resolve() {
	d, err := named("h100-sxm", "vllm-v1", "llama-3.1-8b").Resolve()
	if err != nil {
		log.Fatal(err)
	}
	step := &hardware.Work{DecodeRows: 32, DecodeContext: 32 * 1000, LogitRows: 32}
	for _, share := range []float64{1, 0.9} {
		for i := range d.Constants.Kernels {
			d.Constants.Kernels[i].Efficiency.Memory *= share
		}
		cost, err := roofline.New(d)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(cost.Step(step).Time)
	}
	// Output:
	// 8.37 ms
	// 9.11 ms
}
