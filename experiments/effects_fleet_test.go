package experiments_test

const (
	// prompts of which each replica has seen some, and a load that is uneven
	cached   = `hardware.replicas=3; workload.num_requests=150; workload.prefix={count=9, tokens=200}; fleet.router=`
	central  = `hardware.replicas=3; fleet.queue={max_in_flight=2}`
	apart    = `fleet.pool=[{name="p", replicas=2, role="prefill"}, {name="q", role="decode"}]`
	slowLink = `; fleet.transfer={bandwidth="1GB/s"}`
	stored   = cached + `"round-robin"; fleet.kv_sharing={from="store", size="40GB", bandwidth="30GB/s"}`
	replicas = `hardware.replicas=3; fleet.router="least-requests"`
	pools    = `fleet.pool=[{name="p", replicas=2}, {name="q", strategy={max_num_seqs=4}}]`
)

// fleetEffects are those of [fleet].
var fleetEffects = map[string]effect{
	"strategy.fleet": {with: replicas, to: `strategy.a.fleet={router="random"}`},

	"fleet.router":                    {with: `hardware.replicas=3`, to: `fleet.router="least-requests"`},
	"fleet.index":                     {with: cached + `"llm-d"; ` + tight, to: `fleet.index="precise"`},
	"fleet.index_block_size":          {with: cached + `"llm-d"`, to: `fleet.index_block_size=300`},
	"fleet.index_capacity":            {with: cached + `"sglang"`, to: `fleet.index_capacity=13`},
	"fleet.index_max_prefix":          {with: cached + `"llm-d"`, to: `fleet.index_max_prefix=1`},
	"fleet.cache_threshold":           {with: cached + `"sglang"`, to: `fleet.cache_threshold=0.9`},
	"fleet.balance_abs_threshold":     {with: cached + `"sglang"`, to: `fleet.balance_abs_threshold=1`},
	"fleet.balance_rel_threshold":     {with: cached + `"sglang"; fleet.balance_abs_threshold=1`, to: `fleet.balance_rel_threshold=9`},
	"fleet.standard_deviation_factor": {with: cached + `"aibrix"`, to: `fleet.standard_deviation_factor=0.1`},
	"fleet.queue_weight":              {with: cached + `"llm-d"; ` + oneByOne, to: `fleet.queue_weight=9`},
	"fleet.kv_weight":                 {with: cached + `"llm-d"; ` + tight, to: `fleet.kv_weight=90`},
	"fleet.prefix_weight":             {with: cached + `"llm-d"`, to: `fleet.prefix_weight=0.01`},
	"fleet.load_aware_weight":         {with: cached + `"llm-d"; ` + oneByOne, to: `fleet.load_aware_weight=99`},
	"fleet.overlap_score_credit":      {with: cached + `"dynamo-kv"`, to: `fleet.overlap_score_credit=0`},
	"fleet.prefill_load_scale":        {with: cached + `"dynamo-kv"`, to: `fleet.prefill_load_scale=0`},
	"fleet.router_temperature":        {with: cached + `"dynamo-kv"`, to: `fleet.router_temperature=5`},

	"fleet.signal_interval":     {with: replicas, to: `fleet.signal_interval="500ms"`},
	"fleet.signal_delay":        {with: replicas, to: `fleet.signal_delay="500ms"`},
	"fleet.count_dispatches":    {with: replicas + `; fleet.signal_delay="500ms"`, to: `fleet.count_dispatches=false`},
	"fleet.regret_samples":      {with: replicas, to: `fleet.regret_samples=2`},
	"fleet.queue.max_in_flight": {with: central, to: `fleet.queue.max_in_flight=1`},
	"fleet.queue.order":         {with: central, to: `fleet.queue.order="sjf"`},
	"fleet.queue.rate":          {with: central, to: `fleet.queue.rate=30`},
	"fleet.queue.burst":         {with: central + `; fleet.queue.rate=30`, to: `fleet.queue.burst=9`},
	"fleet.queue.timeout":       {with: central, to: `fleet.queue.timeout="50ms"`},
	"fleet.queue.retries":       {with: central + `; fleet.queue.timeout="50ms"`, to: `fleet.queue.retries=2`},
	"fleet.queue.backoff":       {with: central + `; fleet.queue.timeout="50ms"; fleet.queue.retries=2`, to: `fleet.queue.backoff="100ms"`},

	"fleet.pool.role":           {with: pools, to: `fleet.pool.p.role="prefill"; fleet.pool.q.role="decode"; fleet.transfer={link="pcie-5"}`},
	"fleet.transfer.link":       {with: apart, from: `fleet.transfer={link="infiniband-400g"}`, to: `fleet.transfer={link="tcp-100g"}`},
	"fleet.transfer.bandwidth":  {with: apart, from: `fleet.transfer={bandwidth="9GB/s"}`, to: `fleet.transfer={bandwidth="1GB/s"}`},
	"fleet.transfer.latency":    {with: apart + slowLink, to: `fleet.transfer.latency="9ms"`},
	"fleet.transfer.per":        {with: apart + slowLink + `; fleet.pool.q.replicas=2`, to: `fleet.transfer.per="fleet"`},
	"fleet.transfer.mode":       {with: apart + slowLink, to: `fleet.transfer.mode="push"`},
	"fleet.transfer.when":       {with: apart + slowLink + `; fleet.transfer.mode="reserve"`, to: `fleet.transfer.when="layerwise"`},
	"fleet.transfer.min_tokens": {with: apart + slowLink, to: `fleet.transfer.min_tokens=300`},

	"fleet.transfer.max_pending_tokens":   {with: apart + slowLink + `; fleet.pool.q.replicas=2`, to: `fleet.transfer.max_pending_tokens=1`},
	"fleet.transfer.max_pending_requests": {with: apart + slowLink + `; fleet.pool.p.replicas=2`, to: `fleet.transfer.max_pending_requests=1`},

	"fleet.kv_sharing.from": {with: cached + `"round-robin"`, from: `fleet.kv_sharing={from="store", size="40GB", bandwidth="30GB/s"}`,
		to: `fleet.kv_sharing={from="peers", bandwidth="30GB/s"}`},
	"fleet.kv_sharing.size":                {with: stored, to: `fleet.kv_sharing.size="50MB"`},
	"fleet.kv_sharing.bandwidth":           {with: stored, to: `fleet.kv_sharing.bandwidth="9GB/s"`},
	"fleet.kv_sharing.latency":             {with: stored, to: `fleet.kv_sharing.latency="1ms"`},
	"fleet.kv_sharing.per":                 {with: stored, to: `fleet.kv_sharing.per="replica"`},
	"fleet.kv_sharing.balancing_threshold": {with: stored + "; " + sessions, to: `fleet.kv_sharing.balancing_threshold=100`},

	"fleet.pool.replicas": {with: pools, to: `fleet.pool.q.replicas=3`},
	"fleet.pool.weight":   {with: pools + `; fleet.router="weighted"`, to: `fleet.pool.q.weight=3`},
	"fleet.pool.classes":  {with: pools + "; " + shares, to: `fleet.pool.q.classes=["x"]`},
	"fleet.pool.model":    {with: pools, to: `fleet.pool.q.model={kv="fp8"}`},
	"fleet.pool.hardware": {with: pools, to: `fleet.pool.q.hardware={accelerator="a100-sxm-80"}`},
	"fleet.pool.strategy": {with: pools, to: `fleet.pool.q.strategy={max_num_seqs=2}`},
}
