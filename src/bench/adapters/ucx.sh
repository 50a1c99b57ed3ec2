#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# UCX by its own ucx_perftest: tag matching and put, over shared memory, client and server pinned.
# Its percentiles are of single iterations; ours are of batches. So many short runs of
# every size, each one sample with the mean that it prints.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_command ucx_perftest ucx-utils
    need_command taskset util-linux
}

SAMPLES=9

# batch SIZES: the lines of a batch file, named TEST-BYTES-SAMPLE. A sample is as many iterations as
# make 2 ms, taking 0.5 us and 10 GB/s for granted, and 3 at least.
batch() {
    local size sample count
    for size in ${1//,/ }; do
        count=$((2000000 / (1000 + size / 5) + 3))
        for sample in $(seq "$SAMPLES"); do
            echo "tag-$size-$sample -t tag_lat -s $size -n $count -w $((count / 4 + 1))"
            echo "put-$size-$sample -t ucp_put_lat -s $size -n $count -w $((count / 4 + 1))"
        done
    done
}

# Turns the CSV of all tests (column 4 is the mean over a whole test) into one JSON line for each
# test and size.
to_json() {
    grep -E '^(tag|put)-' | tr '-' ',' | cut -d, -f1,2,7 | sort -t, -k1,1r -k2,2n -k3,3g |
        awk -F, -v n="$SAMPLES" '
        {
            us[(NR - 1) % n] = $3
            if (NR % n == 0) {
                m = us[int(n / 2)]
                printf "{\"impl\":\"ucx\",\"bench\":\"pingpong\",\"bytes\":%d,\"ranks\":2,", $2
                printf "\"path\":\"%s\",\"buffers\":\"direct\",\"min_us\":%.3f,", $1, us[0]
                printf "\"median_us\":%.3f,\"p99_us\":%.3f,", m, us[n - 1]
                printf "\"mb_per_s\":%.1f,\"samples\":%d}\n", (m ? $2 / m : 0), n
            }
        }'
}

run() {
    local work port server try
    [ "$1" = pingpong ] || return 0
    export UCX_TLS=shm,self
    work="$(mktemp -d "$BENCH_BUILD/ucx.XXXXXX")"
    batch "$3" >"$work/batch"
    port=$((20000 + RANDOM % 12000))
    taskset -c 1 ucx_perftest -p "$port" -b "$work/batch" >"$work/server" 2>&1 &
    server=$!
    # shellcheck disable=SC2064
    trap "kill $server 2>/dev/null || true; rm -rf '$work'" EXIT
    for try in $(seq 50); do
        if taskset -c 0 ucx_perftest localhost -p "$port" -b "$work/batch" -f -v \
            >"$work/csv" 2>"$work/errors"; then
            to_json <"$work/csv"
            return 0
        fi
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1 # the server does not listen yet
    done
    cat "$work/errors" "$work/server" >&2
    return 1
}

dispatch "$@"
