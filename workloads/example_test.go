package workloads_test

import (
	"fmt"

	"kneepoint/workloads"
)

func ExampleNew() {
	traffic, err := workloads.New(workloads.Spec{
		NumRequests: 3,
		Arrival:     &workloads.ArrivalSpec{Process: "constant", Rate: 2},
		Input:       &workloads.LengthSpec{Type: "fixed", Mean: 512},
		Output:      &workloads.LengthSpec{Type: "fixed", Mean: 128},
	}, nil, 1, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	for {
		r, ok := traffic.Pop()
		if !ok {
			return
		}
		fmt.Printf("%v: request %d, %d tokens in, %d out\n", r.Arrival, r.ID, r.Input, r.Output)
	}
	// Output:
	// 500 ms: request 0, 512 tokens in, 128 out
	// 1.00 s: request 1, 512 tokens in, 128 out
	// 1.50 s: request 2, 512 tokens in, 128 out
}
