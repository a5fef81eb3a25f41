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
		said := int(r.input) + int(r.output)
		r.content = &Content{IDs: rows[heir].content.IDs[:(said+span-1)/span], Span: span}
		r.named = int32(said)
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

// heirs is the rows that go on with others, by the index of the other.
func heirs(rows []row) map[int]int {
	uses := idUses(rows)
	seen, open, heirs := map[int]bool{}, map[int]int{}, map[int]int{} // open: rows by their last whole block
	for i := range rows {
		r := &rows[i]
		if r.content == nil {
			continue
		}
		ids := r.content.IDs
		for k := len(ids) - 1; k >= 0; k-- {
			earlier, found := open[ids[k]]
			if found && int(rows[earlier].input)/r.content.Span == k+1 && r.input >= rows[earlier].input+rows[earlier].output {
				heirs[earlier] = i
				delete(open, ids[k])
				break
			}
		}
		whole := int(r.input) / r.content.Span
		if whole > 0 && !seen[ids[whole-1]] && (len(ids) == whole || uses[ids[whole]] == 1) {
			open[ids[whole-1]] = i
		}
		for _, id := range ids {
			seen[id] = true
		}
	}
	return heirs
}

// idUses counts in how many rows each ID is.
func idUses(rows []row) map[int]int {
	uses := map[int]int{}
	for i := range rows {
		if c := rows[i].content; c != nil {
			for _, id := range c.IDs {
				uses[id]++
			}
		}
	}
	return uses
}
