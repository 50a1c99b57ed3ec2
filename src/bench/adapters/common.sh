# SPDX-License-Identifier: Apache-2.0
# What the adapters share. Sourced, never run. An adapter is a program with two commands:
#   ADAPTER prepare                  builds what it needs; exit 77 with a reason on stderr: not here
#   ADAPTER run BENCH RANKS BYTES    prints JSON lines; nothing when it has no such bench
# (those of bench-coll.sh, coll-*.sh, have instead
#   ADAPTER play RANKS FOLDER PLAYER becomes the launcher of a player, see ../c/player.h)
# and gets ROOT, BENCH_SRC, BENCH_BUILD, BENCH_CACHE, BENCH_MS, BENCH_HAYATE from the script.

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

hayate_library() {
    if [ -f "$ROOT/target/libhayate.so" ]; then
        echo "$ROOT/target/libhayate.so"
    else
        find "$ROOT/target" -name libhayate.so -print -quit 2>/dev/null
    fi
}

need_hayate() {
    need_command gcc gcc
    [ -x "$ROOT/target/hayate-run" ] || skip "Hayate is not built (scripts/build.sh)"
    [ -n "$(hayate_library)" ] || skip "libhayate.so is not built (mvn package)"
}

# compile_hayate OUTPUT FILE...: with Hayate's library.
compile_hayate() {
    local folder
    folder="$(dirname "$(hayate_library)")"
    compile gcc "$@" -I"$ROOT/src/main/c/include" -L"$folder" -lhayate -Wl,-rpath,"$folder"
}

# hayate_run RANKS COMMAND...: in place of this shell; a rank has a core while there are enough.
hayate_run() {
    local ranks="$1" bind=none
    shift
    [ "$ranks" -gt "$(cpus)" ] || bind=core
    exec "$BENCH_HAYATE" run -n "$ranks" --bind "$bind" -- "$@"
}

dispatch() {
    case "${1:-}" in
        prepare) prepare ;;
        run) shift; run "$@" ;;
        play) shift; play "$@" ;;
        *) echo "usage: $0 prepare | run BENCH RANKS BYTES | play RANKS FOLDER PLAYER" >&2
            exit 2 ;;
    esac
}
