package workloads

// nameAnswers names the answers of a trace's rows that a later row goes on with, as a
// turn of a conversation does with the one before: traces name prompts alone. The
// later row begins with all whole blocks of the earlier one, the last of which nobody had
// before that, and is long enough to hold its answer. The first such row counts. A row
// whose last block is incomplete, and the same as another's, is left as it is.
func nameAnswers(rows []row, heirs map[int]int) {
	for i := len(rows) - 1; i >= 0; i-- {
		heir, found := heirs[i]
		if !found {
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
func numberSessions(rows []row, heirs map[int]int) {
	sessions := int32(0)
	for i := range rows {
		heir, found := heirs[i]
		if !found {
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

// heirs is the rows that go on with others, by the index of the other.
func heirs(rows []row) map[int]int {
	heirs := map[int]int{}
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
				heirs[earlier] = i
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
	known := map[int]int32{}
	for i := range rows {
		if !rows[i].hasBlocks() {
			continue
		}
		for _, id := range rows[i].content.IDs {
			number, found := known[id]
			if !found {
				number = int32(len(used))
				known[id] = number
				used = append(used, usedID{})
			}
			used[number].uses++
			numbers = append(numbers, number)
		}
	}
	return numbers, used
}
