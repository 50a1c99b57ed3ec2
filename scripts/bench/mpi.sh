#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures Hayate's package mpi beside Open MPI, from Java and from C, and beside Fmpl, in turns of
# milliseconds; writes a table of ratios. How: src/bench/README.md.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/mpi.sh [--minutes M] [--repetitions R] [--only REGEX] [--out DIR]
                            [--no-install] [--no-build]

  --minutes M      what all measurements take together, default 8
  --repetitions R  of everything, default 3; the middle one counts
  --only REGEX     only what matches, of lines such as "pingpong 2" (operation, ranks)
  --out DIR        where the results go, default target/bench-mpi
  --no-install     do not install missing Debian packages, even as root
  --no-build       measure Hayate as it is in target/, if it is there

writes DIR/mpi.md, mpi.jsonl, environment.txt, skipped.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="raw mpi-hayate mpi-openmpi-java coll-openmpi mpi-fmpl"
MINUTES=8 REPETITIONS=3 ONLY="." OUT="$ROOT/target/bench-mpi" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev maven openjdk-17-jdk-headless"
# In the order of turns.
SERIES=mpi-direct,openmpi-java-direct,openmpi,fmpl-direct,mpi-array,openmpi-java-array,fmpl-array
MESSAGES=8,64,256,1024,4096,8192,16384,65536,262144,1048576,8388608
COLLECTIVES=8,1024,16384,131072,1048576
. "$BENCH_SRC/lib/session.sh"
. "$BENCH_SRC/lib/referee.sh"

# RANKS, the share of the time in percent, and the cases.
PARTS="2 50 pingpong:$MESSAGES rate:8 put:8
2 20 allreduce:$COLLECTIVES bcast:$COLLECTIVES alltoall:$COLLECTIVES barrier:0
4 20 allreduce:$COLLECTIVES bcast:$COLLECTIVES alltoall:$COLLECTIVES barrier:0
8 10 farm:8"

parse() {
    option --minutes MINUTES '^[0-9]+(\.[0-9]+)?$' a number
    option --repetitions REPETITIONS "$UP_TO_99" a number from 1 to 99
    option --only ONLY . a regular expression
    flag --no-install INSTALL 0
    parse_options "$@"
}

# play REPETITION RANKS PERCENT CASE...
play() {
    local one chosen=() adapter PLAYERS=()
    for one in "${@:4}"; do
        [[ ! "${one%%:*} $2" =~ $ONLY ]] || chosen+=(--case "$one")
    done
    [ ${#chosen[@]} -gt 0 ] || return 0
    for adapter in $READY; do
        [ "$adapter" = raw ] || PLAYERS+=("'$BENCH_SRC/adapters/$adapter.sh' play")
    done
    run_referee "$1" "$2" \
        "$(awk "BEGIN { print $MINUTES * 60 / $REPETITIONS * $3 / 100 }")" \
        "$SERIES" "$OUT/mpi.jsonl" "${chosen[@]}"
}

main() {
    local FAILED=0 repetition part parts
    parse "$@"
    open_session
    rm -f "$OUT"/{mpi.jsonl,mpi.md,failed.txt,log.txt}
    touch "$OUT/mpi.jsonl" "$OUT/failed.txt"
    install_packages
    build_hayate
    environment >"$OUT/environment.txt"
    prepare
    build_referee
    mapfile -t parts <<<"$PARTS"
    for repetition in $(seq "$REPETITIONS"); do
        say "repetition $repetition of $REPETITIONS:$READY"
        for part in "${parts[@]}"; do
            # shellcheck disable=SC2086
            play "$repetition" $part
        done
    done
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    summarise MpiTable
    [ ! -f "$OUT/mpi.md" ] || cat "$OUT/mpi.md"
    say "$SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
