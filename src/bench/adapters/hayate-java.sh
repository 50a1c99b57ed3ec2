#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    [ -x "$ROOT/target/hayate-run" ] || skip "Hayate is not built (scripts/build.sh)"
    "$BENCH_HAYATE" perf --help >/dev/null 2>&1 || skip "scripts/hayate perf does not start"
    compile_java hayate-java BlockedBench.java
}

# perf RANKS BENCH BYTES BUFFERS
perf() {
    "$BENCH_HAYATE" perf "$2" --bytes "$3" --buffers "$4" --json -n "$1" </dev/null |
        sed '/"impl"/!s/^{/{"impl":"hayate-java",/'
}

run() {
    case "$1" in
        pingpong)
            perf "$2" pingpong "$3" heap
            perf "$2" pingpong "$3" direct
            perf "$2" pingpong "$3" array ;;
        bcast|reduce|allreduce)
            perf "$2" "$1" "$3" heap ;;
        barrier)
            perf "$2" barrier 8 heap ;;
        blocked)
            java_run "$2" hayate-java BlockedBench ;;
    esac
}

dispatch "$@"
