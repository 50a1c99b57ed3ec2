#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# BENCH_WAY is the way that data take from memory outside of the heap (pipeline, cma, direct), or
# "delegated"; the player then has the series of that name only.
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    need_hayate
    compile_hayate hayate_player c/hayate_player.c c/player.c c/player_data.c c/samples.c
}

play() {
    local options=()
    case "${BENCH_WAY:-}" in
        delegated) options=(--delegate) ;;
        direct) options=(--pvas -x HAYATE_RENDEZVOUS=direct) ;;
        pipeline | cma) options=(-x HAYATE_RENDEZVOUS="$BENCH_WAY") ;;
    esac
    hayate_run "$1" "${options[@]}" -- "$BENCH_BUILD/hayate_player" "$2" "$3"
}

dispatch "$@"
