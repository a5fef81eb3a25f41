package experiments_test

import (
	"maps"
	"path/filepath"
	"strings"
)

// labelKeys name or describe something, and change no result.
var labelKeys = map[string]string{
	"title":                          "the heading of tables and figures",
	"strategy.name":                  "names the curve",
	"strategy.kv.tiers.name":         "names the tier in paths of sweeps",
	"fleet.pool.name":                "names the pool",
	"fleet.failure.name":             "names the failure in paths of sweeps",
	"workload.client.name":           "names the class; its arrivals draw from a stream of this name",
	"workload.name":                  "stands for the tables of a built-in workload, of which every key is another key",
	"expect.source":                  "is printed beside the verdict, as the file has it",
	"claim.source":                   "likewise",
	"paper":                          "says whose results are repeated",
	"paper.name":                     "names the paper in tables",
	"paper.url":                      "says where it can be read",
	"paper.unknown":                  "is printed, as the file has it",
	"paper.chosen":                   "likewise",
	"curve.why":                      "likewise",
	"hardware.custom.name":           "names the accelerator",
	"hardware.custom.title":          "describes the accelerator",
	"hardware.custom.vendor":         "likewise",
	"hardware.custom.architecture":   "likewise",
	"hardware.custom.note":           "likewise",
	"hardware.custom.source":         "says where its numbers come from",
	"hardware.custom.confidence":     "likewise",
	"hardware.custom.provenance":     "likewise",
	"hardware.custom.date":           "likewise",
	"hardware.custom.link.name":      "names a link",
	"hardware.custom.host_link.name": "likewise",
	"hardware.custom.network.name":   "likewise",
}

// What experiments have in common.
const (
	synthetic  = `-model; -hardware; hardware.cost_model="synthetic"; hardware.kv_tokens=20000; hardware.synthetic={step_fixed="10ms"}`
	measured   = `-model; -hardware; hardware.cost_model="measured"; hardware.kv_tokens=20000; hardware.measured.prefill={base="9ms", per_token="40us"}; hardware.measured.decode=[{max_batch=2, base="7ms"}, {base="8ms"}]`
	custom     = `-hardware; hardware.custom.like="h100-sxm"`
	tight      = `hardware.kv_tokens=1200`
	oneByOne   = `strategy.a.max_num_seqs=1`
	static     = `strategy.a.batching="static"; strategy.a.max_num_seqs=4`
	prefixes   = `workload.prefix={count=9, tokens=200}`
	sessions   = `workload.session={turns=3, think_time="100ms"}`
	guessing   = `strategy.a.speculation={method="ngram", num_speculative_tokens=3, acceptance=0.7}`
	swapping   = tight + `; strategy.a.kv={enable_prefix_caching=false, offload="swap", tiers=[{name="host", size="40GB", bandwidth="50GB/s"}]}`
	expecting  = `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1]}]`
	rates      = `sweep={"workload.arrival.rate"=[5, 60]}`
	claiming   = `claim=[{strategy="a", metric="mean_ttft_ms", factor=[0.5, 1]}]; ` + oneByOne
	drawing    = rates + `; sweep."strategy.a.max_num_seqs"=[1, 8]; plot=`
	shares     = `workload.client=[{name="x", share=0.5}, {name="y", share=0.5}]`
	sources    = `workload.client=[{name="x", arrival={process="poisson", rate=20}}, {name="y", share=1}]`
	traceAlone = `-workload; `
	rivals     = synthetic + `; workload.num_requests=20; strategy.a.max_num_seqs=1`
	tied       = `search={load="workload.arrival.rate", over="base", metric="mean_ttft_ms", min=1, max=4, tolerance=0.5}`
	bounded    = `search={load="workload.arrival.rate", metric="mean_ttft_ms", bound=30, min=1, max=4, tolerance=0.5}`
	brief      = synthetic + `; -workload.num_requests; workload.duration="500ms"` // over which a search is quick
)

