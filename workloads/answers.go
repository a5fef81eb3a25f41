package workloads

import "kneepoint/internal/ids"

// nameAnswers names the answers of a trace's rows that a later row goes on with, as a
// turn of a conversation does with the one before: traces name prompts alone. The
// later row begins with all whole blocks of the earlier one, the last of which nobody had
// before that, and is long enough to hold its answer. The first such row counts. A row
// whose last block is incomplete, and the same as another's, is left as it is.
func nameAnswers(rows []row, heirs []int32) {
	for i := len(rows) - 1; i >= 0; i-- {
		heir := heirs[i]
		if heir == 0 {
			continue
		}
		r, span := &rows[i], rows[i].content.Span
		said, ids := int(r.input)+int(r.output), rows[heir].content.IDs
		ids = ids[:min((said+span-1)/span, len(ids))] // the last block may be incomplete, and left out
		r.content = &Content{IDs: ids, Span: span}
		r.named = int32(min(said, len(ids)*span))
	}
}

// numberSessions gives rows that go on with each other the number of a conversation, in
// order of their first rows.
func numberSessions(rows []row, heirs []int32) {
	sessions := int32(0)
	for i := range rows {
		heir := heirs[i]
		if heir == 0 {
			continue
		}
		if rows[i].session == 0 {
			sessions++
			rows[i].session = sessions
		}
		rows[heir].session = rows[i].session
	}
}

// usedID is what heirs knows of an ID.
type usedID struct {
	uses int32 // in how many places of all rows it is
	open int32 // the row of which it names the last whole block, and that none goes on with yet, counted from 1; 0: none
	seen bool  // in a row before
}

// heirs is the rows that go on with others, by the index of the other; 0 where none does.
func heirs(rows []row) []int32 {
	heirs := make([]int32, len(rows))
	numbers, used := numberIDs(rows)
	for i := range rows {
		r := &rows[i]
		if !r.hasBlocks() {
			continue
		}
		ids := numbers[:len(r.content.IDs)]
		numbers = numbers[len(ids):]
		for k := len(ids) - 1; k >= 0; k-- {
			open := &used[ids[k]].open
			earlier := int(*open) - 1
			if earlier >= 0 && int(rows[earlier].input)/r.content.Span == k+1 && r.input >= rows[earlier].input+rows[earlier].output {
				heirs[earlier] = int32(i)
				*open = 0
				break
			}
		}
		whole := int(r.input) / r.content.Span
		if whole > 0 && !used[ids[whole-1]].seen && (len(ids) == whole || used[ids[whole]].uses == 1) {
			used[ids[whole-1]].open = int32(i) + 1
		}
		for _, id := range ids {
			used[id].seen = true
		}
	}
	return heirs
}

// numberIDs gives every ID a number from 0 on, so that each is searched for once: those of all rows, in a row, and by
// number how often they are used.
func numberIDs(rows []row) (numbers []int32, used []usedID) {
	var known ids.Table[int32] // counted from 1
	all := 0
	for i := range rows {
		if rows[i].hasBlocks() {
			all += len(rows[i].content.IDs)
		}
	}
	numbers = make([]int32, 0, all)
	for i := range rows {
		if !rows[i].hasBlocks() {
			continue
		}
		for _, id := range rows[i].content.IDs {
			number := known.At(id)
			if number == 0 {
				used = append(used, usedID{})
				number = int32(len(used))
				known.Put(id, number)
			}
			used[number-1].uses++
			numbers = append(numbers, number-1)
		}
	}
	return numbers, used
}
