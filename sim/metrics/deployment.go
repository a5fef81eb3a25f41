package metrics

import "kneepoint/hardware"

// Deployment is what the metrics need to know of the hardware of a pool.
type Deployment struct {
	Capacity     hardware.Capacity // of one replica
	Accelerators int               // of one replica
	IdleWatts    float64           // of one accelerator; 0 where no power is known
	USDPerHour   float64           // of one accelerator; 0 when unknown
	Site         Site              // the same of all pools
}

// Site is what accelerators stand in. The zero Site is not known.
type Site struct {
	PUE            float64 // power of the site over that of the servers
	ServerWatts    float64 // of a server beside its accelerators, for each of them
	GramsCO2PerKWh float64 // 0: not known
}

// joules is the energy of the site, for that of some accelerators over so many seconds of them.
func (s *Site) joules(accelerators, seconds float64) float64 {
	return s.PUE * (accelerators + s.ServerWatts*seconds)
}