// effects are changes to single keys, but for those of laws, which allEffects adds.
var effects = map[string]effect{
	"seed":         {to: `seed=2`},
	"replications": {to: `replications=2`},
	"sweep":        {to: rates},

	"search.load":      {with: brief, to: `search.load="slo.ttft_ms"`, searched: true},
	"search.target":    {with: brief, to: `search.target=0.5`, searched: true},
	"search.tolerance": {with: brief, from: `search.tolerance=0.3`, to: `search.tolerance=0.01`, searched: true},
	"search.min":       {with: brief, to: `search.min=500`, searched: true},
	"search.max":       {with: brief, to: `search.max=2`, searched: true},
	"search.max_requests": {with: synthetic, from: `search={tolerance=0.3, max_requests=1}`,
		to: `search={tolerance=0.3, max_requests=60000}`, searched: true},
	"search.over":   {with: rivals, from: tied, to: strings.Replace(tied, "base", "a", 1), searched: true},
	"search.bound":  {with: rivals, from: bounded, to: strings.Replace(bounded, "30", "40", 1), searched: true},
	"search.client": {with: rivals + `; ` + shares, from: bounded, to: bounded + `; search.client="x"`, searched: true},
	"search.metric": {with: rivals, from: tied, to: strings.Replace(tied, "ttft", "e2el", 1), searched: true},

	"model.name":          {to: `model.name="llama-3.2-1b"`},
	"model.weights":       {to: `model.weights="fp8"`},
	"model.activations":   {with: `model.weights="fp8"`, to: `model.activations="fp8"`},
	"model.kv":            {to: `model.kv="fp8"`},
	"model.other_weights": {to: `model.other_weights="int8"`},
	"model.expert_skew":   {with: `model.name="mixtral-8x7b"; hardware.tp=4`, to: `model.expert_skew=1`},
	"model.max_model_len": {to: `model.max_model_len=300`},

	"hardware.accelerator":            {to: `hardware.accelerator="a100-sxm-80"`},
	"hardware.tp":                     {to: `hardware.tp=2`},
	"hardware.pp":                     {to: `hardware.pp=2`},
	"hardware.ep":                     {with: `model.name="mixtral-8x7b"; hardware.tp=4`, to: `hardware.ep=2`},
	"hardware.dp":                     {with: `model.name="mixtral-8x7b"; hardware.tp=2`, to: `hardware.dp=2`},
	"hardware.replicas":               {to: `hardware.replicas=2`},
	"hardware.gpu_memory_utilization": {to: `hardware.gpu_memory_utilization=0.4`},
	"hardware.kv_tokens":              {to: `hardware.kv_tokens=5000`},
	"hardware.cpu_offload_gb":         {to: `hardware.cpu_offload_gb=2`},
	"hardware.engine":                 {from: `hardware.engine="ideal"`, to: `hardware.engine="vllm-v1"`},
	"hardware.profile":                {to: `hardware.profile={memory_efficiency=0.5}`},
	"hardware.cost_model": {with: `-model; -hardware; hardware.kv_tokens=20000`,
		from: `hardware.cost_model="synthetic"; hardware.synthetic={step_fixed="10ms"}`,
		to:   `hardware.cost_model="measured"; hardware.measured.prefill={base="9ms"}; hardware.measured.decode=[{base="7ms"}]`},

	"hardware.custom.memory":              {with: custom, to: `hardware.custom.memory="50GB"`},
	"hardware.custom.bandwidth":           {with: custom, to: `hardware.custom.bandwidth="2TB/s"`},
	"hardware.custom.fp32_tflops":         {with: custom + `; model.weights="fp32"; model.activations="fp32"`, to: `hardware.custom.fp32_tflops=20`},
	"hardware.custom.bf16_tflops":         {with: custom, to: `hardware.custom.bf16_tflops=400`},
	"hardware.custom.fp16_tflops":         {with: custom + `; model.weights="fp16"; model.activations="fp16"`, to: `hardware.custom.fp16_tflops=400`},
	"hardware.custom.fp8_tflops":          {with: custom + `; model.weights="fp8"; model.activations="fp8"`, to: `hardware.custom.fp8_tflops=600`},
	"hardware.custom.int8_tflops":         {with: custom + `; model.weights="int8"; model.activations="int8"`, to: `hardware.custom.int8_tflops=600`},
	"hardware.custom.fp4_tflops":          {with: custom + `; model.weights="fp4"; model.activations="fp4"`, from: `hardware.custom.fp4_tflops=2000`, to: `hardware.custom.fp4_tflops=900`},
	"hardware.custom.int4_tflops":         {with: custom, to: `hardware.custom.int4_tflops=900`, refused: true},
	"hardware.custom.tf32_tflops":         {with: custom, to: `hardware.custom.tf32_tflops=100`, refused: true},
	"hardware.custom.link.bandwidth":      {with: custom + `; hardware.tp=2`, to: `hardware.custom.link.bandwidth="50GB/s"`},
	"hardware.custom.link.world":          {with: custom + `; hardware.tp=2`, to: `hardware.custom.link.world=1`},
	"hardware.custom.host_link.bandwidth": {with: custom + `; hardware.cpu_offload_gb=2`, to: `hardware.custom.host_link.bandwidth="10GB/s"`},
	"hardware.custom.host_link.world":     {with: custom + `; hardware.cpu_offload_gb=2; hardware.tp=2`, to: `hardware.custom.host_link.world=2`},
	"hardware.custom.network.bandwidth":   {with: custom + `; hardware.tp=2; hardware.custom.network.server=1`, to: `hardware.custom.network.bandwidth="5GB/s"`},
	"hardware.custom.network.server":      {with: custom + `; hardware.tp=2`, to: `hardware.custom.network.server=1`},
	"hardware.custom.network.latency":     {with: custom + `; hardware.tp=2; hardware.custom.network.server=1`, to: `hardware.custom.network.latency="90us"`},
	"hardware.custom.network.fraction":    {with: custom + `; hardware.tp=2; hardware.custom.network.server=1`, to: `hardware.custom.network.fraction=0.3`},
	"hardware.custom.bulk_copy_sms":       {with: custom, to: `hardware.custom.bulk_copy_sms=78`},
	"hardware.custom.kernels_like":        {with: custom, to: `hardware.custom.kernels_like="a100-sxm-80"`},
	"hardware.custom.tdp_w":               {with: custom, to: `hardware.custom.tdp_w=350`},
	"hardware.power_cap_w":                {to: `hardware.power_cap_w=420`},
	"hardware.custom.idle_w":              {with: custom, to: `hardware.custom.idle_w=200`},
	"hardware.custom.energy.active_w":     {with: custom, to: `hardware.custom.energy.active_w=250`},
	"hardware.custom.energy.pj_per_byte":  {with: custom, to: `hardware.custom.energy.pj_per_byte=90`},
	"hardware.custom.energy.pj_per_flop":  {with: custom, to: `hardware.custom.energy.pj_per_flop=0.1`},
	"hardware.custom.energy.estimated":    {with: custom, from: `hardware.custom.energy.estimated=""`, to: `hardware.custom.energy.estimated="a guess"`},
	"hardware.custom.burst.sustained":     {with: custom, to: `hardware.custom.burst.sustained=0.5`},
	"hardware.custom.burst.full":          {with: custom, to: `hardware.custom.burst.full="5ms"`},
	"hardware.custom.burst.recovery":      {with: custom, to: `hardware.custom.burst.recovery=0.05`},
	"hardware.custom.battery_wh":          {with: custom, to: `hardware.custom.battery_wh=50`, refused: true},
	"hardware.custom.throttle.sustained":  {with: custom, to: `hardware.custom.throttle={sustained=0.5, after="1s"}`, refused: true},
	"hardware.custom.throttle.after":      {with: custom, to: `hardware.custom.throttle={sustained=0.5, after="2s"}`, refused: true},
	"hardware.custom.throttle.least":      {with: custom, to: `hardware.custom.throttle={sustained=0.5, after="2s", least=0.4, most=0.6}`, refused: true},
	"hardware.custom.throttle.most":       {with: custom, to: `hardware.custom.throttle={sustained=0.5, after="2s", least=0.4, most=0.7}`, refused: true},
	"hardware.custom.usd_per_hour":        {with: custom, to: `hardware.custom.usd_per_hour=9`},

	"hardware.synthetic.step_fixed":        {with: synthetic, to: `hardware.synthetic.step_fixed="20ms"`},
	"hardware.synthetic.per_decode_row":    {with: synthetic, to: `hardware.synthetic.per_decode_row="1ms"`},
	"hardware.synthetic.per_context_token": {with: synthetic, to: `hardware.synthetic.per_context_token="10us"`},
	"hardware.synthetic.per_prefill_chunk": {with: synthetic, to: `hardware.synthetic.per_prefill_chunk="1ms"`},
	"hardware.synthetic.per_prefill_token": {with: synthetic, to: `hardware.synthetic.per_prefill_token="10us"`},
	"hardware.synthetic.per_draft_pass":    {with: synthetic + "; " + guessing, to: `hardware.synthetic.per_draft_pass="1ms"`},
	"hardware.synthetic.per_draft_row":     {with: synthetic + "; " + guessing, to: `hardware.synthetic.per_draft_row="1ms"`},

	"hardware.measured.prefill.base":             {with: measured, to: `hardware.measured.prefill.base="20ms"`},
	"hardware.measured.prefill.per_token":        {with: measured, to: `hardware.measured.prefill.per_token="80us"`},
	"hardware.measured.prefill.per_token2":       {with: measured, to: `hardware.measured.prefill.per_token2="2ns"`},
	"hardware.measured.decode.max_batch":         {with: measured, to: `hardware.measured.decode=[{max_batch=9, base="7ms"}, {base="8ms"}]`},
	"hardware.measured.decode.base":              {with: measured, to: `hardware.measured.decode=[{max_batch=2, base="7ms"}, {base="9ms"}]`},
	"hardware.measured.decode.per_context_token": {with: measured, to: `hardware.measured.decode=[{max_batch=2, base="7ms"}, {base="8ms", per_context_token="1us"}]`},
	"hardware.measured.decode.per_sequence":      {with: measured, to: `hardware.measured.decode=[{max_batch=2, base="7ms"}, {base="8ms", per_sequence="1ms"}]`},

	"workload.num_requests":     {to: `workload.num_requests=12`},
	"workload.duration":         {to: `workload.duration="200ms"`},
	"workload.too_long":         {with: `model.max_model_len=300`, to: `workload.too_long="truncate"`},
	"workload.prefix.count":     {with: prefixes, to: `workload.prefix.count=2`},
	"workload.prefix.tokens":    {with: prefixes, to: `workload.prefix.tokens=100`},
	"workload.prefix.groups":    {with: `workload.prefix={groups=9, per_group=3, tokens=40}`, to: `workload.prefix.groups=2`},
	"workload.prefix.per_group": {with: `workload.prefix={groups=3, per_group=9, tokens=40}`, to: `workload.prefix.per_group=2`},

	"workload.prefix.buckets.weight": {from: `workload.prefix={buckets=[{weight=1, count=9, tokens=200}, {weight=1, count=2, tokens=20}]}`, to: `workload.prefix={buckets=[{weight=9, count=9, tokens=200}, {weight=1, count=2, tokens=20}]}`},
	"workload.prefix.buckets.count":  {from: `workload.prefix={buckets=[{weight=1, count=9, tokens=200}]}`, to: `workload.prefix={buckets=[{weight=1, count=2, tokens=200}]}`},
	"workload.prefix.buckets.tokens": {from: `workload.prefix={buckets=[{weight=1, count=9, tokens=200}]}`, to: `workload.prefix={buckets=[{weight=1, count=9, tokens=100}]}`},

	"workload.prefix.distinct": {with: `workload.prefix={distinct=9}`, to: `workload.prefix.distinct=2`},

	"workload.session.turns":      {with: sessions, to: `workload.session.turns=2`},
	"workload.session.think_time": {with: sessions, to: `workload.session.think_time="300ms"`},
	"workload.session.think_from": {with: sessions, to: `workload.session.think_from=request`},
	"workload.session.start":      {with: `-workload.arrival; ` + sessions + `; workload.session.users=4`, to: `workload.session.start="at_once"`},
	"workload.session.users":      {with: `-workload.arrival; ` + sessions, from: `workload.session.users=2`, to: `workload.session.users=4`},

	"workload.client.share":          {with: shares, to: `workload.client=[{name="x", share=0.2}, {name="y", share=0.8}]`},
	"workload.client.priority":       {with: shares + `; strategy.a.order="priority"; ` + oneByOne, from: `workload.client.x.priority=1`, to: `workload.client.y.priority=1`},
	"workload.client.slo.ttft_ms":    {with: shares, to: `workload.client.x.slo.ttft_ms=15`},
	"workload.client.slo.tpot_ms":    {with: shares, to: `workload.client.x.slo.tpot_ms=5`},
	"workload.client.slo.e2el_ms":    {with: shares, to: `workload.client.x.slo.e2el_ms=100`},
	"workload.client.slo.itl_p99_ms": {with: shares, to: `workload.client.x.slo.itl_p99_ms=5`},

	"slo.ttft_ms":    {to: `slo.ttft_ms=20`},
	"slo.tpot_ms":    {to: `slo.tpot_ms=5`},
	"slo.e2el_ms":    {to: `slo.e2el_ms=100`},
	"slo.itl_p99_ms": {to: `slo.itl_p99_ms=5`},
	"slo.attainment": {with: `sweep={"workload.arrival.rate"=[1, 200]}; ` + oneByOne, from: `slo.attainment=0.01`, to: `slo.attainment=0.9`},

	"measure.warmup":   {to: `measure.warmup=0.3`},
	"measure.cooldown": {to: `measure.cooldown=0.3`},
	"measure.drain":    {to: `measure.drain=false`},
	"measure.max_time": {to: `measure.max_time="300ms"`},

	"strategy.batching":                           {to: static},
	"strategy.scheduler":                          {to: `strategy.a.scheduler="vllm-v0"`},
	"strategy.max_num_seqs":                       {to: oneByOne},
	"strategy.max_num_batched_tokens":             {to: `strategy.a.max_num_batched_tokens=256`},
	"strategy.long_prefill_token_threshold":       {to: `strategy.a.long_prefill_token_threshold=64`},
	"strategy.max_wait":                           {with: static, to: `strategy.a.max_wait="200ms"`},
	"strategy.padded":                             {with: static, to: `strategy.a.padded=false`},
	"strategy.order":                              {with: oneByOne, to: `strategy.a.order="sjf"`},
	"strategy.max_waiting":                        {with: oneByOne, to: `strategy.a.max_waiting=1`},
	"strategy.preemption":                         {with: swapping, to: `strategy.a.preemption="swap"; strategy.a.kv.enable_prefix_caching=true`, from: `strategy.a.preemption="recompute"; strategy.a.kv.enable_prefix_caching=true`},
	"strategy.reserve":                            {with: tight, to: `strategy.a.reserve="oracle"`},
	"strategy.model":                              {to: `strategy.a.model={kv="fp8"}`},
	"strategy.hardware":                           {to: `strategy.a.hardware={tp=2}`},
	"strategy.speculation.method":                 {with: guessing, to: `strategy.a.speculation.method="mtp"; model.name="deepseek-v3"; model.weights="fp8"; hardware.tp=16`, from: `model.name="deepseek-v3"; model.weights="fp8"; hardware.tp=16`},
	"strategy.speculation.draft":                  {with: guessing + `; strategy.a.speculation.method="draft"; model.name="llama-3.1-70b"; hardware.tp=4`, from: `strategy.a.speculation.draft="llama-3.2-1b"`, to: `strategy.a.speculation.draft="llama-3.1-8b"`},
	"strategy.speculation.num_speculative_tokens": {with: guessing, to: `strategy.a.speculation.num_speculative_tokens=2`},
	"strategy.speculation.acceptance":             {with: guessing, to: `strategy.a.speculation.acceptance=0.5`},
	"strategy.speculation.tree":                   {with: guessing + `; strategy.a.speculation.method="eagle"`, to: `strategy.a.speculation.tree=[3, 2, 2]`},
	"strategy.speculation.draft_window":           {with: guessing + `; strategy.a.speculation.method="eagle"`, to: `strategy.a.speculation.draft_window=64`},
	"strategy.speculation.disable_above_batch":    {with: guessing, to: `strategy.a.speculation.disable_above_batch=1`},
	"strategy.speculation.adaptive":               {with: guessing + `; strategy.a.speculation.acceptance=0.2`, to: `strategy.a.speculation.adaptive=true`},

	"strategy.kv.block_size":            {with: tight, to: `strategy.a.kv.block_size=128`},
	"strategy.kv.enable_prefix_caching": {with: prefixes, to: `strategy.a.kv.enable_prefix_caching=false`},
	"strategy.kv.eviction":              {with: prefixes + `; workload.num_requests=200; ` + tight, from: `strategy.a.kv.eviction="lru"`, to: `strategy.a.kv.eviction="lfu"`},
	"strategy.kv.prefix_cache_ttl":      {with: prefixes + `; workload.arrival.rate=0.1`, to: `strategy.a.kv.prefix_cache_ttl="1ms"`},
	"strategy.kv.offload":               {with: swapping, to: `strategy.a.kv.offload="layerwise"`},
	"strategy.kv.tiers.size":            {with: swapping, to: `strategy.a.kv.tiers.host.size="4MB"`},
	"strategy.kv.tiers.bandwidth":       {with: swapping, to: `strategy.a.kv.tiers.host.bandwidth="1GB/s"`},
	"strategy.kv.tiers.bandwidth_out":   {with: swapping, to: `strategy.a.kv.tiers.host.bandwidth_out="1GB/s"`},
	"strategy.kv.transfers":             {with: swapping, to: `strategy.a.kv.transfers="serial"`},
	"strategy.kv.tiers.latency":         {with: swapping, to: `strategy.a.kv.tiers.host.latency="50ms"`},

	"strategy.frontend.pipelined": {to: `strategy.a.frontend.pipelined=false`},
	"strategy.frontend.threads":   {with: `strategy.a.compression={ratio=2, tokens_per_second=5000}`, to: `strategy.a.frontend.threads=1`},
	"strategy.frontend.token_ids": {to: `strategy.a.frontend.token_ids=true`},
	"strategy.frontend.stream":    {to: `strategy.a.frontend.stream=false`},

	"strategy.compression.ratio":             {with: `strategy.a.compression={ratio=2, tokens_per_second=5000}`, to: `strategy.a.compression.ratio=4`},
	"strategy.compression.tokens_per_second": {with: `strategy.a.compression={ratio=2, tokens_per_second=5000}`, to: `strategy.a.compression.tokens_per_second=9000`},

	"expect.metric":   {with: expecting, to: `expect=[{metric="mean_tpot_ms", strategy="a", between=[0, 1]}]`},
	"expect.strategy": {with: expecting + "; " + oneByOne, to: `expect=[{metric="mean_ttft_ms", strategy="base", between=[0, 1]}]`},
	"expect.ratio":    {with: expecting, to: `expect=[{metric="mean_ttft_ms", ratio=["a", "base"], between=[0, 1]}]`},
	"expect.between":  {with: expecting, to: `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1000]}]`},
	"expect.at": {with: rates, from: `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1], at="lowest"}]`,
		to: `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1], at="highest"}]`},

	"expect.window": {with: `measure.warmup=0.5; ` + expecting, from: `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1]}]`,
		to: `expect=[{metric="mean_ttft_ms", strategy="a", between=[0, 1], window="steady"}]`},

	"plot.kind":   {with: drawing + `[{kind="curve", metric="mbu", x="workload.arrival.rate"}]`, to: `plot=[{kind="where-time-goes"}]`},
	"plot.metric": {with: drawing + `[{kind="curve", metric="mbu"}]`, to: `plot=[{kind="curve", metric="mfu"}]`},
	"plot.x":      {with: drawing + `[{kind="curve", metric="mbu", filter={strategy="a"}}]`, to: `plot=[{kind="curve", metric="mbu", x="strategy.a.max_num_seqs", filter={strategy="a"}}]`},
	"plot.by":     {with: drawing + `[{kind="curve", metric="mbu", filter={strategy="a"}}]`, to: `plot=[{kind="curve", metric="mbu", by="strategy.a.max_num_seqs", filter={strategy="a"}}]`},
	"plot.at":     {with: drawing + `[]`, to: `plot=[{kind="timeline", at="highest"}]`},
	"plot.window": {with: drawing + `[{kind="timeline"}]`, to: `plot=[{kind="timeline", window="run"}]`},
	"plot.per":    {with: drawing + `[{kind="curve", metric="output_throughput"}]`, to: `plot=[{kind="curve", metric="output_throughput", per="watt"}]`},
	"plot.filter": {with: drawing + `[{kind="curve", metric="mbu"}]`, to: `plot=[{kind="curve", metric="mbu", filter={"strategy.a.max_num_seqs"=8}}]`},
	"plot.size":   {with: drawing + `[{kind="curve", metric="mbu"}]`, to: `plot=[{kind="curve", metric="mbu", size="column"}]`},
	"plot.file":   {with: drawing + `[{kind="curve", metric="mbu"}]`, to: `plot=[{kind="curve", metric="mbu", file="other"}]`},

	"claim.strategy": {with: claiming, from: `claim=[{strategy="a", over="base", metric="mean_ttft_ms", factor=[0.5, 1]}]`,
		to: `claim=[{strategy="base", over="a", metric="mean_ttft_ms", factor=[0.5, 1]}]`},
	"claim.over":   {with: `strategy.base.max_num_seqs=2`, to: `claim=[{strategy="base", over="a", metric="mean_ttft_ms", factor=[0.5, 1]}]`, from: `claim=[{strategy="a", metric="mean_ttft_ms", factor=[0.5, 1]}]`},
	"claim.metric": {with: claiming, to: `claim=[{strategy="a", metric="mean_tpot_ms", factor=[0.5, 1]}]`},
	"claim.factor": {with: claiming, to: `claim=[{strategy="a", metric="mean_ttft_ms", factor=[0.5, 1000]}]`},
	"claim.at":     {with: claiming + "; " + rates, to: `claim=[{strategy="a", metric="mean_ttft_ms", factor=[0.5, 1], at="highest"}]`},
}

