#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

library() {
    if [ -f "$ROOT/target/libhayate.so" ]; then
        echo "$ROOT/target/libhayate.so"
    else
        find "$ROOT/target" -name libhayate.so -print -quit 2>/dev/null
    fi
}

prepare() {
    local folder
    need_command gcc gcc
    [ -x "$ROOT/target/hayate-run" ] || skip "Hayate is not built (scripts/build.sh)"
    [ -n "$(library)" ] || skip "libhayate.so is not built (mvn package)"
    folder="$(dirname "$(library)")"
    compile gcc hayate_bench -I"$ROOT/src/main/c/include" c/hayate_bench.c c/harness.c c/samples.c \
        -L"$folder" -lhayate -Wl,-rpath,"$folder"
}

bench() {
    local ranks="$1" bind=none
    shift
    [ "$ranks" -gt "$(cpus)" ] || bind=core
    "$BENCH_HAYATE" run -n "$ranks" --bind "$bind" -- "$BENCH_BUILD/hayate_bench" "$@" \
        --ms "$BENCH_MS"
}

run() {
    case "$1" in
        pingpong)
            bench "$2" pingpong --bytes "$3" --buffers heap
            bench "$2" pingpong --bytes "$3" --buffers direct ;;
        bcast|reduce|allreduce|barrier|blocked)
            bench "$2" "$1" --bytes "$3" --buffers heap ;;
    esac
}

dispatch "$@"
