#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the memory and the page tables of a solver, IS of the NAS Parallel Benchmarks, with ranks
# as processes, as tasks of one address space, as threads of one JVM, and as processes of Open MPI.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/memory.sh [--class C] [--ranks LIST] [--rounds R] [--out DIR] [--no-build]

  --class C      of IS: S, W, A or B, default A
  --ranks LIST   powers of two, default 2,4,8
  --rounds R     of everything, default 3; the middle one counts
  --out DIR      where the results go, default target/bench-memory
  --no-build     measure Hayate as it is in target/, if it is there

Every 50 ms or so while the job runs, the memory (PSS: a shared page counts in equal parts for each
process) and the page tables (VmPTE) of all its processes are added up; an address space that
several share counts once. The highest sums count. The launcher belongs to the job. The data that
ranks exchange are direct buffers outside of the symmetric heap. The program over Open MPI is the
same but for its messages, by Open MPI's Java binding.

`scripts/bench/footprint.sh` measures native programs that only send messages: what the ranks
themselves take. This here is a Java solver with its data: its JVM, or a JVM for each rank, is in
it.

writes DIR/memory.md, memory.tsv, environment.txt, skipped.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
CLASS=A RANKS="2 4 8" ROUNDS=3 OUT="$ROOT/target/bench-memory" BUILD=1 INSTALL=0
PACKAGES="openjdk-17-jdk-headless maven gcc openmpi-bin libopenmpi-dev"
LIMIT=300 # seconds of a job
. "$BENCH_SRC/lib/session.sh"

parse() {
    option --class CLASS '^[SWAB]$' S, W, A or B
    option --ranks RANKS '^[1-9][0-9]{0,2}([ ,][1-9][0-9]{0,2})*$' numbers up to 999
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    parse_options "$@"
    RANKS="${RANKS//,/ }"
}

# start WAY CLASS RANKS REPETITIONS: in place of this shell, with stdout and stderr in the log.
start() {
    local launch=() threads=()
    case "$1" in
        openmpi) exec "$BENCH_SRC/adapters/nas-openmpi.sh" run IS "$3" --class "$2" \
            --repetitions "$4" --memory direct >"$OUT/output.txt" 2>&1 </dev/null ;;
        processes) launch=("$ROOT/target/hayate-run" -n "$3" --) ;;
        tasks) launch=("$ROOT/target/hayate-run" --pvas -n "$3" --) ;;
        threads) threads=(--threads "$3") ;;
    esac
    [ "$1" = processes ] || export HAYATE_RENDEZVOUS=direct
    exec "${launch[@]}" "$JAVA" -XX:+UseSerialGC -cp "$CLASSPATH" io.hayate.examples.nas.Is \
        --class "$2" --repetitions "$4" --memory direct "${threads[@]}" \
        >"$OUT/output.txt" 2>&1 </dev/null
}

# Which ways there are: fills WAYS and adds to SKIPPED (and writes the reasons down). Only tasks and
# Open MPI may be missing.
find_ways() {
    local way
    WAYS=()
    for way in processes tasks threads ${READY:+openmpi}; do
        if (start "$way" S 2 1); then
            WAYS+=("$way")
        elif [ "$way" = tasks ]; then
            SKIPPED=$((SKIPPED + 1))
            echo "$way: $(head -n 1 "$OUT/output.txt")" | tee -a "$OUT/skipped.txt" |
                sed 's/^/bench: skipped /' >&2
        else
            fail "trial of $way: $(head -n 1 "$OUT/output.txt")"
        fi
        cat "$OUT/output.txt" >>"$OUT/log.txt"
    done
}

