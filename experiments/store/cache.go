package store

import "sync"

// Cache is a store that its user can do without. What it cannot write is lost and no more is
// written, as on a full disk, and the work goes on: Failure tells of it.
type Cache struct {
	*Store

	mutex   sync.Mutex
	failure error
}

// Put keeps a value under a key if it can. It has no errors.
func (c *Cache) Put(key string, value any) error {
	if c.Failure() != nil {
		return nil
	}
	if err := c.Store.Put(key, value); err != nil {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.failure = err
	}
	return nil
}

// Failure is why the store keeps no more; nil where it keeps everything.
func (c *Cache) Failure() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.failure
}
