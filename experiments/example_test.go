package experiments_test

import (
	"context"
	"fmt"

	"kneepoint/experiments"
)

// An experiment that comes with kneepoint is changed, checked and run.
func ExampleLoad() {
	file, err := experiments.Load("quickstart")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := file.Override([]string{"workload.num_requests=50", `sweep={"workload.arrival.rate" = [1, 4]}`}); err != nil {
		fmt.Println(err)
		return
	}
	experiment, err := file.Check()
	if err != nil {
		fmt.Println(err) // one line: the file, the key, the value and what is allowed
		return
	}
	found, err := experiment.Run(context.Background(), experiments.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, curve := range found.Series {
		for _, point := range curve.Points {
			fmt.Printf("%s at %v req/s: %.0f of 50 requests completed\n", curve.Strategy, point.Value, point.Metrics["completed"].Mean)
		}
	}
	// Output:
	// static at 1 req/s: 50 of 50 requests completed
	// static at 4 req/s: 50 of 50 requests completed
	// continuous at 1 req/s: 50 of 50 requests completed
	// continuous at 4 req/s: 50 of 50 requests completed
}
