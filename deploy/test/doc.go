// Package deploy tests what is in deploy on the real things: a Slurm of one machine, an S3
// server on a folder, and the types of Kubernetes. Its module is apart from kneepoint's, whose users need
// none of these. It knows the programs that kneepoint is given to, and must not know its packages.
package deploy
