package metrics

// live is the records of requests that have not ended, by ID. IDs are opened in order, and
// most requests end in about the order in which they came, so records are in pages of
// consecutive IDs, which are used again when all of a page have ended.
type live struct {
	pages   []*page  // of all IDs from first·pageSize on; nil: none of its requests is there, but in brief
	shelves []*shelf // of the same IDs, as far as any were ever in brief; nil: none is
	first   int      // number of the first page
	spare   []*page
	count   int // requests
}

const pageSize = 16

// page is the records of consecutive IDs.
type page struct {
	requests [pageSize]Request
	open     uint16 // the bits of those that have not ended
}

// open begins the record of a request.
func (l *live) open(id int, request Request) {
	for l.first+len(l.pages) <= id/pageSize {
		l.pages = append(l.pages, nil)
	}
	p := &l.pages[id/pageSize-l.first]
	if *p == nil {
		*p = l.newPage()
	}
	(*p).requests[id%pageSize] = request
	(*p).open |= 1 << (id % pageSize)
	l.count++
}

func (l *live) newPage() *page {
	n := len(l.spare)
	if n == 0 {
		return new(page)
	}
	p := l.spare[n-1]
	l.spare = l.spare[:n-1]
	return p
}

// of is the record of a request; nil when it has ended, or is kept in brief.
func (l *live) of(id int) *Request {
	i := id/pageSize - l.first
	if i < 0 || l.pages[i] == nil || l.pages[i].open>>(id%pageSize)&1 == 0 {
		return nil
	}
	return &l.pages[i].requests[id%pageSize]
}

// close forgets a request.
func (l *live) close(id int) {
	l.count--
	if !l.takeOff(id) {
		return
	}
	for len(l.pages) > 1 && l.pages[0] == nil { // the last page may be opened again
		if len(l.shelves) > 0 {
			if l.shelves[0] != nil {
				break
			}
			l.shelves = l.shelves[1:]
		}
		l.pages = l.pages[1:]
		l.first++
	}
}

// takeOff takes a request off its page, and tells whether that was the last one there.
func (l *live) takeOff(id int) bool {
	i := id/pageSize - l.first
	p := l.pages[i]
	p.open &^= 1 << (id % pageSize)
	if p.open > 0 {
		return false
	}
	l.pages[i] = nil
	l.spare = append(l.spare, p)
	return true
}

// all yields the records, in the order of their IDs.
func (l *live) all(yield func(*Request) bool) {
	var brief Request
	for i, p := range l.pages {
		for k := range pageSize {
			r := &brief
			switch b := l.brief(i, k); {
			case b != nil:
				brief = b.request()
			case p != nil && p.open>>k&1 > 0:
				r = &p.requests[k]
			default:
				continue
			}
			if !yield(r) {
				return
			}
		}
	}
}