descendants() { # descendants PID: and itself
    local child
    echo "$1"
    for child in $(cat "/proc/$1"/task/*/children 2>/dev/null); do
        descendants "$child"
    done
}

# KiB of memory and of page tables of a process and its descendants; fails while one of them ends.
sample() { # sample PID
    local files=() spaces pid
    # shellcheck disable=SC2046
    spaces="$("$ROOT/target/bench-programs/footprint" spaces $(descendants "$1"))" || return 1
    for pid in $(sed 's/.* mm //' <<<"$spaces" | sort -u); do
        files+=("/proc/$pid/smaps_rollup" "/proc/$pid/status")
    done
    awk '/^Pss:/ { memory += $2 } /^VmPTE:/ { tables += $2 } END { print memory, tables }' \
        "${files[@]}"
}

# One line of memory.tsv: way, ranks, and the highest KiB of memory and of page tables.
measure() { # measure ROUND WAY RANKS
    local job end=$((SECONDS + LIMIT)) code=0
    echo "# $(date +%T) round $*" >>"$OUT/log.txt"
    start "$2" "$CLASS" "$3" 5 &
    job=$!
    while kill -0 "$job" 2>/dev/null && [ "$SECONDS" -lt "$end" ]; do
        sample "$job" 2>/dev/null || true
        sleep 0.05
    done >"$OUT/samples"
    [ "$SECONDS" -lt "$end" ] || kill "$job"
    wait "$job" || code=$?
    cat "$OUT/output.txt" >>"$OUT/log.txt"
    [ "$code" = 0 ] || { fail "$2, $3 ranks, round $1 (code $code)"; return 0; }
    awk -v way="$2" -v ranks="$3" '
        $1 > memory { memory = $1 }
        $2 > tables { tables = $2 }
        END { if (!NR) exit 1; print way "\t" ranks "\t" memory "\t" tables "\t" NR }
        ' "$OUT/samples" >>"$OUT/memory.tsv" || fail "$2, $3 ranks, round $1: no sample"
}

table() {
    echo "# Memory of IS, class $CLASS"
    echo
    echo "MB (2^20 bytes) of all processes of a job, and for each rank: medians of $ROUNDS rounds."
    echo
    echo "| ranks | ranks are | memory | each | page tables | each |"
    echo "| --- | --- | --- | --- | --- | --- |"
    sort -t "$(printf '\t')" -k 2,2n -k 1,1 "$OUT/memory.tsv" | awk -F '\t' '
    function middle(list,    value, n, i, j, t) {
        n = split(list, value, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && value[j - 1] + 0 > value[j] + 0; j--) {
                t = value[j]; value[j] = value[j - 1]; value[j - 1] = t
            }
        return value[int((n + 1) / 2)] / 1024
    }
    {
        key = $2 " | " $1
        if (!(key in ranks)) keys[++count] = key
        ranks[key] = $2
        memory[key] = memory[key] " " $3
        tables[key] = tables[key] " " $4
    }
    END {
        for (k = 1; k <= count; k++) {
            key = keys[k]
            printf "| %s | %.1f | %.1f | %.2f | %.2f |\n", key, middle(memory[key]),
                middle(memory[key]) / ranks[key], middle(tables[key]),
                middle(tables[key]) / ranks[key]
        }
    }'
    echo
    [ ! -s "$OUT/skipped.txt" ] || sed 's/^/Skipped: /' "$OUT/skipped.txt"
    [ ! -s "$OUT/failed.txt" ] || sed 's/^/Failed: /' "$OUT/failed.txt"
    sed 's/^/    /' "$OUT/environment.txt"
}

main() {
    local round ranks way FAILED=0
    parse "$@"
    open_session
    rm -f "$OUT"/{memory.md,memory.tsv,failed.txt,skipped.txt,log.txt}
    touch "$OUT"/{memory.tsv,failed.txt,skipped.txt,log.txt}
    build_hayate
    JAVA="$(. "$ROOT/scripts/lib/setup.sh" && echo "$(hy_find_jdk)/bin/java")"
    CLASSPATH="$(. "$ROOT/scripts/lib/setup.sh" && hy_examples_classpath)"
    {
        environment
        printf '%s\n' "rounds=$ROUNDS" "class=$CLASS"
    } >"$OUT/environment.txt"
    ADAPTERS=nas-openmpi
    prepare
    find_ways
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS: ${WAYS[*]}"
        for ranks in $RANKS; do
            for way in "${WAYS[@]}"; do
                measure "$round" "$way" "$ranks"
            done
        done
    done
    rm -f "$OUT"/{samples,output.txt}
    table >"$OUT/memory.md"
    cat "$OUT/memory.md"
    say "$SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
