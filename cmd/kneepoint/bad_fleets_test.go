package main

import "slices"

// badFleets are fleets in which single keys are right, and not together.
func badFleets() []badInput {
	const chat, two = `workload.client=[{name="chat", share=0.5}, {name="batch", share=0.5}]`, `fleet.pool=[{name="a"}, {name="b"}]`
	const apart = `fleet.pool=[{name="a", role="prefill"}, {name="b", role="decode"}]`
	var all []badInput
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
	set(`fleet.pool "p".role = "decode"#another pool with role = "prefill"`, `fleet.pool=[{name="p", role="decode"}]`)
	set(`fleet.pool "p".role = "prefill"#another pool with role = "decode"`, `fleet.pool=[{name="o"}, {name="p", role="prefill"}]`)
	set(`fleet.pool[1].name = "a"#unique`, `fleet.pool=[{name="a"}, {name="a"}]`)
	set(`name#one line of text`, `fleet.pool=[{name=" "}]`)
	set(`fleet.pool[0].name: missing`, `fleet.pool=[{replicas=2}]`)
	set(`fleet.pool "a".classes[0] = "chat"#[[workload.client]]`, `fleet.pool=[{name="a", classes=["chat"]}]`)
	set(`fleet.pool "a".classes[1] = "caht"#chat, batch#did you mean "chat"`, chat, `fleet.pool=[{name="a", classes=["batch", "caht"]}]`)
	set(`fleet.pool#client "batch"#without classes`, chat, `fleet.pool=[{name="a", classes=["chat"]}]`)
	set(`hardware.replicas = 2#replicas of the pools`, two, "hardware.replicas=2")
	set(`fleet.pool "a".hardware.replicas = 2#replicas, of [[fleet.pool]]`, `fleet.pool=[{name="a", hardware={replicas=2}}]`)
	set(`fleet.pool "a".strategy.order#[[strategy]]`, `fleet.pool=[{name="a", strategy={order="sjf"}}]`)
	set(`fleet.pool "a".strategy.model#[fleet.pool.model]`, `fleet.pool=[{name="a", strategy={model={kv="fp8"}}}]`)
	set(`fleet.pool "b".weight = 2#only with router one of weighted`, two, "fleet.pool.b.weight=2")
	set(`fleet.signal_delay = "1.00 s"#only with router one of`, two, "fleet.signal_delay=1s")
	set(`fleet.signal_interval#only with router one of`, "fleet.router=random", "fleet.signal_interval=1s")
	set(`fleet.signal_interval = "1.00 µs"#"0s", or from "1.00 ms"`, "fleet.router=least-requests", "fleet.signal_interval=1us")
	set(`fleet.signal_delay = "60.0 min"#1000 times signal_interval`, `fleet={router="least-requests", signal_interval="1s", signal_delay="1h"}`)
	set(`fleet.count_dispatches = false#only with router one of`, two, "fleet.count_dispatches=false")
	set(`fleet.cache_threshold = 0.5#only with router one of`, "fleet.router=least-requests", "fleet.cache_threshold=0.5")
	for _, key := range []string{"index_block_size", "index_capacity"} {
		set("fleet."+key+` = 3#index = "precise"#only with index = "approximate"`, "strategy.static.batching=continuous",
			"fleet.router=prefix-aware", "fleet."+key+"=3")
	}
	set(`fleet.index_max_prefix = 3#index = "precise"`, "strategy.static.batching=continuous", `fleet={router="llm-d", index="precise", index_max_prefix=3}`)
	set(`fleet.index_capacity = 3#index = "precise"`, "strategy.static.batching=continuous", `fleet={router="dynamo-kv", index_capacity=3}`)
	set(`fleet.router = "sglang"#no replica has prefix caching#kv.enable_prefix_caching`, "fleet.router=sglang", "strategy.continuous.kv.enable_prefix_caching=false")
	set(`fleet.router = "roundrobin"#did you mean "round-robin"`, "fleet.router=roundrobin")
	set(`fleet.routr#did you mean "router"#strategy "continuous"`, "strategy.continuous.fleet.routr=random")
	set(`fleet.pool#client "batch"#role = "decode"`, chat, `fleet.pool=[{name="a", role="prefill"}, {name="b", role="decode", classes=["chat"]}]`, "fleet.transfer.link=pcie-5")
	set(`fleet.transfer: missing#link`, apart)
	set(`fleet.transfer.link: missing#bandwidth`, apart, "fleet.transfer.latency=1ms")
	set(`fleet.transfer.bandwidth = "0GB/s"#greater than 0`, apart, "fleet.transfer.bandwidth=0GB/s")
	set(`fleet.transfer.bandwidth#one of them`, apart, `fleet.transfer={link="pcie-5", bandwidth="3GB/s"}`)
	set(`fleet.transfer.link = "pcie5"#did you mean "pcie-5"`, apart, "fleet.transfer.link=pcie5")
	set(`fleet.transfer.when = "layerwise"#mode = "reserve"`, apart, `fleet.transfer={link="pcie-5", when="layerwise"}`)
	set(`fleet.transfer#has no effect#role = "prefill"`, "fleet.transfer.link=pcie-5")
	set(`fleet.pool "b".model#same name`, apart, "fleet.transfer.link=pcie-5", "fleet.pool.b.model.kv=fp8")
	set(`fleet.pool "b".strategy.max_waiting = 4#the pool that prefills#min_tokens`, apart, "fleet.transfer.link=pcie-5",
		"strategy.static.batching=continuous", "fleet.pool.b.strategy.max_waiting=4")
	set(`batching = "static"#role = "prefill"#pool "a"#one of vllm-v1`, apart, "fleet.transfer.link=pcie-5")
	set(`fleet.queue.max_in_flight: missing#or a rate`, "fleet.queue={}")
	set(`fleet.queue.rate = 1e-09#from 1e-06`, "fleet.queue.rate=1e-9")
	set(`fleet.queue.rate = 1e-06#100 requests#365d`, "fleet.queue.rate=1e-6", "workload.num_requests=100")
	set(`fleet.queue.burst = 3#without a rate`, "fleet.queue={max_in_flight=2, burst=3}")
	set(`fleet.queue.retries = 3#without a timeout`, "fleet.queue={max_in_flight=2, retries=3}")
	set(`fleet.queue.backoff = "1.00 s"#without retries`, `fleet.queue={max_in_flight=2, timeout="1s", backoff="1s"}`)
	set(`fleet.queue.retries = 51#at most 50`, `fleet.queue={max_in_flight=2, timeout="1s", retries=51}`)
	set(`fleet.queue.order#there are no clients`, `fleet.queue={max_in_flight=2, order="priority"}`)
	set(`slo.ttft_ms#fleet.queue.order is deadline`, `fleet.queue={max_in_flight=2, order="deadline"}`, "slo={}")
	set(`workload.client[0].priority#fleet.queue with order`, `workload.client=[{name="chat", share=1, priority=3}]`)
	set(`fleet.pool "b".hardware.tp = 3#allowed: 1, 2, 4, 8`, two, "fleet.pool.b.hardware.tp=3")
	set(`fleet.pool "b".hardware.pt#did you mean "tp"`, two, "fleet.pool.b.hardware.pt=3")
	set(`fleet.pool "b".model.weights = "bf61"#did you mean "bf16"`, two, "fleet.pool.b.model.weights=bf61")
	set(`fleet.pool "b".strategy.kv.block_size = 0#greater than 0`, two, "fleet.pool.b.strategy.kv.block_size=0")
	set(`fleet.pool "b".strategy.max_num_batched_tokens#only with batching`, two, "fleet.pool.b.strategy.max_num_batched_tokens=9")
	set(`no pool is called "c"#a, b`, two, "fleet.pool.c.replicas=2")
	set(`strategy.static.fleet.pool.c.replicas#no pool is called "c"#a, b`, two, "strategy.static.fleet.pool.c.replicas=2")
	set(`strategy.static.fleet.pool.c.replicas#a table with that name`, "strategy.static.fleet.pool.c.replicas=2")
	set(`strategy.fleet.pool.c#no pool is called "c"#a, b`, two, "strategy.static.fleet.pool={c={replicas=2}}")
	set(`strategy.fleet.pool.a = 2#a table`, two, "strategy.static.fleet.pool={a=2}")
	set(`strategy.fleet.pool.a.name#has a name`, two, "strategy.static.fleet.pool.a.name=c")
	set(`cannot be swept`, two, `sweep."fleet.pool.a.name"=["x", "y"]`)
	set(`does not fit#weights#(pool "b")`, two, "fleet.pool.b.model.name=llama-3.1-70b")
	set(`hardware.kv_tokens#(pool "b")`, two, "fleet.pool.b.hardware.kv_tokens=9")
	return slices.Concat(all, badScaling(), badFailures(), badSharing())
}

