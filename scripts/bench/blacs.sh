#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the BLACS and ScaLAPACK over Hayate and over Open MPI, in turn, with the same programs,
# linked with Debian's libscalapack-openmpi: src/bench/c/blacs_bench.c, scalapack_bench.c; pdgesv
# also from Java (the example DenseSolve). With 2 ranks the same matrices also go as plain messages
# of FMPL and of MPI (blacs_messages.c), and through shared memory alone (blacs_limit.c).
# Writes DIR/blacs.md, results.txt, and plots (PNG, SVG). In the table are medians over the rounds;
# the ratio is the median of those of each round.
# Usage: blacs.sh [--rounds R] [--seconds S] [--ranks "2 4"] [--orders "1000 2000"] [--out DIR]
#   --rounds R    default 5
#   --seconds S   time for each line of the BLACS in a round, default 0.2; 0: none of them
#   --orders      of the matrices of ScaLAPACK, default "1000 2000 4000"; "-": none
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
rounds=5 seconds=0.2 ranks="2 4" orders="1000 2000 4000" out=$HY_ROOT/target/bench-blacs
while (($#)); do
    value=${2:-}
    case $1 in
    --rounds) rounds=$value ;;
    --seconds) seconds=$value ;;
    --ranks) ranks=$value ;;
    --orders) orders=${value#-} ;;
    --out) out=$value ;;
    *) hy_refuse "unknown option $1" ;;
    esac
    [ -n "$value" ] || hy_refuse "$1 needs a value"
    shift 2
done
hy_need
hy_want libscalapack-openmpi-dev openmpi-bin libopenmpi-dev
hy_build
[ -e "/usr/lib/$(gcc -dumpmachine)/libscalapack-openmpi.so" ] && command -v mpirun >/dev/null ||
    hy_die "libscalapack-openmpi-dev and openmpi-bin are not installed"
command -v mpicc.openmpi >/dev/null || hy_die "libopenmpi-dev is not installed"

mkdir -p "$out"
out=$(cd "$out" && pwd)
: >"$out/results.txt"
: >"$out/log.txt"
export OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# libmpi is there as a library of libscalapack; its development files need not be.
scalapack=(-lscalapack-openmpi -Wl,--allow-shlib-undefined)
gcc=(gcc -O2 -std=gnu11 -Isrc/main/c/include)
c=src/bench/c
"${gcc[@]}" $c/blacs_bench.c -o "$out/blacs_bench" "${scalapack[@]}"
pair=(-DPOINT_TO_POINT_ONLY $c/blacs_bench.c $c/blacs_pair.c)
"${gcc[@]}" "${pair[@]}" $c/blacs_limit.c -o "$out/blacs_limit"
messages=("${pair[@]}" $c/blacs_messages.c)
"${gcc[@]}" "${messages[@]}" $c/messages_fmpl.c -o "$out/blacs_fmpl" -Ltarget -lhayate
mpicc.openmpi -O2 -std=gnu11 -Isrc/main/c/include "${messages[@]}" src/bench/mpi/messages_mpi.c \
    -o "$out/blacs_mpi"
"${gcc[@]}" $c/scalapack_bench.c $c/blacs_time.c -o "$out/scalapack_bench" "${scalapack[@]}"

# measure ROUND WHAT RANKS COMMAND..: adds "ROUND WHAT RANKS case number microseconds [percent]".
measure() {
    local round=$1 what=$2 ranks=$3
    shift 3
    "$@" 2>>"$out/log.txt" | sed "s/^/$round $what $ranks /" >>"$out/results.txt" ||
        { hy_say "$what on $ranks ranks failed: $out/log.txt"; failed=$((failed + 1)); }
}

# What else carries the matrices of the ping-pong.
between_two() { # between_two ROUND
    measure "$1" fmpl 2 env LD_LIBRARY_PATH=target target/hayate-run -n 2 -- "$out/blacs_fmpl" \
        "$seconds"
    measure "$1" mpi 2 mpirun --oversubscribe -n 2 "$out/blacs_mpi" "$seconds"
    measure "$1" limit 2 "$out/blacs_limit" "$seconds"
}

