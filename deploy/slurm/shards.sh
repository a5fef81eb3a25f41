#!/bin/bash
# A part of an experiment's runs in each task of an array, kept in a store that all nodes reach:
#
#   sbatch --array=1-8 shards.sh 8 mine.toml --store /shared/kept
#
# The first argument is the number of parts, the others are those of kneepoint run, or of KNEEPOINT_VERB, which may be
# knee or plan. It is not taken from the array, so that a part that is missing can be submitted alone (--array=3).
#SBATCH --job-name=kneepoint
#SBATCH --cpus-per-task=4
#SBATCH --requeue
set -u
parts=$1
shift
kneepoint "${KNEEPOINT_VERB:-run}" "$@" --shard "$SLURM_ARRAY_TASK_ID/$parts" --workers "$SLURM_CPUS_PER_TASK"
status=$?
# Slurm runs again what a lost node had, but not what failed or was killed. Wrong input (2) would fail again.
if [ $status -ne 0 ] && [ $status -ne 2 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 3 ]; then
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit $status
