package workloads

import (
	"bytes"
	"encoding/json"
	"fmt"

	"kneepoint/units/badinput"
)

// blocks are the contents of a prompt of some tokens, by the IDs of its blocks: an ID names a block of the prompt and all
// before it; the last block may be incomplete, or be left out then. Nil: it has not one.
func blocks(list json.RawMessage, block, input int) (*Content, error) {
	ids, err := hashIDs(list)
	if err != nil {
		return nil, err
	}
	whole, all := input/block, (input+block-1)/block
	switch {
	case ids == nil:
		return nil, &badinput.Error{Problem: "has no hash_ids", Allowed: "a list of whole numbers"}
	case len(ids) < whole || len(ids) > all:
		return nil, &badinput.Error{
			Problem: fmt.Sprintf("has %d hash_ids for %d tokens, which are %d blocks of %d (block_size)", len(ids), input, all, block),
		}
	case len(ids) == 0:
		return nil, nil
	}
	return &Content{IDs: ids, Span: block}, nil
}

// hashIDs reads the list of them; nil where there is none.
func hashIDs(list json.RawMessage) (ids []int, err error) {
	if list == nil {
		return nil, nil
	}
	if ids, ok := wholeNumbers(list); ok {
		return ids, nil
	}
	if err := json.Unmarshal(list, &ids); err != nil || bytes.Contains(list, []byte("null")) {
		return nil, &badinput.Error{Problem: fmt.Sprintf("hash_ids %.40s is not what it should be", list), Allowed: "a list of whole numbers"}
	}
	return ids, nil
}

// wholeNumbers reads a list of whole numbers of up to 18 digits with nothing but commas and spaces between them. It is
// false for all other lists.
func wholeNumbers(list []byte) (numbers []int, ok bool) {
	if len(list) < 2 || list[0] != '[' || list[len(list)-1] != ']' {
		return nil, false
	}
	numbers = make([]int, 0, bytes.Count(list, []byte{','})+1)
	for rest := list[1 : len(list)-1]; ; rest = rest[1:] {
		rest = bytes.TrimLeft(rest, " ")
		n, digits := 0, 0
		for ; digits < len(rest) && rest[digits] >= '0' && rest[digits] <= '9'; digits++ {
			n = 10*n + int(rest[digits]-'0')
		}
		if digits == 0 || digits > 18 || rest[0] == '0' && digits > 1 {
			return nil, false
		}
		numbers = append(numbers, n)
		switch rest = bytes.TrimLeft(rest[digits:], " "); {
		case len(rest) == 0:
			return numbers, true
		case rest[0] != ',':
			return nil, false
		}
	}
}
