#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Starts ranks that a program, not a launcher, lets find each other: some processes, each with some
# ranks as its threads, on machines that are names. Ends with the last failure.
# Usage: guests.sh NODE:THREADS,.. -n RANKS COMMAND..
set -eu
shape=$1 size=$3
shift 3
meeting=$(mktemp -d)
trap 'rm -rf "$meeting"' EXIT
first=0 pids=()
for process in ${shape//,/ }; do
    threads=${process#*:}
    HAYATE_NODE=${process%:*} HAYATE_TEST_GUESTS="$meeting $first $threads $size" "$@" &
    pids+=($!)
    first=$((first + threads))
done
((first == size)) || { echo "guests.sh: $shape has $first ranks, not $size" >&2; exit 2; }
status=0
for pid in "${pids[@]}"; do
    wait "$pid" || status=$?
done
exit $status
