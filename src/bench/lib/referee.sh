# SPDX-License-Identifier: Apache-2.0
# The referee, which has players measure in turn (src/bench/README.md). Sourced, never run, behind
# session.sh.

build_referee() {
    (cd "$BENCH_SRC/c" && gcc -std=gnu11 -O2 -Wall -Wextra -Werror -o "$BENCH_BUILD/referee" \
        referee.c referee_players.c referee_overlap.c samples.c -lm) >>"$OUT/log.txt" 2>&1 ||
        { say "cannot build the referee, see log.txt"; exit 1; }
}

# run_referee REPETITION RANKS SECONDS SERIES FILE OPTION...: with the commands in PLAYERS; appends
# its lines to FILE.
run_referee() {
    local repetition="$1" ranks="$2" play players=()
    for play in "${PLAYERS[@]}"; do
        players+=(--player "$play")
    done
    [ ${#players[@]} -gt 0 ] || { fail "there is no implementation to measure"; return 0; }
    rm -rf "$BENCH_BUILD/pipes"
    mkdir "$BENCH_BUILD/pipes"
    echo "# $(date +%T) repetition $repetition: $ranks ranks, ${*:6}" >>"$OUT/log.txt"
    timeout -k 5 900 "$BENCH_BUILD/referee" --ranks "$ranks" --folder "$BENCH_BUILD/pipes" \
        --repetition "$repetition" --series "$4" --seconds "$3" \
        --line "'$BENCH_BUILD/raw_bench' pingpong --ms 5 2>/dev/null" "${players[@]}" "${@:6}" \
        >>"$5" 2>>"$OUT/log.txt" </dev/null ||
        fail "repetition $repetition, $ranks ranks, ${*:6} (code $?)"
}
