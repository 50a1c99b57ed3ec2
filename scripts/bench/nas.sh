#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the NAS Parallel Benchmarks in Java by each way of long messages, over the package mpi
# and over Open MPI, in turn; writes tables of run times relative to those by blocks.
set -euo pipefail

usage() {
    cat <<'END'
usage: scripts/bench/nas.sh [--rounds R] [--quick] [--only REGEX] [--out DIR] [--no-build]
                            [-- OPTION...]

  --rounds R     of everything, default 5; the middle one counts
  --quick        2 rounds of classes S and W on 2 ranks, of SP and BT on 4
  --only REGEX   only what matches, of lines such as "CG A 2 4096": benchmark, class, ranks, and
                 the longest message in bytes that does not wait for its receive
  --out DIR      where the results go, default target/bench-nas
  --no-build     measure Hayate as it is in target/, if it is there
  -- OPTION...   for the benchmarks, such as --persistent

The protocols: processes by "pipeline" (blocks through shared memory) and by "cma" (the kernel
copies), tasks of one address space by "direct" where those work, and ranks that are "threads" of
one JVM, all four from and into memory outside of the symmetric heap; and processes by "heap", from
and into the symmetric heap. Over MPI, the same programs with their messages by "mpi", Hayate's
package of that name, and by "openmpi", the Java binding of Open MPI: one class, from and into
direct buffers, by the protocols that each chooses itself; not with OPTIONs.

writes DIR/nas.md, nas.jsonl, environment.txt, skipped.txt, failed.txt and log.txt.
Ends with 0 when every measurement that was possible succeeded and was verified.
END
}

ROOT="$(cd "$(dirname "$0")/../.." && pwd)"
BENCH_SRC="$ROOT/src/bench"
ROUNDS="" QUICK=0 ONLY="." OUT="$ROOT/target/bench-nas" BUILD=1 INSTALL=0
PACKAGES="openjdk-17-jdk-headless maven gcc openmpi-bin libopenmpi-dev"
BENCHMARKS="IS CG MG FT SP BT LU" CLASSES="S W A" RANKS="2 4" SQUARES=4 LIMITS="4096 56"
. "$BENCH_SRC/lib/session.sh"

parse() {
    TAKES_REST=1
    option --rounds ROUNDS "$UP_TO_99" a number from 1 to 99
    option --only ONLY . a regular expression
    flag --quick QUICK 1
    parse_options "$@"
    if [ "$QUICK" = 1 ]; then
        ROUNDS="${ROUNDS:-2}" CLASSES="S W" RANKS=2
    fi
    ROUNDS="${ROUNDS:-5}"
}

# Those that the benchmark can be run on.
ranks_of() { # ranks_of BENCHMARK
    case "$1" in
        SP|BT) echo "$SQUARES" ;;
        *) echo "$RANKS" ;;
    esac
}

# In the same JVM; the median is past what the JIT compiler needs. SP, BT and LU make many steps.
repetitions() { # repetitions BENCHMARK CLASS
    case "$1 $2" in
        SP\ S|BT\ S|LU\ S) echo 10 ;;
        SP\ W|BT\ W|LU\ W) echo 3 ;;
        SP*|BT*|LU*) echo 1 ;;
        *\ S) echo 40 ;;
        *\ W) echo 15 ;;
        *) echo 5 ;;
    esac
}

# run WAY BENCHMARK CLASS RANKS LIMIT REPETITIONS: prints JSON.
run() {
    local way="$1" program="${2:0:1}" memory=direct launch=("$BENCH_HAYATE" run -n "$4") threads=()
    program+="$(tr '[:upper:]' '[:lower:]' <<<"${2:1}")"
    case "$way" in
        mpi) way=auto program="OverMpi $2" ;;
        openmpi)
            timeout -k 5 600 "$BENCH_SRC/adapters/nas-openmpi.sh" run "$2" "$4" --json \
                --class "$3" --repetitions "$6" --memory direct 2>>"${LOG:-$OUT/log.txt}" </dev/null
            return ;;
        direct) launch+=(--pvas) ;;
        threads) way=direct launch=(env) threads=(--threads "$4") ;;
        heap) memory=heap ;;
    esac
    # shellcheck disable=SC2086
    HAYATE_RENDEZVOUS="$way" HAYATE_EAGER_LIMIT="$5" timeout -k 5 600 \
        "${launch[@]}" -- "$JAVA" -XX:+UseSerialGC -cp "$CLASSPATH" \
        io.hayate.examples.nas.$program --json --class "$3" --repetitions "$6" \
        --memory "$memory" "${threads[@]}" "${REST[@]}" 2>>"${LOG:-$OUT/log.txt}" </dev/null
}

