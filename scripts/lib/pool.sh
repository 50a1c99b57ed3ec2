# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Tests beside each other, for scripts that end with "N passed, N failed, N skipped"; sourced.
#   hy_pool_start FOLDER        FOLDER is for how they end
#   hy_pool_run FUNCTION ARG..  in the background, once fewer than TEST_JOBS (the number of
#                               processors) are running. What it prints is printed when it ends.
#   hy_pool_count PASSED FAILED SKIPPED    how FUNCTION says how it ended; or what failed before it
#   hy_pool_alone               waits for all; from now on one runs at a time
#   hy_pool_end                 waits for all and prints that line; fails when a test failed, or
#                               none passed
# A FUNCTION that does not return 0, or does not return, is a failure of its own. A process of it
# that leads a group, as timeout does, is started by "setpriv --pdeathsig TERM": nothing outlives
# the script.

hy_pool_start() {
    hy_pool=$PWD/$1 hy_pool_jobs=${TEST_JOBS:-$(nproc)} hy_pool_number=0
    rm -rf "$hy_pool"
    mkdir -p "$hy_pool/said" "$hy_pool/lost"
    : >"$hy_pool/counts"
    trap 'for job in $(jobs -p); do kill -- "-$job" 2>/dev/null || true; done' EXIT
}

hy_pool_run() {
    while (($(jobs -pr | wc -l) >= hy_pool_jobs)); do
        wait -n || true
    done
    hy_pool_number=$((hy_pool_number + 1))
    echo "$*" >"$hy_pool/lost/$hy_pool_number"
    set -m # a process group of its own, which ends with the script
    hy_pool_job "$@" &
    set +m
}

hy_pool_job() {
    trap 'hy_pool_print' EXIT
    "$@" >"$hy_pool/said/$hy_pool_number" 2>&1 </dev/null
    rm "$hy_pool/lost/$hy_pool_number"
}

# In one piece.
hy_pool_print() {
    flock 9
    cat "$hy_pool/said/$hy_pool_number"
} 9>"$hy_pool/print"

hy_pool_alone() {
    wait
    hy_pool_jobs=1
}

hy_pool_count() {
    echo "$@" >>"$hy_pool/counts"
}

hy_pool_end() {
    local file
    wait
    for file in "$hy_pool"/lost/*; do
        [ -e "$file" ] || continue
        echo "FAILED: no result of $(cat "$file")"
        hy_pool_count 0 1 0
    done
    awk '{ passed += $1; failed += $2; skipped += $3 }
         END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
               exit failed > 0 || passed == 0 }' "$hy_pool/counts"
}
