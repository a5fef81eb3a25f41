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
	for at := 1; ; at++ { // the bracket at the end ends what looks for another character
		at = behindSpaces(list, at)
		first, n := at, 0
		for ; list[at] >= '0' && list[at] <= '9'; at++ {
			n = 10*n + int(list[at]-'0')
		}
		if digits := at - first; digits == 0 || digits > 18 || list[first] == '0' && digits > 1 {
			return nil, false
		}
		numbers = append(numbers, n)
		if at = behindSpaces(list, at); list[at] != ',' {
			return numbers, at == len(list)-1
		}
	}
}

// behindSpaces is where the next character of a text that does not end with spaces is none.
func behindSpaces(text []byte, at int) int {
	for text[at] == ' ' {
		at++
	}
	return at
}
