package policies

// Order is an entry of Orders: what the queue is ordered by. The ranks themselves
// are made of requests, which policies do not know, where a run is built.
type Order struct {
	Description

	// Priorities says that it reads the priorities of clients, which have no effect
	// without it, and that the least urgent sequence is preempted first.
	Priorities bool
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
}
