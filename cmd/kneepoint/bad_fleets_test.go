package main

// badFleets are fleets in which single keys are right, and not together.
func badFleets() []badInput {
	const chat, two = `workload.client=[{name="chat", share=0.5}, {name="batch", share=0.5}]`, `fleet.pool=[{name="a"}, {name="b"}]`
	var all []badInput
	set := func(says string, assignments ...string) { all = append(all, together(says, assignments...)) }
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
	set(`fleet.count_dispatches = false#only with router one of`, two, "fleet.count_dispatches=false")
	set(`fleet.cache_threshold = 0.5#only with router one of`, "fleet.router=least-requests", "fleet.cache_threshold=0.5")
	set(`fleet.router = "sglang"#no replica has prefix caching#kv.enable_prefix_caching`, "fleet.router=sglang", "strategy.continuous.kv.enable_prefix_caching=false")
	set(`fleet.router = "roundrobin"#did you mean "round-robin"`, "fleet.router=roundrobin")
	set(`fleet.routr#did you mean "router"#strategy "continuous"`, "strategy.continuous.fleet.routr=random")
	set(`fleet.queue.max_in_flight: missing#or a rate`, "fleet.queue={}")
	set(`fleet.queue.rate = 1e-09#from 1e-06`, "fleet.queue.rate=1e-9")
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
	set(`cannot be swept`, two, `sweep."fleet.pool.a.name"=["x", "y"]`)
	set(`does not fit#weights#(pool "b")`, two, "fleet.pool.b.model.name=llama-3.1-70b")
	set(`hardware.kv_tokens#(pool "b")`, two, "fleet.pool.b.hardware.kv_tokens=9")
	return all
}
