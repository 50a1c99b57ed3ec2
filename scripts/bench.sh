#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures Hayate, its peers and the machine itself in turn, several rounds, and writes a table,
# JSON and plots. How it measures: src/bench/README.md.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench.sh [--rounds R] [--quick] [--only REGEX] [--out DIR]
                        [--no-install] [--no-build] [--no-jmh]

  --rounds R     rounds of all measurements, default 5; the median of the rounds counts
  --quick        2 rounds, few sizes, short samples: minutes become one, figures get noisy
  --only REGEX   only what matches, of lines such as "pingpong 2 openmpi-c" (bench ranks impl)
  --out DIR      where the results go, default target/bench
  --no-install   do not install missing Debian packages, even as root
  --no-build     measure Hayate as it is in target/, if it is there
  --no-jmh       leave the micro-benchmarks of scripts/jmh.sh out

writes DIR/table.md, targets.md, summary.json, results.jsonl, log.txt and plots (png and svg).
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ADAPTERS="raw hayate-java hayate-c openmpi-c openmpi-java mpich-c ucx launch"
ROUNDS="" QUICK=0 ONLY="." OUT="$ROOT/target/bench" INSTALL=1 BUILD=1 JMH=1
PACKAGES="gcc openmpi-bin libopenmpi-dev mpich libmpich-dev ucx-utils maven openjdk-17-jdk-headless
    fontconfig fonts-dejavu-core libfreetype6"

parse() {
    while [ $# -gt 0 ]; do
        case "$1" in
            --rounds) ROUNDS="${2:?--rounds wants a number}"; shift ;;
            --only) ONLY="${2:?--only wants a regular expression}"; shift ;;
            --out) OUT="${2:?--out wants a directory}"; shift ;;
            --quick) QUICK=1 ;;
            --no-install) INSTALL=0 ;;
            --no-build) BUILD=0 ;;
            --no-jmh) JMH=0 ;;
            -h|--help) usage; exit 0 ;;
            *) usage >&2; exit 2 ;;
        esac
        shift
    done
    if [ "$QUICK" = 1 ]; then
        ROUNDS="${ROUNDS:-2}" BENCH_MS=60
        SIZES=8,2048,8192,65536,1048576 MANY="4"
    else
        ROUNDS="${ROUNDS:-5}" BENCH_MS=250
        SIZES=8,128,2048,8192,65536,262144,524288,1048576,8388608 MANY="4 8"
    fi
    [[ "$ROUNDS" =~ ^[1-9][0-9]?$ ]] || { echo "--rounds: 1 to 99, not '$ROUNDS'" >&2; exit 2; }
}

say() {
    echo "bench: $*" >&2
}

missing_packages() {
    local package
    for package in $PACKAGES; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

install_packages() {
    local missing
    command -v dpkg-query >/dev/null || { say "not Debian: peers are used where found"; return 0; }
    missing="$(missing_packages)"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] || [ "$INSTALL" = 0 ]; then
        say "not installed: $missing"
        say "to compare with them: apt-get install $missing"
        return 0
    fi
    say "installing $missing"
    # shellcheck disable=SC2086
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends $missing; } >>"$OUT/log.txt" 2>&1 ||
        say "could not install all of them, see log.txt"
}

build_hayate() {
    [ "$BUILD" = 1 ] || return 0
    say "building Hayate"
    (
        . "$ROOT/scripts/setup.sh"
        hy_need
        hy_build
    ) >>"$OUT/log.txt" 2>&1 </dev/null || fail "building Hayate"
}

environment() {
    local package
    echo "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "commit=$(git -C "$ROOT" describe --always --dirty --abbrev=12 2>/dev/null || echo none)"
    echo "kernel=$(uname -srm)"
    echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    echo "cpus=$(nproc)"
    echo "threads_per_core=$(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Thread(s) per core: *//p')"
    echo "memory=$(sed -n 's/^MemTotal: *//p' /proc/meminfo)"
    echo "load_at_start=$(cut -d' ' -f1-3 /proc/loadavg)"
    echo "java=$(java -version 2>&1 | tr '\n' ';' | sed 's/;$//')"
    echo "gcc=$(gcc --version 2>/dev/null | head -n 1)"
    for package in $PACKAGES libucx0; do
        echo "package.$package=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || echo none)"
    done
    echo "rounds=$ROUNDS"
    echo "sample_ms=$BENCH_MS"
    echo "only=$ONLY"
}

