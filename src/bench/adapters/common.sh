# SPDX-License-Identifier: Apache-2.0
# What the adapters share. Sourced, never run. An adapter is a program with two commands:
#   ADAPTER prepare                  builds what it needs; exit 77 with a reason on stderr: not here
#   ADAPTER run BENCH RANKS BYTES    prints JSON lines; nothing when it has no such bench
# and gets ROOT, BENCH_SRC, BENCH_BUILD, BENCH_CACHE, BENCH_MS, BENCH_HAYATE from bench.sh.

CFLAGS_BENCH="-std=gnu11 -O2 -Wall -Wextra -Werror"

skip() {
    echo "$*" >&2
    exit 77
}

need_command() {
    command -v "$1" >/dev/null || skip "$1 is not installed (Debian package $2)"
}

# compile CC OUTPUT FILE... : from the sources of src/bench.
compile() {
    local cc="$1" output="$2"
    shift 2
    # shellcheck disable=SC2086
    (cd "$BENCH_SRC" && $cc $CFLAGS_BENCH -o "$BENCH_BUILD/$output" "$@") ||
        { echo "cannot compile $output with $cc" >&2; exit 1; }
}

cpus() {
    nproc
}

# Options of Open MPI's mpirun for $1 ranks.
openmpi_options() {
    local options="-n $1"
    [ "$(id -u)" -ne 0 ] || options+=" --allow-run-as-root"
    if [ "$1" -le "$(cpus)" ]; then
        options+=" --bind-to core"
    else
        options+=" --oversubscribe --bind-to none"
    fi
    echo "$options"
}


dispatch() {
    case "${1:-}" in
        prepare) prepare ;;
        run) shift; run "$@" ;;
        *) echo "usage: $0 prepare | run BENCH RANKS BYTES" >&2; exit 2 ;;
    esac
}
