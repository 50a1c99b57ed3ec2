#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The player of coll-hayate.sh, which is prepared before, in a job with a delegatee.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    [ -x "$BENCH_BUILD/hayate_player" ] || skip "its player is missing, see coll-hayate"
}

play() {
    export BENCH_DELEGATED=1
    hayate_run "$1" "$BENCH_BUILD/hayate_player" "$2" "$3"
}

dispatch "$@"