# The best of as many runs as in scalapack_bench.c.
java_gesv() { # java_gesv RANKS ORDER
    scripts/hayate run -n "$1" -- "$JAVA_HOME/bin/java" -cp "$(hy_examples_classpath)" \
        io.hayate.examples.DenseSolve --rows "$2" --block 64 --repeat 3 --json |
        sed -n "s/.*\"seconds\": *\([0-9.eE-]*\).*/\1/p" |
        awk -v n="$2" '{ printf "pdgesv %d %.0f\n", n, $1 * 1e6 }'
}

failed=0
for ((round = 1; round <= rounds; round++)); do
    for n in $ranks; do
        if [ "$seconds" != 0 ]; then
            measure $round hayate "$n" target/hayate-run --blacs -n "$n" -- \
                "$out/blacs_bench" "$seconds"
            measure $round openmpi "$n" mpirun --oversubscribe -n "$n" \
                "$out/blacs_bench" "$seconds"
            [ "$n" != 2 ] || between_two $round
        fi
        for order in $orders; do
            measure $round hayate "$n" target/hayate-run --blacs -n "$n" -- \
                "$out/scalapack_bench" "$order"
            measure $round java "$n" java_gesv "$n" "$order"
            measure $round openmpi "$n" mpirun --oversubscribe -n "$n" \
                "$out/scalapack_bench" "$order"
        done
    done
done

# Columns of results.txt: round, library, ranks, case, bytes or order, microseconds, percent.
awk '
function median(list, n,    i, j, x) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
            x = list[j]; list[j] = list[j - 1]; list[j - 1] = x
        }
    return n ? (n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2) : 0
}
function middle(from, library, key,    i, list, n) { # over the rounds
    for (i = 1; i <= rounds; i++)
        if ((key, library, i) in from) list[++n] = from[key, library, i]
    return n ? median(list, n) : ""
}
function ratio(a, b, key,    i, list, n) {
    for (i = 1; i <= rounds; i++)
        if ((key, a, i) in time && time[key, b, i] > 0)
            list[++n] = time[key, a, i] / time[key, b, i]
    return n ? sprintf("%.2f", median(list, n)) : ""
}
function number(value, form) { return value == "" ? "" : sprintf(form, value) }
{
    key = $3 " | " $4 " | " $5
    time[key, $2, $1] = $6
    if (NF > 6) share[key, $2, $1] = $7
    if (!(key in known)) { known[key]; keys[++n] = key }
    if ($1 > rounds) rounds = $1
}
END {
    print "| ranks | case | bytes or order | Hayate us | Open MPI us | ratio | FMPL us | MPI us |" \
        " limit us | in the BLACS: Hayate % | Open MPI % | Java / C |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= n; k++) {
        key = keys[k]
        printf "| %s | %.2f | %s | %s | %s | %s | %s | %s | %s | %s |\n", key,
            middle(time, "hayate", key), number(middle(time, "openmpi", key), "%.2f"),
            ratio("hayate", "openmpi", key), number(middle(time, "fmpl", key), "%.2f"),
            number(middle(time, "mpi", key), "%.2f"), number(middle(time, "limit", key), "%.2f"),
            number(middle(share, "hayate", key), "%.1f"),
            number(middle(share, "openmpi", key), "%.1f"), ratio("java", "hayate", key)
    }
}' "$out/results.txt" | tee "$out/blacs.md"

"$JAVA_HOME/bin/java" -Djava.awt.headless=true -cp "$(hy_bench_classpath)" io.hayate.bench.Blacs \
    "$out" 2>>"$out/log.txt" || hy_die "no plots: $out/log.txt"
((failed == 0)) || hy_die "$failed measurements failed: $out/log.txt"
