package experiments_test

import "strings"

// A minute of requests of which the replicas have room for one at a time.
const (
	busy    = `hardware.replicas=2; workload.num_requests=120; workload.arrival={process="gamma", cv=3, rate=3}; strategy.a.max_num_seqs=1`
	startup = `; fleet.startup={cold_start="2s", first_request="0s"}`
	hpa     = busy + startup + `; fleet.autoscale={scaler="hpa", max_replicas=20, interval="1s", scale_down_stabilization="5s", target=1}`
	knative = busy + startup + `; fleet.autoscale={scaler="knative", max_replicas=20, target=1}`
	serve   = busy + startup + `; fleet.autoscale={scaler="ray-serve", max_replicas=20, interval="1s", target=1, scale_up_stabilization="1s"}`
	wva     = busy + startup + `; fleet.autoscale={scaler="wva", max_replicas=20, interval="2s"}`
	steps   = busy + startup + `; fleet.autoscale={scaler="schedule", schedule=[{at="0s", replicas=2}, {at="5s", replicas=3}]}`
	toZero  = busy + startup + `; fleet.autoscale={scaler="fixed", min_replicas=0, idle_timeout="300ms"}`
	cold    = `hardware.replicas=2; fleet.startup={cold=true}`
	rolls   = busy + startup + `; fleet.restart={at="1s"}`
	fails   = busy + startup + `; fleet.failure=[{name="f", at="2s", repair="5s"}]`
	cuts    = apart + slowLink + `; fleet.failure=[{name="f", at="200ms", repair="2s"}]`
	again   = busy + startup + `; fleet.failure=[{name="f", mtbf="20s", repair="5s"}]`
)