# Which adapters are usable: fills READY and SKIPPED (and writes the reasons down).
prepare() {
    local adapter code
    READY="" SKIPPED=0
    : >"$OUT/skipped.txt"
    for adapter in $ADAPTERS; do
        code=0
        "$BENCH_SRC/adapters/$adapter.sh" prepare >>"$OUT/log.txt" 2>"$OUT/reason.txt" || code=$?
        cat "$OUT/reason.txt" >>"$OUT/log.txt"
        if [ "$code" = 0 ]; then
            READY="$READY $adapter"
        else
            SKIPPED=$((SKIPPED + 1))
            echo "$adapter: $(tail -n 1 "$OUT/reason.txt")" | tee -a "$OUT/skipped.txt" |
                sed 's/^/bench: skipped /' >&2
            [ "$code" = 77 ] || FAILED=$((FAILED + 1))
        fi
    done
    rm -f "$OUT/reason.txt"
}

# What a cache line takes at the moment, as a JSON member; nothing when that cannot be told.
line_now() {
    "$BENCH_BUILD/raw_bench" pingpong --ms 10 2>/dev/null |
        sed -n 's/.*"median_us":\([0-9.]*\).*/"line_us":\1,/p'
}

# measure ROUND BENCH RANKS BYTES: every adapter in turn. Virtual CPUs move: each line also says
# what a cache line took just before.
measure() {
    local adapter line limit=120
    [ "$QUICK" = 0 ] || limit=60
    for adapter in $READY; do
        [[ "$2 $3 $adapter" =~ $ONLY ]] || continue
        echo "# round $1: $adapter $2, $3 ranks" >>"$OUT/log.txt"
        line="$(line_now || true)"
        timeout -k 5 "$limit" "$BENCH_SRC/adapters/$adapter.sh" run "$2" "$3" "$4" \
            >"$OUT/lines" 2>>"$OUT/log.txt" </dev/null ||
            fail "$adapter $2 on $3 ranks, round $1 (code $?)"
        grep -v '^{' "$OUT/lines" >>"$OUT/log.txt" || true
        sed -n "s/^{/{\"round\":$1,$line/p" "$OUT/lines" >>"$OUT/results.jsonl"
    done
    rm -f "$OUT/lines"
}

fail() {
    FAILED=$((FAILED + 1))
    echo "$*" >>"$OUT/failed.txt"
    say "FAILED: $* (see log.txt)"
}

one_round() {
    local ranks
    measure "$1" pingpong 2 "$SIZES"
    for ranks in 2 $MANY; do
        measure "$1" bcast "$ranks" 8192
        measure "$1" allreduce "$ranks" 8,8192,262144
        measure "$1" barrier "$ranks" 8
    done
    measure "$1" launch 4 0
    [ "$1" != 1 ] || measure "$1" blocked 2 8
}

run_jmh() {
    [ "$JMH" = 1 ] && [ -x "$ROOT/scripts/jmh.sh" ] && [[ "jmh" =~ $ONLY ]] || return 0
    say "micro-benchmarks (scripts/jmh.sh)"
    "$ROOT/scripts/jmh.sh" >"$OUT/jmh.txt" 2>>"$OUT/log.txt" </dev/null || fail "scripts/jmh.sh"
}

summarise() {
    mvn -q -B -f "$BENCH_SRC/pom.xml" -Dbench.build="$BENCH_BUILD/summary" package \
        >>"$OUT/log.txt" 2>&1 || { fail "building the summary program"; return 0; }
    java -Djava.awt.headless=true -cp "$BENCH_BUILD/summary/classes:$BENCH_BUILD/summary/lib/*" \
        io.hayate.bench.Summary "$OUT" 2>>"$OUT/log.txt" || fail "writing the summary"
}

main() {
    local round FAILED=0
    parse "$@"
    mkdir -p "$OUT"
    OUT="$(cd "$OUT" && pwd)"
    rm -f "$OUT"/{results.jsonl,table.md,targets.md,summary.json,jmh.txt,failed.txt,log.txt} \
        "$OUT"/*.png "$OUT"/*.svg
    touch "$OUT/results.jsonl" "$OUT/failed.txt"
    BENCH_BUILD="$OUT/build"
    BENCH_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/hayate/bench"
    BENCH_HAYATE="$ROOT/scripts/hayate"
    mkdir -p "$BENCH_BUILD" "$BENCH_CACHE"
    export ROOT BENCH_SRC BENCH_BUILD BENCH_CACHE BENCH_MS BENCH_HAYATE
    install_packages
    build_hayate
    environment >"$OUT/environment.txt"
    prepare
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS:$READY"
        one_round "$round"
    done
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    run_jmh
    summarise
    [ ! -f "$OUT/targets.md" ] || cat "$OUT/table.md" "$OUT/targets.md"
    say "$(wc -w <<<"$READY") adapters measured, $SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
