#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the BLACS and ScaLAPACK over Hayate and over Open MPI, in turn: one program
# (src/bench/c/blacs_bench.c), linked with Debian's libscalapack-openmpi. Writes the table
# DIR/blacs.md with the medians over the rounds; the ratio is the median of those of each round.
# Usage: blacs.sh [--rounds R] [--seconds S] [--ranks "2 4"] [--orders "1000 2000"] [--out DIR]
#   --rounds R    default 5
#   --seconds S   time for each line of the small cases in a round, default 0.2; 0: none of them
#   --orders      of the matrices of pdgetrf, pdpotrf and pdgemm, default "1000 2000 4000"
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
rounds=5 seconds=0.2 ranks="2 4" orders="1000 2000 4000" out=$HY_ROOT/target/bench-blacs
while (($#)); do
    value=${2:?"blacs.sh: $1 needs a value"}
    case $1 in
    --rounds) rounds=$value ;;
    --seconds) seconds=$value ;;
    --ranks) ranks=$value ;;
    --orders) orders=$value ;;
    --out) out=$value ;;
    *) hy_die "blacs.sh: unknown option $1" ;;
    esac
    shift 2
done
hy_need
hy_want libscalapack-openmpi-dev openmpi-bin
hy_build
[ -e "/usr/lib/$(gcc -dumpmachine)/libscalapack-openmpi.so" ] && command -v mpirun >/dev/null ||
    hy_die "libscalapack-openmpi-dev and openmpi-bin are not installed"

mkdir -p "$out"
# libmpi is there as a library of libscalapack; its development files need not be.
gcc -O2 -std=gnu11 -Isrc/main/c/include src/bench/c/blacs_bench.c -o "$out/blacs_bench" \
    -lscalapack-openmpi -Wl,--allow-shlib-undefined
export OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

measure() { # measure ROUND LIBRARY RANKS
    local run=(target/hayate-run --blacs -n "$3" --)
    [ "$2" = hayate ] || run=(mpirun --oversubscribe -n "$3")
    # shellcheck disable=SC2086 # orders are words
    "${run[@]}" "$out/blacs_bench" "$seconds" $orders 2>>"$out/log.txt" |
        sed "s/^/$1 $2 $3 /" >>"$out/results.txt" || hy_say "$2 on $3 ranks failed: $out/log.txt"
}

: >"$out/results.txt"
: >"$out/log.txt"
for ((round = 1; round <= rounds; round++)); do
    for n in $ranks; do
        measure "$round" hayate "$n"
        measure "$round" openmpi "$n"
    done
done

# Columns: round, library, ranks, case, bytes or order, microseconds.
awk '
function median(list, n,    i, j, x) {
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && list[j] < list[j - 1]; j--) {
            x = list[j]; list[j] = list[j - 1]; list[j - 1] = x
        }
    return n ? (n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2) : 0
}
{
    key = $3 " " $4 " " $5
    time[key, $2, $1] = $6
    if (!(key in known)) { known[key]; keys[++n] = key }
    if ($1 > rounds) rounds = $1
}
END {
    print "| ranks | case | bytes or order | Hayate us | Open MPI us | ratio |"
    print "| --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= n; k++) {
        h = m = r = 0
        for (i = 1; i <= rounds; i++) {
            a = time[keys[k], "hayate", i]; b = time[keys[k], "openmpi", i]
            if (a != "") ours[++h] = a
            if (b != "") theirs[++m] = b
            if (a != "" && b > 0) ratio[++r] = a / b
        }
        split(keys[k], word, " ")
        printf "| %s | %s | %s | %.2f | %.2f | %.2f |\n", word[1], word[2], word[3],
            median(ours, h), median(theirs, m), median(ratio, r)
    }
}' "$out/results.txt" | tee "$out/blacs.md"
