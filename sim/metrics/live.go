package metrics

import "math/bits"

// live is the records of requests that have not ended, by ID. IDs are opened in order, and
// most requests end in about the order in which they came, so records are in pages of
// consecutive IDs, which are used again when all of a page have ended.
type live struct {
	pages []*page // of all IDs from first·pageSize on; nil: none of its requests is there
	first int     // number of the first page
	spare []*page
	count int // requests
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

// of is the record of a request; nil when it has ended.
func (l *live) of(id int) *Request {
	i := id/pageSize - l.first
	if i < 0 || l.pages[i] == nil || l.pages[i].open>>(id%pageSize)&1 == 0 {
		return nil
	}
	return &l.pages[i].requests[id%pageSize]
}

// close forgets a request.
func (l *live) close(id int) {
	i := id/pageSize - l.first
	p := l.pages[i]
	p.open &^= 1 << (id % pageSize)
	l.count--
	if p.open > 0 {
		return
	}
	l.pages[i] = nil
	l.spare = append(l.spare, p)
	for len(l.pages) > 1 && l.pages[0] == nil { // the last page may be opened again
		l.pages = l.pages[1:]
		l.first++
	}
}

// all yields the records, in the order of their IDs.
func (l *live) all(yield func(*Request) bool) {
	for _, p := range l.pages {
		if p == nil {
			continue
		}
		for open := p.open; open > 0; open &= open - 1 {
			if !yield(&p.requests[bits.TrailingZeros16(open)]) {
				return
			}
		}
	}
}