// badSharing are prompts that nobody could share so.
func badSharing() []badInput {
	const three, store = "hardware.replicas=3", `fleet.kv_sharing={from="store", size="1TB", bandwidth="9GB/s"}`
	const vllm = "strategy.static.batching=continuous"
	var all []badInput
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
	set(`fleet.kv_sharing.from: missing`, three, `fleet.kv_sharing.bandwidth=9GB/s`)
	set(`fleet.kv_sharing.from = "peer"#did you mean "peers"`, three, `fleet.kv_sharing={from="peer", bandwidth="9GB/s"}`)
	set(`fleet.kv_sharing.bandwidth: missing`, three, `fleet.kv_sharing={from="peers"}`)
	set(`fleet.kv_sharing.bandwidth = "0GB/s"#greater than 0`, three, `fleet.kv_sharing={from="peers", bandwidth="0GB/s"}`)
	set(`fleet.kv_sharing.size: missing#a size`, three, `fleet.kv_sharing={from="store", bandwidth="9GB/s"}`)
	set(`fleet.kv_sharing.size#only with from = "store"`, three, `fleet.kv_sharing={from="peers", size="1TB", bandwidth="9GB/s"}`)
	set(`fleet.kv_sharing.balancing_threshold = 0.5#from 1`, three, store, `fleet.kv_sharing.balancing_threshold=0.5`)
	set(`fleet.kv_sharing.blancing_threshold#did you mean "balancing_threshold"`, three, store, `fleet.kv_sharing.blancing_threshold=2`)
	set(`fleet.kv_sharing.size#does not hold one KV block#at least`, three, vllm, store, `fleet.kv_sharing.size=1KB`)
	set(`fleet.kv_sharing.from = "peers"#no pool has another replica`, vllm, `fleet.kv_sharing={from="peers", bandwidth="9GB/s"}`)
	set(`batching = "static"#no prefix cache#fleet.kv_sharing#continuous`, three, store)
	set(`enable_prefix_caching = false#fleet.kv_sharing`, three, store, vllm, `strategy.static.kv.enable_prefix_caching=false`)
	set(`hardware.pp = 2#fleet.kv_sharing`, three, vllm, store, "hardware.pp=2")
	set(`scheduler = "orca"#fleet.kv_sharing`, three, vllm, store, "strategy.static.scheduler=orca")
	set(`kv.block_size = 32#other blocks#16`, vllm, store, `fleet.pool=[{name="a"}, {name="b", strategy={kv={block_size=32}}}]`)
	set(`model#other keys and values#(pool "b")`, vllm, store, `fleet.pool=[{name="a"}, {name="b", model={kv="fp8"}}]`)
	return all
}

