#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures persistent collectives beside their peers, in turns of milliseconds, and how much of one
# is hidden behind computation; writes tables, JSON and plots. How: src/bench/README.md.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/coll.sh [--ways] [--minutes M] [--repetitions R] [--quick] [--only REGEX]
                             [--ranks LIST] [--out DIR] [--no-install] [--no-build]

  --ways           broadcast, allreduce and alltoall by the way that data take from memory outside
                   of the heap, instead: blocks through shared memory (pipeline), copies by the
                   kernel (cma), tasks of one address space (direct); beside the heap and Open MPI
  --minutes M      what all measurements take together, default 10
  --repetitions R  of everything, default 3; the middle one counts
  --quick          2 repetitions of four sizes and the main operations, in a minute and a half
  --only REGEX     only what matches, of lines such as "allreduce 8", "overlap 2" and
                   "overlap_alone 2" (bench ranks)
  --ranks LIST     numbers of ranks, default 2,4,8
  --out DIR        where the results go, default target/bench-coll
  --no-install     do not install missing Debian packages, even as root
  --no-build       measure Hayate as it is in target/, if it is there

writes DIR/collectives.md, short.md (without the cells), collectives.json, collectives.jsonl,
log.txt and plots (png and svg).
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="raw coll-hayate coll-hayate-java coll-openmpi coll-mpich coll-mpich-thread"
WAYS="pipeline cma direct" BY_WAY=0
MINUTES="" REPETITIONS="" QUICK=0 ONLY="." RANKS=2,4,8
OUT="$ROOT/target/bench-coll" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev mpich libmpich-dev maven openjdk-17-jdk-headless
    fontconfig fonts-dejavu-core libfreetype6"
OPERATIONS="allreduce bcast alltoall allgather"
FEW_OPERATIONS="reduce gather scatter reduce_scatter"
OTHERS="barrier:0 allreduce_init:4096"
# In the order of turns: each of ours beside one of theirs. What no player has is left out.
SERIES=pcoll-heap,openmpi,pcoll-malloc,openmpi-persistent,fmpl-heap,mpich,java-heap,java-array
OVERLAP_SERIES=pcoll-caller,openmpi-nonblocking,pcoll-calls,openmpi-nonblocking-test,pcoll-thread
# With a core that is free for whoever helps the rank.
HELPED_SERIES=$OVERLAP_SERIES,mpich-nonblocking,pcoll-delegated
# Its threads poll all the time: a player beside them would have no core.
SPINNING_SERIES=mpich-thread-nonblocking
. "$BENCH_SRC/lib/session.sh"
. "$BENCH_SRC/lib/referee.sh"

parse() {
    local one='([2-9]|[1-5][0-9]|6[0-4])'
    option --minutes MINUTES '^[0-9]+(\.[0-9]+)?$' a number
    option --repetitions REPETITIONS "$UP_TO_99" a number from 1 to 99
    option --only ONLY . a regular expression
    option --ranks RANKS "^$one(,$one)*\$" numbers from 2 to 64
    flag --quick QUICK 1
    flag --ways BY_WAY 1
    flag --no-install INSTALL 0
    parse_options "$@"
    if [ "$QUICK" = 1 ]; then
        MINUTES="${MINUTES:-1.5}" REPETITIONS="${REPETITIONS:-2}"
        SIZES=4,1024,65536,1048576 FEW_SIZES="" OVERLAP_SIZES=65536,1048576
    else
        MINUTES="${MINUTES:-10}" REPETITIONS="${REPETITIONS:-3}"
        SIZES=4,16,64,256,1024,4096,16384,65536,262144,1048576,4194304
        FEW_SIZES=16,8192,262144 OVERLAP_SIZES=65536,262144,1048576,4194304
    fi
}

# The series and cases of --ways. Tasks need what hayate-pvas(7) says.
select_ways() {
    SERIES=pcoll-pipeline,openmpi,pcoll-cma,pcoll-heap
    OPERATIONS="bcast allreduce alltoall" FEW_OPERATIONS="" OTHERS="" OVERLAP_SIZES=""
    SIZES=4096,16384,65536,262144,1048576,4194304
    [ "$QUICK" = 0 ] || SIZES=4096,65536,1048576
    OVERLAP_WEIGHT=0 HELPED_WEIGHT=0 SPINNING_WEIGHT=0
    if "$ROOT/target/hayate-run" --pvas -n 2 -- true >/dev/null 2>&1; then
        SERIES+=,pcoll-direct
    else
        SKIPPED=$((SKIPPED + 1))
        echo "pcoll-direct: hayate run --pvas fails here" | tee -a "$OUT/skipped.txt" |
            sed 's/^/bench: skipped /' >&2
    fi
}

# One a line, OP:SIZES.
cases() {
    local op
    for op in $OPERATIONS; do
        echo "$op:$SIZES"
    done
    for op in $FEW_OPERATIONS; do
        [ -z "$FEW_SIZES" ] || echo "$op:$FEW_SIZES"
    done
    [ -z "$OTHERS" ] || printf '%s\n' $OTHERS
}

