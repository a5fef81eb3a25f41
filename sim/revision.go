package sim

// Revision numbers what the engine computes: it is raised by every change after
// which a run has other results than before, in the engine itself or in the
// metrics, policies, cost models and random draws that it rests on. Outcomes that
// were stored under another revision are not taken for those of this one.
//
// A test of package scenario keeps the results of short runs and fails when they
// change under the same revision.
const Revision = 74