// badFailures are failures that nobody could have so.
func badFailures() []badInput {
	var all []badInput
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
	fails := func(keys string) string { return "fleet.failure=[{" + keys + "}]" }
	set(`fleet.failure[0].at: missing#or mtbf`, fails(``))
	set(`fleet.failure[0].at = "3.00 s"#beside mtbf`, fails(`at="3s", mtbf="3s"`))
	set(`fleet.failure[0].mtbf = "1.00 µs"#from "1.00 s" on`, fails(`mtbf="1us"`))
	set(`fleet.failure[0].replicas_per_node: missing`, fails(`at="3s", of="node"`))
	set(`fleet.failure[0].replicas_per_node#only with of one of node`, fails(`at="3s", replicas_per_node=2`))
	set(`fleet.failure[0].repair_distribution#without repair`, fails(`at="3s", repair_distribution="exponential"`))
	set(`fleet.failure[0].pool = "a"#there are no pools`, fails(`at="3s", pool="a"`))
	set(`fleet.failure[0].pool = "chta"#did you mean "chat"`, fails(`at="3s", pool="chta"`), `fleet.pool=[{name="chat"}]`)
	set(`fleet.failure[1].name = "x"#unique`, `fleet.failure=[{name="x", at="3s"}, {name="x", at="5s"}]`)
	set(`fleet.failure[0].slowdown = 1#above 1`, fails(`at="3s", slowdown=1`))
	set(`fleet.failure[0].requests = "lost"#beside slowdown`, fails(`at="3s", slowdown=2, requests="lost"`))
	set(`fleet.failure[0].detection = "3.00 s"#beside slowdown`, fails(`at="3s", slowdown=2, detection="3s"`))
	set(`fleet.failure[0].repair: missing#slower again`, fails(`mtbf="3s", slowdown=2`))
	const apart = `fleet={transfer={link="pcie-5"}, pool=[{name="a", role="prefill"}, {name="b", role="decode"}, {name="c"}], failure=[{`
	const plain = `hardware={cost_model="synthetic", kv_tokens=9000, synthetic={step_fixed="1ms"}}`
	cut := func(says, keys string) {
		set(says, "strategy.static.batching=continuous", apart+keys+"}]}")
	}
	set(`fleet.failure[0].component = "link"#no replica sends#role = "prefill"`, fails(`at="3s", repair="3s", component="link"`))
	set(`fleet.failure[0].requests = "wait"#component = "link"`, fails(`at="3s", requests="wait"`))
	cut(`fleet.failure[0].component = "link"#pool "c" send nothing`, `at="3s", repair="3s", component="link", pool="c"`)
	cut(`fleet.failure[0].component = "lnik"#did you mean "link"`, `at="3s", repair="3s", component="lnik"`)
	cut(`fleet.failure[0].repair: missing#for how long`, `at="3s", component="link"`)
	cut(`fleet.failure[0].repair: missing#slower again`, `mtbf="3s", component="link", slowdown=2`)
	cut(`fleet.failure[0].detection = "1.00 s"#requests = "wait"`, `at="3s", repair="3s", component="link", requests="wait", detection="1s"`)
	cut(`fleet.failure[0].requests = "wait"#beside slowdown`, `at="3s", component="link", requests="wait", slowdown=2`)
	set(`fleet.failure[0].component = "link"#in no time#latency`, "strategy.static.batching=continuous",
		`fleet={transfer={}, pool=[{name="a", role="prefill", `+plain+`}, {name="b", role="decode", `+plain+`}],
			failure=[{at="3s", repair="3s", component="link"}]}`)
	set(`fleet.restart.at: missing`, "fleet.restart.max_unavailable=1")
	set(`fleet.restart.max_unavailable = 0#greater than 0`, `fleet.restart={at="3s", max_unavailable=0}`)
	set(`no failure is called "y"#x`, fails(`name="x", at="3s"`), `fleet.failure.y.at=3s`)
	set(`fleet.startup#where no replica starts#a failure with repair`, fails(`at="3s"`), "fleet.startup.provisioning=3s")
	set(`fleet.startup.cold_start: missing#(pool "b")`, fails(`at="3s", repair="3s"`),
		`fleet.pool=[{name="a"}, {name="b", hardware={cost_model="synthetic", kv_tokens=9000, synthetic={step_fixed="1ms"}}}]`)
	return all
}

