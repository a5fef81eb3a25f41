package policies

// Order is an entry of Orders: what the queue is ordered by. The ranks themselves
// are made of requests, which policies do not know, where a run is built.
type Order struct {
	Description

	// Priorities says that it reads the priorities of clients, which have no effect
	// without it, and that the least urgent sequence is preempted first.
	Priorities bool

	// ByClient says that it goes by what clients have been served, which changes from step to step.
	// Foreseen: answers count in full when they begin.
	ByClient, Foreseen bool
}

// Orders are all orders of the queue, in the order in which messages name them.
var Orders = []Order{
	{Description: Description{Name: "fcfs", Key: "order", Doc: "requests join in order of arrival"}},
	{Description: Description{Name: "lifo", Key: "order", Doc: "the latest arrival joins first: where not all can be served in time, some are"}},
	{Description: Description{Name: "sjf", Key: "order", Doc: "the shortest output joins first, as predicted with an error of CV 0.5"}},
	{Description: Description{Name: "priority", Key: "order",
		Doc: "the class of clients with the lowest priority number joins first and is preempted last, within a class in order of arrival"}, Priorities: true},
	{Description: Description{Name: "deadline", Key: "order",
		Doc: "the earliest deadline for the first token, arrival + slo.ttft_ms of its client, joins first"}},
	{Description: Description{Name: "vtc", Key: "order",
		Doc: "the client that was served least joins first: its prompt tokens, and twice the generated ones (virtual token counter)"}, ByClient: true},
	{Description: Description{Name: "vtc-oracle", Key: "order",
		Doc: "as vtc, with answers known, which count in full when they begin"}, ByClient: true, Foreseen: true},
}

// Ranked are the orders by a rank that a request has from the start: those that a router's queue has, too.
func Ranked() (all []Order) {
	for _, o := range Orders {
		if !o.ByClient {
			all = append(all, o)
		}
	}
	return all
}
