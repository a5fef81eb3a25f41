package routing

import (
	"math"
	"math/rand/v2"
	"slices"

	"kneepoint/policies"
)

var llmd = Entry{
	Description: policies.Description{Name: "llm-d", Key: "router",
		Doc: "the highest sum of llm-d's scores for a short queue, free KV blocks and a cached prefix",
		Keys: slices.Concat([]string{"queue_weight", "kv_weight", "prefix_weight", "load_aware_weight"},
			indexKeys, []string{"index_max_prefix"}, reportKeys)},
	Defaults: Parameters{
		Index: ApproximateIndex, IndexBlockSize: 16, IndexMaxPrefix: 256,
		QueueWeight: 2, KVWeight: 2, PrefixWeight: 3,
	},
	PrefixCaching: true,
	Approximate:   []string{"index_capacity", "index_max_prefix"},
	New: func(p Parameters, random *rand.Rand) Router {
		l := &LLMD{
			Random: random, Index: newIndex(p), BlockSize: p.IndexBlockSize,
			QueueWeight: p.QueueWeight, KVWeight: p.KVWeight, PrefixWeight: p.PrefixWeight, LoadAwareWeight: p.LoadAwareWeight,
		}
		if p.Index == ApproximateIndex {
			l.MaxPrefix = p.IndexMaxPrefix
		}
		return l
	},
}

// LLMD is the scheduler of llm-d and of the gateway API inference extension
// (llm-d/llm-d-inference-scheduler, pkg/epp, at 520af47): a request goes to a replica with the
// highest weighted sum of scores from 0 to 1, of several to any one of them.
//
//	queue       (qmax - q)/(qmax - qmin) of the requests q that wait; 1 if all have as many
//	kv          1 - usage of the KV blocks
//	prefix      cached blocks of the prompt over its blocks, the first MaxPrefix of them
//	load-aware  ½(1 - min(q, 128)/128)
//
// With an approximate index of no set capacity, that of a replica is its own number of KV
// blocks, as with autoTune.
type LLMD struct {
	Random    *rand.Rand
	Index     Index
	BlockSize int
	MaxPrefix int // blocks; 0: all

	QueueWeight     float64
	KVWeight        float64
	PrefixWeight    float64
	LoadAwareWeight float64

	views []View
	best  choice
}

// loadAwareThreshold is the queue that scores nothing.
const loadAwareThreshold = 128

// Route implements Router.
func (l *LLMD) Route(r *Request, replicas Replicas) int {
	cached := l.Index.Match(r, replicas)
	shortest, longest := math.MaxInt, 0
	l.views = l.views[:0]
	for i := range replicas.Len() {
		v := replicas.At(i)
		shortest, longest = min(shortest, v.Waiting), max(longest, v.Waiting)
		l.views = append(l.views, v)
	}
	l.best.restart()
	for i, v := range l.views {
		score := l.QueueWeight*queueScore(v.Waiting, shortest, longest) +
			l.KVWeight*(1-v.Usage()) +
			l.PrefixWeight*l.prefixScore(cached[i], r.Prompt) +
			l.LoadAwareWeight*0.5*(1-min(float64(v.Waiting)/loadAwareThreshold, 1))
		l.best.offer(i, -score, 0)
	}
	chosen := l.best.draw(l.Random)
	l.Index.Sent(chosen)
	return chosen
}

// Forget implements Forgetter.
func (l *LLMD) Forget(number int) { l.Index.Forget(number) }

func queueScore(waiting, shortest, longest int) float64 {
	if shortest == longest {
		return 1
	}
	return float64(longest-waiting) / float64(longest-shortest)
}

// prefixScore counts the last block of a prompt even if it is not full, which is then in
// no cache.
func (l *LLMD) prefixScore(cached, prompt int) float64 {
	blocks := (prompt + l.BlockSize - 1) / l.BlockSize
	if l.MaxPrefix > 0 {
		blocks = min(blocks, l.MaxPrefix)
	}
	return min(float64(cached/l.BlockSize)/float64(max(blocks, 1)), 1)
}
