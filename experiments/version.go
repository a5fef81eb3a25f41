package experiments

// Tool is the name that marks results, and folders of them, as kneepoint's.
const Tool = "kneepoint"

// Version is the version of this source tree.
const Version = "0.1.0"
