# SPDX-License-Identifier: Apache-2.0
# What the adapters share. Sourced, never run. An adapter is a program with two commands:
#   ADAPTER prepare                  builds what it needs; exit 77 with a reason on stderr: not here
#   ADAPTER run BENCH RANKS BYTES    prints JSON lines; nothing when it has no such bench
# (those of bench/coll.sh, coll-*.sh, have instead
#   ADAPTER play RANKS FOLDER PLAYER becomes the launcher of a player, see ../c/player.h)
# and gets ROOT, BENCH_SRC, BENCH_BUILD, BENCH_CACHE, BENCH_MS, BENCH_HAYATE from the script; those
# of bench/threads.sh also BENCH_PATH (shm, or the network between two nodes, tcp or verbs) and
# BENCH_BYTES.

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

# What a rank is bound to; BENCH_BIND is for ranks that a thread or a delegatee helps.
binding() { # binding RANKS
    if [ "$1" -le "$(cpus)" ]; then
        echo "${BENCH_BIND:-core}"
    else
        echo none
    fi
}

# Options of Open MPI's mpirun for $1 ranks.
openmpi_options() {
    local options="-n $1 --bind-to $(binding "$1")"
    [ "$(id -u)" -ne 0 ] || options+=" --allow-run-as-root"
    [ "$1" -le "$(cpus)" ] || options+=" --oversubscribe"
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

need_nodes() {
    [ "$BENCH_PATH" = shm ] || need_command mpiexec.hydra mpich
}

# compile_hayate OUTPUT FILE...: with Hayate's library.
compile_hayate() {
    local folder
    folder="$(dirname "$(hayate_library)")"
    compile gcc "$@" -I"$ROOT/src/main/c/include" -L"$folder" -lhayate -Wl,-rpath,"$folder"
}

# hayate_run RANKS [OPTION...] -- COMMAND...: in place of this shell.
hayate_run() {
    local ranks="$1"
    shift
    exec "$BENCH_HAYATE" run -n "$ranks" --bind "$(binding "$ranks")" "$@"
}

# compile_java FOLDER FILE...: programs of src/bench/java into $BENCH_BUILD/FOLDER, beside a file
# with what `hayate` itself would run with: options of the JVM, and the classpath, to which
# BENCH_CLASSES is added.
compile_java() {
    local folder="$BENCH_BUILD/$1"
    shift
    need_command javac openjdk-17-jdk-headless
    [ -x "$ROOT/target/hayate-run" ] && [ -f "$ROOT/target/classpath.txt" ] ||
        skip "Hayate is not built (scripts/build.sh)"
    mkdir -p "$folder"
    # shellcheck disable=SC1091
    (. "$ROOT/scripts/lib/setup.sh" && JAVA_HOME="$(hy_find_jdk)" &&
        classes="$(hy_classpath)${BENCH_CLASSES:+:$BENCH_CLASSES}:$folder" &&
        echo "$(hy_java_options) -XX:+UseSerialGC -cp $classes") >"$folder/options"
    (cd "$BENCH_SRC/java" && javac -cp "$(sed 's/.*-cp //' "$folder/options")" -d "$folder" "$@")
}

# java_run RANKS FOLDER CLASS ARGUMENT...: in place of this shell, a program of compile_java.
# Without the file of a JVM's counters: if another process has it, the JVM warns on stdout.
java_run() {
    local ranks="$1" options="$BENCH_BUILD/$2/options"
    shift 2
    # shellcheck disable=SC2046
    hayate_run "$ranks" -- java -XX:-UsePerfData $(cat "$options") "$@"
}

# Of each node for BENCH_PATH: its end of a cable in the lab, else loopback.
devices() {
    case "$BENCH_PATH" in
        tcp) echo lo lo ;;
        verbs) echo rxe0:1 rxe1:1 ;;
    esac
}

# For Hayate and UCX, which MPI goes by: nothing but the network. Soft-RoCE does not flag the header
# that UCX would look for its own address in.
use_network() {
    export HAYATE_HEAP=64M LD_LIBRARY_PATH="$ROOT/target"
    case "$BENCH_PATH" in
        tcp) export HAYATE_NET=ofi UCX_TLS=tcp,self ;;
        verbs) export HAYATE_NET=verbs UCX_TLS=rc_v,self UCX_UD_VERBS_ETH_DGID_CHECK=n ;;
    esac
}

# on_nodes RANKS LAUNCHER... -- COMMAND...: in place of this shell; half of the ranks on each of two
# nodes. The launcher takes several commands, with a colon between.
on_nodes() {
    local half=$(($1 / 2)) launcher=() device words=()
    shift
    while [ "$1" != -- ]; do
        launcher+=("$1")
        shift
    done
    shift
    for device in $(devices); do
        words+=(: -n "$half" env HAYATE_NET_DEVICE="$device" UCX_NET_DEVICES="$device" "$@")
    done
    use_network
    exec "${launcher[@]}" "${words[@]:1}"
}

# hydra_nodes RANKS COMMAND...: the same. Hydra believes that this machine is two, so that the ranks
# of one share no memory with those of the other.
hydra_nodes() {
    local half=$(($1 / 2))
    on_nodes "$1" mpiexec.hydra -launcher fork -hosts "left:$half,right:$half" -- "${@:2}"
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
