#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The measurements of scripts/bench/threads.sh, which runs this here or in the virtual machine.
# Wants READY (adapters), ROUNDS, BYTES, THREADS, LIMIT (seconds of a case), BENCH_PATH, OUT, and
# what adapters want (adapters/common.sh). Adds to results.jsonl, failed.txt and log.txt in OUT.
set -euo pipefail

series_of() {
    case "$1" in
        threads-raw) echo line ;;
        threads-ucx) echo put ;;
        threads-hayate) echo thread 1 2 4 processes ;;
        threads-java) echo thread ;;
        *) echo send put processes ;;
    esac
}

measure() { # ROUND THREADS ADAPTER SERIES
    local code=0
    echo "# round $1: $3 $4, $2 threads, $BENCH_BYTES bytes" >>"$OUT/log.txt"
    timeout -k 5 "$LIMIT" "$BENCH_SRC/adapters/$3.sh" run "$4" "$2" \
        >"$OUT/lines" 2>>"$OUT/log.txt" </dev/null || code=$?
    [ "$code" = 0 ] || echo "$3 $4, $2 threads, $BENCH_BYTES bytes, round $1 (code $code)" |
        tee -a "$OUT/failed.txt" | sed 's/^/bench: FAILED: /' >&2
    sed -n "s/^{/{\"round\":$1,\"over\":\"$BENCH_PATH\",/p" "$OUT/lines" >>"$OUT/results.jsonl"
}

export BENCH_BYTES
for round in $(seq "$ROUNDS"); do
    echo "bench: round $round of $ROUNDS:$READY" >&2
    for BENCH_BYTES in $BYTES; do
        for threads in $THREADS; do
            for adapter in $READY; do
                for series in $(series_of "$adapter"); do
                    measure "$round" "$threads" "$adapter" "$series"
                done
            done
        done
    done
done
rm -f "$OUT/lines"