// allEffects are effects and those of the keys of laws, wherever a law can stand. Traces
// are in dir.
func allEffects(dir string) map[string]effect {
	all := map[string]effect{}
	maps.Copy(all, effects)
	maps.Copy(all, fleetEffects)
	maps.Copy(all, scalingEffects)
	for place, with := range map[string]string{
		"workload.input": "", "workload.output": "",
		"workload.session.first_input": sessions,
		"workload.session.input":       `-workload.input; ` + sessions,
		"workload.session.output":      `-workload.output; ` + sessions,
		"workload.client.input":        shares, "workload.client.output": shares,
	} {
		addLengths(all, place, with, filepath.ToSlash(dir))
	}
	addPrices(all, dir)
	addCurves(all, dir)
	addArrivals(all, "workload.arrival", "")
	addArrivals(all, "workload.client.arrival", sources)
	for key, e := range traceEffects {
		e.with = traceAlone + e.with
		for _, text := range []*string{&e.with, &e.from, &e.to} {
			*text = strings.ReplaceAll(*text, "DIR", filepath.ToSlash(dir))
		}
		all["workload.trace."+key] = e
	}
	return all
}

// addLengths adds the keys of a law of lengths at a place.
func addLengths(all map[string]effect, place, with, dir string) {
	path := strings.Replace(place, "workload.client.", "workload.client.x.", 1)
	add := func(key, from, to string) {
		all[place+"."+key] = effect{with: with, from: path + "=" + from, to: path + "=" + to}
	}
	add("type", `{type="lognormal", mean=100, std=50}`, `{type="normal", mean=100, std=50}`)
	add("mean", `{type="fixed", mean=100}`, `{type="fixed", mean=50}`)
	add("std", `{type="lognormal", mean=100, std=50}`, `{type="lognormal", mean=100, std=90}`)
	add("range_ratio", `{type="uniform", mean=100}`, `{type="uniform", mean=100, range_ratio=0.5}`)
	add("exponent", `{type="zipf", exponent=1, max=200}`, `{type="zipf", exponent=0.3, max=200}`)
	add("min", `{type="lognormal", mean=100, std=90}`, `{type="lognormal", mean=100, std=90, min=90}`)
	add("max", `{type="lognormal", mean=100, std=90}`, `{type="lognormal", mean=100, std=90, max=100}`)
	add("mix.w", `{type="lognormal_mix", mix=[{w=1, mu=3, sigma=0.3}, {w=1, mu=5, sigma=0.3}]}`, `{type="lognormal_mix", mix=[{w=1, mu=3, sigma=0.3}, {w=9, mu=5, sigma=0.3}]}`)
	add("mix.mu", `{type="lognormal_mix", mix=[{w=1, mu=3, sigma=0.3}]}`, `{type="lognormal_mix", mix=[{w=1, mu=4, sigma=0.3}]}`)
	add("mix.sigma", `{type="lognormal_mix", mix=[{w=1, mu=3, sigma=0.3}]}`, `{type="lognormal_mix", mix=[{w=1, mu=3, sigma=0.5}]}`)
	add("quantiles", `{type="empirical", quantiles=[10, 50, 90]}`, `{type="empirical", quantiles=[10, 20, 90]}`)
	add("path", `{type="empirical", path="`+dir+`/lengths.txt"}`, `{type="empirical", path="`+dir+`/longer.txt"}`)
	add("percentiles", `{type="empirical", quantiles=[10, 50, 90]}`, `{type="empirical", quantiles=[10, 50, 90], percentiles=[0, 90, 100]}`)
	add("correlation", `{type="lognormal", mean=100, std=50}`, `{type="lognormal", mean=100, std=50, correlation=0.9}`)
	if strings.HasSuffix(place, "input") {
		e := all[place+".correlation"]
		e.refused = true
		all[place+".correlation"] = e
	}
}
