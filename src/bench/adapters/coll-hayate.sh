#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
    compile_hayate hayate_player c/hayate_player.c c/player.c c/player_data.c c/samples.c
}

play() {
    hayate_run "$1" "$BENCH_BUILD/hayate_player" "$2" "$3"
}

dispatch "$@"