# Which ways there are: fills WAYS and adds to SKIPPED (and writes the reasons down). Those that
# every machine has cannot be missing: then something is wrong.
find_ways() {
    local way mpi=(mpi)
    [ -z "$READY" ] || mpi+=(openmpi)
    [ ${#REST[@]} = 0 ] || mpi=()
    WAYS=()
    for way in pipeline cma direct heap threads "${mpi[@]}"; do
        rm -f "$OUT/reason.txt"
        if LOG="$OUT/reason.txt" run "$way" IS S 2 4096 1 >/dev/null; then
            WAYS+=("$way")
        elif [ "$way" != cma ] && [ "$way" != direct ]; then
            fail "trial of $way: $(head -n 1 "$OUT/reason.txt")"
        else
            SKIPPED=$((SKIPPED + 1))
            echo "$way: $(head -n 1 "$OUT/reason.txt")" | tee -a "$OUT/skipped.txt" |
                sed 's/^/bench: skipped /' >&2
        fi
        cat "$OUT/reason.txt" >>"$OUT/log.txt"
    done
    rm -f "$OUT/reason.txt"
}

# One line of nas.jsonl: what was asked for, then what the benchmark says.
measure() { # measure ROUND WAY BENCHMARK CLASS RANKS LIMIT
    local result line
    echo "# $(date +%T) round $*" >>"$OUT/log.txt"
    result="$(run "${@:2}" "$(repetitions "$3" "$4")")" || { fail "round $* (code $?)"; return 0; }
    line="$(grep -m 1 '^{' <<<"$result")" || { fail "round $*: no result"; return 0; }
    echo "{\"round\":$1,\"way\":\"$2\",\"eager_limit\":$6,${line:1}" >>"$OUT/nas.jsonl"
}

# All ways of one case one after the other, each round beginning with another one.
measure_round() { # measure_round ROUND
    local limit benchmark class ranks i
    for limit in $LIMITS; do
        for benchmark in $BENCHMARKS; do
            for class in $CLASSES; do
                for ranks in $(ranks_of "$benchmark"); do
                    [[ "$benchmark $class $ranks $limit" =~ $ONLY ]] || continue
                    for i in "${!WAYS[@]}"; do
                        measure "$1" "${WAYS[(i + $1) % ${#WAYS[@]}]}" \
                            "$benchmark" "$class" "$ranks" "$limit"
                    done
                done
            done
        done
    done
}

# Columns of nas.jsonl: limit, benchmark, class, ranks, way, round, seconds, share that waits.
columns() {
    awk -F'[:,]' '{
        for (i = 1; i < NF; i++) {
            gsub(/[{}"]/, "", $i)
            if (!(NR SUBSEP $i in value)) value[NR, $i] = $(i + 1)
        }
        n = split("eager_limit benchmark class ranks way round seconds communication", name, " ")
        for (i = 1; i <= n; i++) {
            gsub(/"/, "", value[NR, name[i]])
            printf "%s%s", value[NR, name[i]], i < n ? "\t" : "\n"
        }
    }' "$OUT/nas.jsonl"
}

# Ratios are taken within each round; the middle one counts.
table() { # table LIMIT
    columns | awk -F'\t' -v limit="$1" -v ways="${WAYS[*]}" '
    function sort(list, n,    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[j - 1] > list[j]; j--) {
                t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
            }
    }
    function middle(list, n) {
        return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    function cell(key, way,    n, r, unit, list, shape) {
        n = 0
        for (r = 1; r <= rounds; r++) {
            if (!((key, way, r) in time && (key, "pipeline", r) in time)) continue
            unit = way == "pipeline" ? 1e-3 : time[key, "pipeline", r]
            list[++n] = time[key, way, r] / unit
        }
        if (!n) return " -"
        sort(list, n)
        shape = way == "pipeline" ? " %.1f ms (%.1f .. %.1f)" : " %.3f (%.3f .. %.3f)"
        return sprintf(shape, middle(list, n), list[1], list[n])
    }
    $1 == limit {
        key = $2 " | " $3 " | " $4
        if (!(key in seen)) { seen[key] = 1; keys[++count] = key }
        time[key, $5, $6] = $7
        if ($5 == "pipeline") { share[key] += $8; shares[key]++ }
        if ($6 + 0 > rounds) rounds = $6 + 0
    }
    END {
        if (!count) exit
        n = split(ways, way, " ")
        printf "\n## Eager limit %d bytes\n\n| | class | ranks | messages |", limit
        for (i = 1; i <= n; i++) printf " %s |", way[i]
        printf "\n| --- | --- | --- | --- |"
        for (i = 1; i <= n; i++) printf " --- |"
        print ""
        for (k = 1; k <= count; k++) {
            key = keys[k]
            printf "| %s | %.0f %% |", key, shares[key] ? 100 * share[key] / shares[key] : 0
            for (i = 1; i <= n; i++) printf "%s |", cell(key, way[i])
            print ""
        }
    }'
}

summary() {
    local limit
    echo "# NAS Parallel Benchmarks in Java by protocols of long messages, and over MPI"
    echo
    echo "Run time by *pipeline* (median, least and most of $ROUNDS rounds), and that by the other"
    echo "protocols relative to it in the same round: below 1 is faster. *messages*: the share of"
    echo "the time by *pipeline* that ranks are in calls that move data or wait for them."
    for limit in $LIMITS; do
        table "$limit"
    done
    echo
    sed 's/^/    /' "$OUT/environment.txt"
}

main() {
    local round FAILED=0
    parse "$@"
    open_session
    rm -f "$OUT"/{nas.md,nas.jsonl,failed.txt,skipped.txt,log.txt}
    touch "$OUT"/{nas.jsonl,failed.txt,skipped.txt,log.txt}
    build_hayate
    JAVA="$(. "$ROOT/scripts/lib/setup.sh" && echo "$(hy_find_jdk)/bin/java")"
    CLASSPATH="$(. "$ROOT/scripts/lib/setup.sh" && hy_examples_classpath)"
    CLASSPATH+=":$ROOT/target/bench-classes:$ROOT/target/mpi-classes"
    ADAPTERS=nas-openmpi
    prepare
    {
        environment
        printf '%s\n' "rounds=$ROUNDS" "only=$ONLY" "options=${REST[*]}"
    } >"$OUT/environment.txt"
    find_ways
    for round in $(seq "$ROUNDS"); do
        say "round $round of $ROUNDS: ${WAYS[*]}"
        measure_round "$round"
    done
    echo "load_at_end=$(cut -d' ' -f1-3 /proc/loadavg)" >>"$OUT/environment.txt"
    summary >"$OUT/nas.md"
    cat "$OUT/nas.md"
    say "$SKIPPED skipped, $FAILED failures; see $OUT"
    [ "$FAILED" = 0 ]
}

main "$@"
