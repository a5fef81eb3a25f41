package experiments

// Version is the version of this source tree.
const Version = "0.1.0"
