#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `run put 1`: ucx_perftest's own put of $BENCH_BYTES, which the other side polls for, one thread. A
# sample is the mean of a run of some milliseconds.
set -euo pipefail
. "$(dirname "$0")/common.sh"

SAMPLES=15 TURNS=4000
[ "$BENCH_PATH" = shm ] || TURNS=200

prepare() {
    need_command ucx_perftest ucx-utils
    need_command taskset util-linux
}

to_json() {
    grep -E '^put-' | cut -d, -f4 | sort -g | awk -v turns=$TURNS -v bytes="$BENCH_BYTES" '
        { us[NR - 1] = $1 }
        END {
            if (NR == 0) exit 1
            m = us[int(NR / 2)]
            printf "{\"impl\":\"ucx\",\"bench\":\"pingpong\",\"path\":\"put\",\"as\":\"threads\","
            printf "\"threads\":1,\"bytes\":%d,\"min_us\":%.4f,", bytes, us[0]
            printf "\"median_us\":%.4f,", m
            printf "\"p99_us\":%.4f,\"messages_per_s\":%.0f,", us[NR - 1], (m > 0 ? 1e6 / m : 0)
            printf "\"samples\":%d,\"batch\":%d}\n", NR, turns
        }'
}

run() {
    local work port server try ends
    [ "$1 $2" = "put 1" ] || return 0
    # shellcheck disable=SC2207
    ends=($(devices))
    export UCX_TLS=shm,self
    [ "$BENCH_PATH" = shm ] || use_network
    work="$(mktemp -d "$BENCH_BUILD/ucx.XXXXXX")"
    for try in $(seq "$SAMPLES"); do
        echo "put-$try -t ucp_put_lat -s $BENCH_BYTES -n $TURNS -w $((TURNS / 4))"
    done >"$work/batch"
    port=$((20000 + RANDOM % 12000))
    UCX_NET_DEVICES="${ends[0]:-all}" taskset -c 1 ucx_perftest -p "$port" -b "$work/batch" \
        >"$work/server" 2>&1 &
    server=$!
    # shellcheck disable=SC2064
    trap "kill $server 2>/dev/null || true; rm -rf '$work'" EXIT
    for try in $(seq 50); do
        if UCX_NET_DEVICES="${ends[1]:-all}" taskset -c 0 ucx_perftest localhost -p "$port" \
            -b "$work/batch" -f -v >"$work/csv" 2>"$work/errors"; then
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
