package metrics

import "kneepoint/hardware"

// Deployment is what the metrics need to know of the hardware of a pool.
type Deployment struct {
	Capacity     hardware.Capacity // of one replica
	Accelerators int               // of one replica
	IdleWatts    float64           // of one accelerator; 0 where no power is known
	USDPerHour   float64           // of one accelerator; 0 when unknown
}
