package store

import "sync"

// Cache is a store that its user can do without. What it cannot write is lost and no more is
// written, as on a full disk; where it is gone nothing is read either. The work goes on:
// Failure tells of it.
type Cache struct {
	*Store

	mutex   sync.Mutex
	failure error
	gone    bool
}

// Get sets value to what is kept under a key if it can. It has no errors.
func (c *Cache) Get(key string, value any) (bool, error) {
	c.mutex.Lock()
	gone := c.gone
	c.mutex.Unlock()
	if gone {
		return false, nil
	}
	known, err := c.Store.Get(key, value)
	if err != nil {
		c.fail(err, true)
	}
	return known, nil
}

// Put keeps a value under a key if it can. It has no errors.
func (c *Cache) Put(key string, value any) error {
	if c.Failure() != nil {
		return nil
	}
	if err := c.Store.Put(key, value); err != nil {
		c.fail(err, false)
	}
	return nil
}

// fail notes the first error, and whether nothing can be read.
func (c *Cache) fail(err error, gone bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.gone = c.gone || gone
	if c.failure == nil {
		c.failure = err
	}
}

// Failure is why the store keeps no more; nil where it keeps everything.
func (c *Cache) Failure() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.failure
}