# How much of a repetition's time cases of so many ranks get, compared with others.
weight() { # weight RANKS
    awk -v n="$1" 'BEGIN { print 0.7 + 0.14 * n }'
}
OVERLAP_WEIGHT=0.5 HELPED_WEIGHT=0.4 SPINNING_WEIGHT=0.1

# seconds WEIGHT: for a part of a repetition.
seconds() {
    local all="$OVERLAP_WEIGHT + $HELPED_WEIGHT + $SPINNING_WEIGHT" ranks
    for ranks in ${RANKS//,/ }; do
        all+=" + $(weight "$ranks")"
    done
    awk -v m="$MINUTES" -v r="$REPETITIONS" -v w="$1" "BEGIN { print m * 60 / r * w / ($all) }"
}

# Commands of those that are ready and have some of the series, one a line.
players() { # players RANKS SERIES
    local adapter way play
    for adapter in $READY; do
        play="'$BENCH_SRC/adapters/$adapter.sh' play"
        case "$adapter" in
            coll-mpich-thread) ! has_series "$2" 'mpich-thread-nonblocking' || echo "$play" ;;
            coll-mpich)
                ! has_series "$2" 'mpich|mpich-nonblocking' || (($1 > $(nproc))) || echo "$play"
                ;;
            coll-openmpi) ! has_series "$2" 'openmpi[-a-z]*' || echo "$play" ;;
            coll-hayate-java) ! has_series "$2" 'java-[a-z]+' || echo "$play" ;;
            coll-hayate)
                ! has_series "$2" 'pcoll-heap|pcoll-caller' || echo "$play"
                for way in $WAYS delegated; do
                    ! has_series "$2" "pcoll-$way" || echo "env BENCH_WAY=$way $play"
                done
                ;;
        esac
    done
}

has_series() { # has_series LIST REGEX: one of that name
    [[ ",$1," =~ ,($2), ]]
}

# referee REPETITION RANKS WEIGHT SERIES OPTION...
referee() {
    local play PLAYERS=()
    while IFS= read -r play; do
        PLAYERS+=("$play")
    done < <(players "$2" "$4")
    run_referee "$1" "$2" "$(seconds "$3")" "$4" "$OUT/collectives.jsonl" "${@:5}"
}

# compare REPETITION RANKS
compare() {
    local one chosen=()
    for one in $(cases); do
        [[ ! "${one%%:*} $2" =~ $ONLY ]] || chosen+=(--case "$one")
    done
    [ ${#chosen[@]} = 0 ] || referee "$1" "$2" "$(weight "$2")" "$SERIES" "${chosen[@]}"
}

# overlap REPETITION
overlap() {
    [[ -n "$OVERLAP_SIZES" && "overlap 2" =~ $ONLY ]] || return 0
    referee "$1" 2 "$OVERLAP_WEIGHT" "$OVERLAP_SERIES" --overlap works,late \
        --case "allreduce:$OVERLAP_SIZES"
}

# Only one rank computes, and receives a broadcast; the root waits, blocked if its library can.
helped() { # helped REPETITION
    [[ -n "$OVERLAP_SIZES" && "overlap_alone 2" =~ $ONLY ]] || return 0
    HAYATE_WAIT=block BENCH_BIND=none referee "$1" 2 "$HELPED_WEIGHT" "$HELPED_SERIES" \
        --overlap alone --case "bcast:$OVERLAP_SIZES"
    [[ " $READY " == *" coll-mpich-thread "* ]] || return 0 # counted as skipped
    BENCH_BIND=none referee "$1" 2 "$SPINNING_WEIGHT" "$SPINNING_SERIES" \
        --overlap alone --case "bcast:$OVERLAP_SIZES"
}

main() {
    local repetition ranks FAILED=0
    parse "$@"
    open_session
    rm -rf "$OUT"/{collectives.jsonl,collectives.md,short.md,collectives.json,failed.txt,log.txt} \
        "$OUT"/*.png "$OUT"/*.svg
    touch "$OUT/collectives.jsonl" "$OUT/failed.txt"
    install_packages
    build_hayate
    {
        environment
        printf '%s\n' "repetitions=$REPETITIONS" "minutes=$MINUTES" "only=$ONLY"
    } >"$OUT/environment.txt"
    prepare
    [ "$BY_WAY" = 0 ] || select_ways
    build_referee
    for repetition in $(seq "$REPETITIONS"); do
        say "repetition $repetition of $REPETITIONS:$READY"
        for ranks in ${RANKS//,/ }; do
            compare "$repetition" "$ranks"
        done
        overlap "$repetition"
        helped "$repetition"
    done
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    summarise Collectives
    [ ! -f "$OUT/collectives.md" ] || cat "$OUT/collectives.md"
    say "$SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