// badScaling are fleets that nobody could scale so.
func badScaling() []badInput {
	const pool = `fleet.pool=[{name="a", replicas=2}]`
	var all []badInput
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
	set(`fleet.autoscale.scaler: missing`, "fleet.autoscale.max_replicas=3")
	set(`fleet.autoscale.max_replicas: missing#limit`, `fleet.autoscale={scaler="hpa", target=3}`)
	set(`fleet.autoscale.target: missing#requests`, `fleet.autoscale={scaler="hpa", max_replicas=3}`)
	set(`fleet.autoscale.target = 1#never be met#below 1`, `fleet.autoscale={scaler="hpa", max_replicas=3, metric="kv_utilization", target=1}`)
	set(`fleet.autoscale.min_replicas = 4#more than max_replicas`, `fleet.autoscale={scaler="knative", min_replicas=4, max_replicas=3}`)
	set(`fleet.pool "a".autoscale.max_replicas = 1#fewer replicas`, pool, `fleet.autoscale={scaler="knative", max_replicas=3}`, "fleet.pool.a.autoscale.max_replicas=1")
	set(`fleet.autoscale.min_replicas = 3#more replicas#(pool "a")`, pool, `fleet.autoscale={scaler="knative", min_replicas=3, max_replicas=3}`)
	set(`fleet.pool "a".replicas = 0#min_replicas = 0`, `fleet.pool=[{name="a", replicas=0}]`)
	set(`fleet.autoscale.metric = "slo_attainment"#[slo]`, `fleet.autoscale={scaler="hpa", max_replicas=3, metric="slo_attainment", target=0.9}`, "slo={}")
	set(`fleet.autoscale.look_back#only with scaler one of ray-serve`, `fleet.autoscale={scaler="knative", max_replicas=3, look_back="3s"}`)
	set(`fleet.autoscale.idle_timeout#min_replicas = 0`, `fleet.autoscale={scaler="knative", max_replicas=3, idle_timeout="3s"}`)
	set(`fleet.autoscale.panic_window = "120 s"#stable_window`, `fleet.autoscale={scaler="knative", max_replicas=3, panic_window="120s"}`)
	set(`fleet.autoscale.max_scale_up_rate = 1#greater than 1`, `fleet.autoscale={scaler="knative", max_replicas=3, max_scale_up_rate=1}`)
	set(`fleet.autoscale.schedule: missing`, "fleet.autoscale.scaler=schedule")
	set(`fleet.autoscale.schedule[0].at#"0s"`, `fleet.autoscale={scaler="schedule", schedule=[{at="3s", replicas=1}]}`)
	set(`fleet.autoscale.schedule[1].at#later`, `fleet.autoscale={scaler="schedule", schedule=[{at="0s", replicas=1}, {at="0s", replicas=2}]}`)
	set(`fleet.autoscale.interval = "1.00 µs"#from "10.0 ms"`, `fleet.autoscale={scaler="hpa", max_replicas=3, target=2, interval="1us"}`)
	set(`fleet.autoscale.idle_timeout = "1.00 ms"#from "10.0 ms"`, `fleet.autoscale={scaler="fixed", min_replicas=0, idle_timeout="1ms"}`)
	set(`fleet.autoscale.period = "1.00 µs"#from "10.0 ms"`, `fleet.autoscale={scaler="schedule", period="1us", schedule=[{at="0s", replicas=1}]}`)
	set(`fleet.autoscale.schedule[1].at#period`, `fleet.autoscale={scaler="schedule", period="2s", schedule=[{at="0s", replicas=1}, {at="3s", replicas=2}]}`)
	set(`fleet.autoscale.schedule[0].replicas = 0#from 1`, `fleet.autoscale={scaler="schedule", schedule=[{at="0s", replicas=0}]}`)
	set(`fleet.startup#where no replica starts`, "fleet.startup.provisioning=3s")
	set(`fleet.startup.load_from#"nvme"|nvme`, `fleet.startup={cold=true, load_from="tape"}`)
	set(`fleet.startup.load_from#one of them`, `fleet.startup={cold=true, load_from="nvme", cold_start="3s"}`)
	set(`fleet.startup.warm_pool#[fleet.autoscale]`, `fleet.startup={cold=true, warm_pool=3}`)
	set(`fleet.startup.wake_up#warm_pool`, `fleet.startup={cold=true, wake_up="3s"}`)
	set(`fleet.startup.cold_start: missing#(pool "b")`, "fleet.startup.cold=true",
		`fleet.pool=[{name="a"}, {name="b", hardware={cost_model="synthetic", kv_tokens=9000, synthetic={step_fixed="1ms"}}}]`)
	return all
}
