package main

import "strings"

// together is an experiment with some keys set; the message says these things, which #
// separates.
func together(says string, assignments ...string) badInput {
	in := badInput{"together: " + strings.Join(assignments, " "), []string{"run", "small.toml"}, nil, append([]string{"small.toml"}, strings.Split(says, "#")...)}
	for _, a := range assignments {
		in.args = append(in.args, "--set", a)
	}
	return in
}

// badTogether are experiments in which single keys are right, and not together; keys that
// are missing, and keys that are there twice.
func badTogether() []badInput {
	all := badNames()
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
	for key, table := range map[string]string{"title": `title = "x"`, "model": "[model]", "slo": "[slo]", "sweep": "[sweep]", "workload": "[workload]"} {
		all = append(all, badInput{"twice: " + key, []string{"run", "bad/x.toml"},
			map[string]string{"bad/x.toml": "title = \"x\"\n[model]\n[slo]\n[sweep]\n[workload]\n" + table + "\n" + table + "\n"}, []string{"x.toml:", "not TOML"}})
	}
	for key, text := range map[string]string{
		"workload.arrival.rate = NaN": "workload.arrival.rate = nan\nsweep.\"workload.arrival.rate\" = [1]",
		"hardware.tp = +Inf":          "hardware.tp = inf\nstrategy = [{name = \"a\", hardware.tp = 1}]",
		"strategy[0].kv[1] = -Inf":    "strategy = [{kv = [1.5, -inf]}]",
	} {
		all = append(all, badInput{"not finite: " + key, []string{"run", "bad/x.toml"}, map[string]string{"bad/x.toml": text}, []string{"x.toml: " + key, "must be a finite number"}})
	}
	for key, text := range map[string]string{
		"title":                "seed = 1",
		"workload":             "title = \"x\"\n[[strategy]]\nname = \"a\"",
		"strategy":             "title = \"x\"\n[workload]\nname = \"azure-conv-2023\"",
		"model.name":           "title = \"x\"\nstrategy = [{name = \"a\"}]\n[workload]\nname = \"azure-conv-2023\"\n[hardware]\naccelerator = \"h100-sxm\"",
		"hardware.accelerator": "title = \"x\"\nstrategy = [{name = \"a\"}]\n[workload]\nname = \"azure-conv-2023\"\n[model]\nname = \"llama-3.1-8b\"",
		"name":                 "title = \"x\"\nstrategy = [{}]\n[workload]\nname = \"azure-conv-2023\"\n[model]\nname = \"llama-3.1-8b\"\n[hardware]\naccelerator = \"l4\"",
	} {
		all = append(all, badInput{"without " + key, []string{"run", "bad/x.toml"}, map[string]string{"bad/x.toml": text}, []string{"x.toml", key, "missing"}})
	}
	set("hardware.tp[1] = NaN#must be a finite number", "hardware.tp=[1, nan]")
	set("strategy[1].name#unique", "strategy.continuous.name=static")
	set("hardware.tp = 3#allowed: 1, 2, 4, 8", "hardware.tp=3")
	set("hardware.ep = 2", "hardware.ep=2")
	set("hardware.dp", "hardware.dp=2")
	set("hardware.pp = 33#1 to 32", "hardware.pp=33")
	set("does not fit#tp = 2 fits", "model.name=llama-3.1-70b")
	set("hardware.kv_tokens = 99999999#at most", "hardware.kv_tokens=99999999")
	set("gpu_memory_utilization#one of them", "hardware.kv_tokens=9999", "hardware.gpu_memory_utilization=0.5")
	set("model.max_model_len = 999999#1 to 131072", "model.max_model_len=999999")
	set("max_model_len = 1#from 2", "model.max_model_len=1")
	set("model.weights#at most as wide", "model.weights=fp32")
	set("model.other_weights = \"fp32\"#no wider than that", "model.other_weights=fp32")
	set("model.expert_skew = 1#has no experts", "model.expert_skew=1")
	set("model.expert_skew = 2#less than 1.73", "model.name=mixtral-8x7b", "hardware.tp=4", "model.expert_skew=2")
	set("model.other_weights#did you mean \"int8\"", "model.other_weights=int9")
	set("model.activations#does not compute", "hardware.accelerator=a100-sxm-80", "model.weights=fp8", "model.activations=fp8")
	set("hardware.synthetic#only with cost_model", "hardware.synthetic.step_fixed=1ms")
	set("hardware.measured#only with cost_model", "hardware.measured.prefill.base=1ms", `hardware.measured.decode=[{base="1ms"}]`)
	set("hardware.measured#missing", "hardware.cost_model=measured")
	set("kv_tokens#missing", "hardware.cost_model=synthetic", "hardware.synthetic.step_fixed=1ms")
	set("model.name#leave it out", "hardware.cost_model=synthetic", "hardware.synthetic.step_fixed=1ms", "hardware.kv_tokens=9")
	set("hardware.accelerator#one of them", `hardware.custom.like="h100-sxm"`)
	set("strategy.continuous.max_wait|max_wait#only with batching", "strategy.continuous.max_wait=1s")
	set("padded#only with batching", "strategy.continuous.padded=false")
	set("max_num_batched_tokens#only with scheduler", "strategy.continuous.scheduler=orca", "strategy.continuous.max_num_batched_tokens=9")
	set("preemption#recompute", "strategy.continuous.preemption=none")
	set("preemption#swap", "strategy.continuous.preemption=swap")
	set("reserve#allowed: max", "strategy.static.reserve=paged")
	set("kv.eviction#only with", "strategy.static.kv.eviction=lfu")
	set("kv.prefix_cache_ttl#kv.enable_prefix_caching", "strategy.static.kv.prefix_cache_ttl=5m")
	set("kv.prefix_cache_ttl#lru", "strategy.continuous.kv.prefix_cache_ttl=5m", "strategy.continuous.kv.eviction=lfu")
	set("kv.prefix_cache_ttl#kv.offload", "strategy.continuous.kv.prefix_cache_ttl=5m", "strategy.continuous.kv.offload=swap",
		`strategy.continuous.kv.tiers=[{name="h", size="1GB", bandwidth="1GB/s"}]`)
	set("enable_prefix_caching#false", "strategy.static.kv.enable_prefix_caching=true")
	set("kv.tiers|kv.offload", "strategy.continuous.kv.offload=swap")
	set("kv.tiers|kv.offload", `strategy.continuous.kv.tiers=[{name="h", size="1GB", bandwidth="1GB/s"}]`)
	set("kv.transfers", "strategy.continuous.kv.transfers=serial")
	set("order#clients", "strategy.continuous.order=priority")
	set("slo.ttft_ms#deadline", "strategy.continuous.order=deadline", "slo.ttft_ms=0")
	set("speculation", "strategy.continuous.speculation.method=ngram")
	set("speculation.draft", "strategy.continuous.speculation={method=\"draft\", num_speculative_tokens=3, acceptance=0.5}")
	set("speculation", "strategy.static.speculation={method=\"ngram\", num_speculative_tokens=3, acceptance=0.5}", "strategy.static.speculation.draft=llama-3.2-1b")
	set("threads", "strategy.continuous.frontend={pipelined=false, threads=3}")
	set("compression.ratio", "strategy.continuous.compression.ratio=0.5", "strategy.continuous.compression.tokens_per_second=9")
	set("compression.tokens_per_second", "strategy.continuous.compression.ratio=2")
	set("workload.input#trace", "workload.trace={path=\"x\", format=\"azure\"}")
	set("burstiness", "workload.arrival.burstiness=2")
	set("cv", "workload.arrival.cv=2")
	set("concurrency", "workload.arrival.concurrency=2")
	set("workload.arrival.rate#closed", "workload.arrival.process=closed", "sweep={}")
	set("rate", "workload.arrival={process=\"poisson\"}", "sweep={}")
	set("workload.arrival.rate#beside stages", `workload.arrival.stages=[{rate=1, duration="9s"}]`)
	set("workload.arrival.hourly#24 factors", "workload.arrival.hourly=[1, 2]")
	set("std", "workload.input={type=\"lognormal\", mean=5}")
	set("mean", "workload.input={type=\"normal\", std=5}")
	set("max = 3#less than min", "workload.input.min=5", "workload.input.max=3")
	set("input.type#missing; allowed: one of fixed, uniform", "workload.input={mean=5}")
	set("quantiles", "workload.input={type=\"empirical\", quantiles=[5, 3]}")
	set("percentiles", "workload.input={type=\"empirical\", quantiles=[3, 5], percentiles=[0, 50]}")
	set("prefix.tokens#missing", "workload.prefix.count=3")
	set("prefix", "workload.prefix={count=3, tokens=5, distinct=2}")
	set("session.turns = 1e-308#from 1 on", "workload.session.turns=1e-308")
	set("session#turns", "workload.session.users=3")
	set("client#sum up to 1", `workload.client=[{name="x", share=0.4}]`)
	set("client[1].name#unique", `workload.client=[{name="x", share=0.5}, {name="x", share=0.5}]`)
	set("share#no effect", `workload.client=[{name="x", share=0.5, arrival={rate=3}}]`)
	set("expect[0].ratio#two places", `expect=[{metric="mbu", ratio=["static", "static"], at=8, between=[0, 1]}]`)
	set("expect[0].at#two points", `expect=[{metric="mbu", strategy="static", at=[8, "highest"], between=[0, 1]}]`)
	set("expect[0].at#swept value", `expect=[{metric="mbu", strategy="static", at=9, between=[0, 1]}]`)
	set("expect[0].between#lower one first", `expect=[{metric="mbu", strategy="static", at=8, between=[1, 0]}]`)
	set(`expect[0]#did you mean "static"`, `expect=[{metric="mbu", strategy="sttaic", at=8, between=[0, 1]}]`)
	set(`expect[0].metric#did you mean "mbu"`, `expect=[{metric="mub", strategy="static", at=8, between=[0, 1]}]`)
	set("expect[0].strategy#ratio", `expect=[{metric="mbu", at=8, between=[0, 1]}]`)
	set("plot[0].kind#nothing is swept", "sweep={}", `plot=[{kind="curve", metric="mbu"}]`)
	set("plot[0].kind#not supported yet|two variables", `plot=[{kind="heatmap", metric="mbu"}]`)
	set("plot[0].metric#SLO", "slo={}", `plot=[{kind="curve", metric="request_goodput"}]`)
	set("plot[0].metric#yes or no", `plot=[{kind="curve", metric="saturated"}]`)
	set("plot[0].metric = \"p99_tttf_ms\"#did you mean \"p99_ttft_ms\"", `plot=[{kind="curve", metric="p99_tttf_ms"}]`)
	set("plot[0].x#not swept", `plot=[{kind="curve", metric="mbu", x="hardware.tp"}]`)
	set("plot[0].x#the metric itself", `plot=[{kind="tradeoff", metric="mbu", x="mbu"}]`)
	set("plot[0].by#horizontal axis", `plot=[{kind="curve", metric="mbu", by="workload.arrival.rate"}]`)
	set("plot[0].by#is no key of strategy \"static\"", `sweep={"strategy.continuous.max_num_seqs"=[1, 2], "workload.arrival.rate"=[1, 2], "strategy.continuous.kv.block_size"=[16, 32]}`, `plot=[{kind="curve", metric="mbu", x="strategy.continuous.kv.block_size", by="strategy.continuous.max_num_seqs"}]`)
	set("plot[0].by#workload.client", `plot=[{kind="curve", metric="mbu", by="class"}]`)
	set("plot[0].at#only with kind", `plot=[{kind="curve", metric="mbu", at="knee"}]`)
	set("plot[0].per#no rate", `plot=[{kind="curve", metric="mbu", per="watt"}]`)
	set("plot[0].filter.\"strategy\" = \"statik\"#did you mean \"static\"", `plot=[{kind="curve", metric="mbu", filter={strategy="statik"}}]`)
	set("plot[0].filter.\"workload\"#in quotes", `plot=[{kind="curve", metric="mbu", filter={workload.arrival.rate=1}}]`)
	set("plot[0].file#without a folder", `plot=[{kind="curve", metric="mbu", file="../a"}]`)
	set("plot[0].file#another file", `plot=[{kind="curve", metric="mbu", file="results"}]`)
	set("plot[0].file#no format", `plot=[{kind="curve", metric="mbu", file="a.jpg"}]`)
	set("plot[1].file#has this name", `plot=[{kind="curve", metric="mbu", file="a.svg"}, {kind="curve", metric="mfu", file="A.png"}]`)
	set("plot[1]#same figure as plot[0]", `plot=[{kind="curve", metric="mbu"}, {kind="curve", metric="mbu", file="b"}]`)
	set("claim[0].over#another strategy", `claim=[{strategy="static", metric="mbu", factor=[0.5, 1]}]`)
	curve := func(rest string) string { return `curve=[{figure="F", metric="mbu", ` + rest + `}]` }
	set("curve[0].strategy#said twice, or not at all", curve(`points=[[8, 1]]`))
	set("curve[0].strategy = \"statik\"#did you mean \"static\"", curve(`strategy="statik", points=[[8, 1]]`))
	set("curve[0].over#another strategy", curve(`strategy="static", over="static", points=[[8, 1]]`))
	set("curve[0].points#either points or a file", curve(`strategy="static"`))
	set("curve[0].points[0]#not swept there", curve(`strategy="static", points=[[1000, 1]]`))
	set("curve[0].points[0]#neither what is swept first nor a metric", curve(`strategy="static", x="hardware.tp", points=[[8, 1]]`))
	set("curve[0].points#a number above 0", curve(`strategy="static", points=[[8, 0]]`))
	set("curve[0].points#of three with its noise", curve(`strategy="static", points=[[8, 1, 0.1, 2]]`))
	set("curve[0].points#a share from 0, below 1", curve(`strategy="static", points=[[8, 1, 1]]`))
	set("curve[0].where#not swept", curve(`strategy="static", where={"hardware.tp"=1}, points=[[8, 1]]`))
	set("curve[0].within#met by anything", curve(`strategy="static", within=2, points=[[8, 1]]`))
	set("curve[0].reading#no smaller than within", curve(`strategy="static", reading=0.5, points=[[8, 1]]`))
	set("curve[0].metric = \"mbuu\"#did you mean", `curve=[{figure="F", metric="mbuu", strategy="static", points=[[8, 1]]}]`)
	set("paper#nothing that it published", `paper={name="P"}`)
	set("paper.unknown#says nothing", `paper={name="P", unknown=[""]}`, curve(`strategy="static", points=[[8, 1]]`))
	set(`paper.witness = "statik"#did you mean "static"`, `paper={name="P", witness={statik="static"}}`, curve(`strategy="static", points=[[8, 1]]`))
	set(`paper.witness.static = "continous"#did you mean "continuous"`, `paper={name="P", witness={static="continous"}}`, curve(`strategy="static", points=[[8, 1]]`))
	set("paper.witness.static#for itself", `paper={name="P", witness={static="static"}}`, curve(`strategy="static", points=[[8, 1]]`))
	set("claim[0].factor#lower one first", `claim=[{strategy="continuous", metric="mbu", factor=[0, 1]}]`)
	set("sweep#at least one value", `sweep."workload.arrival.rate"=[]`)
	set("sweep#twice", `sweep."workload.arrival.rate"=[2, 2]`)
	set("sweep#list", `sweep."workload.arrival.rate"=2`)
	set("sweep#cannot be swept", `sweep."title"=["a", "b"]`)
	set("sweep#cannot be swept", `sweep."strategy.static.name"=["a", "b"]`)
	set(`workload.arrival.rat#did you mean "rate"`, `sweep."workload.arrival.rat"=[1, 2]`)
	set(`statik#did you mean "static"`, `sweep."strategy.statik.max_num_seqs"=[1, 2]`)
	set("hardware.tp = 3#allowed: 1, 2, 4, 8", `sweep."hardware.tp"=[1, 2, 3]`)
	set("sweep.mode#product, zip", "sweep.mode=zop")
	set("sweep#one length", "sweep.mode=zip", `sweep."workload.num_requests"=[1, 2, 3]`)
	set("sweep#repeat", `sweep={mode="zip", "workload.arrival.rate"=[1, 1], "workload.num_requests"=[5, 5]}`)
	set("measure", "measure.warmup=2")
	set("measure", "measure.warmup=0.6", "measure.cooldown=0.6")
	set("attainment", "slo.attainment=1.5")
	set("ttft_ms", "slo.ttft_ms=-1")
	set(`workload.name = "azure-conv-202"#did you mean "azure-conv-2023"`, "workload.name=azure-conv-202")
	set(`hardware.profile.memory_eficiency#did you mean "memory_efficiency"`, "hardware.profile.memory_eficiency=0.5")
	set("hardware.profile.memory_efficiency = 1.5#at most 1", "hardware.profile.memory_efficiency=1.5")
	set("hardware.profile.all_reduce#no such library", "hardware.profile.all_reduce=rccl")
	set(`hardware.profile.micro_batch_overlap = "exchange"#did you mean "exchanges"`, "hardware.profile.micro_batch_overlap=exchange")
	set("hardware.profile.expert_imbalance = 1.5#all are loaded alike", "hardware.profile={expert_imbalance=1.5, balanced_experts=true}")
	set("hardware.profile.step_cpu_per_accelerator#one accelerator", `hardware.profile.step_cpu_per_accelerator="1ms"`)
	set("hardware.profile.product_vector_ops = 16#fewer than 16 bits", "hardware.profile.product_vector_ops=16.0")
	set("hardware.profile.expert_imbalance = 1.5#one group", "hardware.profile.expert_imbalance=1.5")
	set("hardware.profile.balanced_experts = true#no experts", "hardware.profile.balanced_experts=true")
	set("hardware.profile.prompt_launch_floor_latent#no latent attention", `hardware.profile.prompt_launch_floor_latent="2ms"`)
	set("hardware.profile.speculation_step#nothing is guessed", `hardware.profile.speculation_step="2ms"`)
	set("hardware.profile.micro_batch_tokens = 32#one piece", "hardware.profile.micro_batch_tokens=32")
	set("hardware.pp = 2#not supported yet with micro_batch_overlap", "hardware.pp=2", `hardware.profile={micro_batch_overlap="all"}`)
	set("hardware.profile.fused_sums = true#hardware.tp = 1", "hardware.profile.fused_sums=true")
	set("hardware.profile.fused_sums = true#sums go between servers (hardware.tp = 16)", "hardware.profile.fused_sums=true", "hardware.tp=16")
	set("fused_sums = true#not supported yet with micro_batch_overlap", `hardware.profile={micro_batch_overlap="all", fused_sums=true}`)
	set(`hardware.engine = "vlm-v1"#did you mean "vllm-v1"`, "hardware.engine=vlm-v1")
	set(`hardware.accelerator = "h100-sxn"#did you mean "h100-sxm"`, "hardware.accelerator=h100-sxn")
	set(`model.name = "lama-3.1-8b"#did you mean "llama-3.1-8b"`, "model.name=lama-3.1-8b")
	set("model.weights = \"bf61\"#did you mean \"bf16\"", "model.weights=bf61")
	return all
}