// scalingEffects are those of what makes replicas come and go.
var scalingEffects = map[string]effect{
	"fleet.autoscale.scaler":                   {with: hpa, to: `fleet.autoscale={scaler="knative", max_replicas=20, target=1}`},
	"fleet.autoscale.min_replicas":             {with: hpa, to: `fleet.autoscale.min_replicas=2`},
	"fleet.autoscale.max_replicas":             {with: hpa, to: `fleet.autoscale.max_replicas=3`},
	"fleet.autoscale.idle_timeout":             {with: toZero, to: `fleet.autoscale.idle_timeout="2s"`},
	"fleet.autoscale.metric":                   {with: hpa, to: `fleet.autoscale.metric="waiting"`},
	"fleet.autoscale.target":                   {with: hpa, to: `fleet.autoscale.target=4`},
	"fleet.autoscale.interval":                 {with: hpa, to: `fleet.autoscale.interval="3s"`},
	"fleet.autoscale.tolerance":                {with: hpa, to: `fleet.autoscale.tolerance=0.9`},
	"fleet.autoscale.scale_up_stabilization":   {with: hpa, to: `fleet.autoscale.scale_up_stabilization="5s"`},
	"fleet.autoscale.scale_down_stabilization": {with: hpa, to: `fleet.autoscale.scale_down_stabilization="1s"`},
	"fleet.autoscale.scale_up_percent":         {with: hpa + `; fleet.autoscale.scale_up_replicas=1`, to: `fleet.autoscale.scale_up_percent=10`},
	"fleet.autoscale.scale_up_replicas":        {with: hpa + `; fleet.autoscale.scale_up_percent=10`, to: `fleet.autoscale.scale_up_replicas=1`},
	"fleet.autoscale.scale_up_period":          {with: hpa + `; fleet.autoscale.scale_up_replicas=1; fleet.autoscale.scale_up_percent=10`, to: `fleet.autoscale.scale_up_period="1s"`},
	"fleet.autoscale.target_utilization":       {with: knative, to: `fleet.autoscale.target_utilization=0.2`},
	"fleet.autoscale.stable_window":            {with: knative, to: `fleet.autoscale.stable_window="8s"`},
	"fleet.autoscale.panic_window":             {with: knative + `; fleet.autoscale.stable_window="8s"`, to: `fleet.autoscale.panic_window="1s"`},
	"fleet.autoscale.panic_threshold":          {with: knative + `; fleet.autoscale.stable_window="8s"; fleet.autoscale.panic_window="1s"`, to: `fleet.autoscale.panic_threshold=20`},
	"fleet.autoscale.max_scale_up_rate":        {with: knative, to: `fleet.autoscale.max_scale_up_rate=1.5`},
	"fleet.autoscale.max_scale_down_rate":      {with: knative + `; fleet.autoscale.stable_window="6s"`, to: `fleet.autoscale.max_scale_down_rate=1.1`},
	"fleet.autoscale.look_back":                {with: serve, to: `fleet.autoscale.look_back="2s"`},
	"fleet.autoscale.kv_threshold":             {with: wva, to: `fleet.autoscale.kv_threshold=0.001`},
	"fleet.autoscale.queue_threshold":          {with: wva, to: `fleet.autoscale.queue_threshold=30`},
	"fleet.autoscale.kv_spare":                 {with: wva, to: `fleet.autoscale.kv_spare=0.799`},
	"fleet.autoscale.queue_spare":              {with: wva, to: `fleet.autoscale.queue_spare=0.1`},
	"fleet.autoscale.schedule.at":              {with: steps, to: `fleet.autoscale.schedule=[{at="0s", replicas=2}, {at="9s", replicas=3}]`},
	"fleet.autoscale.schedule.replicas":        {with: steps, to: `fleet.autoscale.schedule=[{at="0s", replicas=2}, {at="5s", replicas=5}]`},
	"fleet.autoscale.period":                   {with: steps, to: `fleet.autoscale.period="10s"`},
	"fleet.pool.autoscale":                     {with: strings.Replace(hpa, "hardware.replicas=2", pools, 1), to: `fleet.pool.p.autoscale={max_replicas=2}`},

	"fleet.startup.provisioning":    {with: cold, to: `fleet.startup.provisioning="3s"`},
	"fleet.startup.image_pull":      {with: cold, to: `fleet.startup.image_pull="3s"`},
	"fleet.startup.load_from":       {with: cold, to: `fleet.startup.load_from="object-store"`},
	"fleet.startup.cold_start":      {with: cold, to: `fleet.startup.cold_start="1.08s"`},
	"fleet.startup.first_request":   {with: cold, to: `fleet.startup.first_request="3s"`},
	"fleet.startup.warm_pool":       {with: hpa, to: `fleet.startup.warm_pool=2`},
	"fleet.startup.wake_up":         {with: hpa + `; fleet.startup.warm_pool=2`, to: `fleet.startup.wake_up="20ms"`},
	"fleet.startup.distribution":    {with: cold, to: `fleet.startup.distribution="exponential"`},
	"fleet.startup.cold":            {with: cold, to: `fleet.startup.cold=false`, refused: true},
	"fleet.restart.at":              {with: rolls, to: `fleet.restart.at="5s"`},
	"fleet.restart.max_unavailable": {with: rolls, to: `fleet.restart.max_unavailable=2`},
	"fleet.pool.restart":            {with: strings.Replace(rolls, "hardware.replicas=2", pools, 1), to: `fleet.pool.p.restart={at="5s"}`},
	"fleet.failure.pool":            {with: strings.Replace(fails, "hardware.replicas=2", pools, 1), to: `fleet.failure.f.pool="q"`},
	"fleet.failure.of":              {with: fails, to: `fleet.failure.f.of="pool"`},
	"fleet.failure.component":       {with: cuts, to: `fleet.failure.f.component="link"`},
	"fleet.failure.replicas_per_node": {with: fails, from: `fleet.failure.f.of="node"; fleet.failure.f.replicas_per_node=1`,
		to: `fleet.failure.f.of="node"; fleet.failure.f.replicas_per_node=2`},
	"fleet.failure.at":                  {with: fails, to: `fleet.failure.f.at="3s"`},
	"fleet.failure.mtbf":                {with: again, to: `fleet.failure.f.mtbf="10s"`},
	"fleet.failure.repair":              {with: fails, to: `fleet.failure.f.repair="9s"`},
	"fleet.failure.repair_distribution": {with: fails, to: `fleet.failure.f.repair_distribution="exponential"`},
	"fleet.failure.detection":           {with: fails, to: `fleet.failure.f.detection="3s"`},
	"fleet.failure.slowdown":            {with: busy + `; fleet.failure=[{name="f", at="2s", slowdown=2}]`, to: `fleet.failure.f.slowdown=3`},
	"fleet.failure.requests":            {with: fails, to: `fleet.failure.f.requests="lost"`},
	"fleet.pool.startup":                {with: strings.Replace(cold, "hardware.replicas=2", pools, 1), to: `fleet.pool.p.startup={cold_start="9s"}`},
}
