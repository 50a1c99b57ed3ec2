#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the memory and the page tables of ranks that all send to all others, against their
# number: Hayate's as processes and as tasks, those of Open MPI and of MPICH.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/footprint.sh [--ranks LIST] [--bytes LIST] [--rounds K] [--out DIR]
                                  [--no-install] [--no-build]

  --ranks LIST   default 2,4,8,16,32,64
  --bytes LIST   sizes of messages, default 2048,16384: eager and rendezvous
  --rounds K     messages from each rank to each other rank, default 10
  --out DIR      where the results go, default target/bench-footprint
  --no-install   do not install missing Debian packages, even as root
  --no-build     measure Hayate as it is in target/, if it is there

Memory is the proportional set size: a shared page counts in equal parts for each process. Launchers
do not count. MPICH spins, and is left out with more than 16 ranks for each processor.

writes DIR/footprint.md, footprint.svg (Hayate's), footprint.jsonl, environment.txt, skipped.txt,
failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="footprint-openmpi footprint-mpich"
RANKS=2,4,8,16,32,64 SIZES=2048,16384 ROUNDS=10
OUT="$ROOT/target/bench-footprint" INSTALL=1 BUILD=1
PACKAGES="gcc openmpi-bin libopenmpi-dev mpich libmpich-dev maven openjdk-17-jdk-headless"
. "$BENCH_SRC/lib/session.sh"

parse() {
    local numbers='^[1-9][0-9]*(,[1-9][0-9]*)*$'
    option --ranks RANKS "$numbers" numbers
    option --bytes SIZES "$numbers" numbers
    option --rounds ROUNDS "$A_NUMBER" a number
    flag --no-install INSTALL 0
    parse_options "$@"
}

# Lines of JSON into footprint.jsonl.
record() { # record WHAT COMMAND...
    local what="$1"
    shift
    echo "# $(date +%T) $what" >>"$OUT/log.txt"
    timeout -k 5 600 "$@" 2>>"$OUT/log.txt" </dev/null | grep '^{.*"bench":"footprint"' \
        >>"$OUT/footprint.jsonl" || fail "$what"
}

table() {
    echo "# Memory and page tables of ranks"
    echo
    echo "KiB for each rank, after $ROUNDS messages to each other rank, heap or malloc: memory /" \
        "page tables."
    echo
    awk -f "$BENCH_SRC/tables/footprint.awk" "$OUT/footprint.jsonl"
}

main() {
    local adapter ranks bytes FAILED=0
    parse "$@"
    open_session
    rm -f "$OUT"/{footprint.md,failed.txt,log.txt}
    : >"$OUT/footprint.jsonl"
    touch "$OUT/failed.txt"
    install_packages
    build_hayate
    environment >"$OUT/environment.txt"
    prepare
    record hayate "$ROOT/scripts/bench/figure.sh" footprint --json --ranks "$RANKS" \
        --bytes "$SIZES" --rounds "$ROUNDS" --plot "$OUT/footprint.svg"
    for adapter in $READY; do
        for ranks in ${RANKS//,/ }; do
            [ "$adapter" != footprint-mpich ] || [ "$ranks" -le $((16 * $(nproc))) ] || continue
            for bytes in ${SIZES//,/ }; do
                record "$adapter, $ranks ranks, $bytes bytes" \
                    "$BENCH_SRC/adapters/$adapter.sh" run footprint "$ranks" "$bytes" "$ROUNDS"
            done
        done
    done
    table | tee "$OUT/footprint.md"
    say "$SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
