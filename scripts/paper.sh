#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures a figure or table of one of the five papers that Hayate comes from, here.
# Usage: paper.sh --list | FIGURE [OPTION...]
#   --list     the figures, and the command of each
#   OPTION     of that command
# docs/PAPERS.md says what each shows, and what of it has been measured.
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"

# figures, then the command; the same command may make several figures.
figures() {
    cat <<'END'
000-fig9            scripts/bench/ways.sh
000-fig10           scripts/bench/coll.sh --ways
000-fig12 000-fig13 000-fig18 scripts/bench/nas.sh
000-fig14 000-fig15 scripts/bench/footprint.sh
000-tables4and5     scripts/bench/memory.sh
001-table1          scripts/hayate perf pingpong --breakdown --bytes 8,1K,4K,16K,64K
001-fig6 001-fig8   scripts/bench/blacs.sh
001-fig7 001-fig9   scripts/bench/coll.sh --ranks 2,3,4,5,6,7,8 --only ^(barrier|reduce)\b
002-fig4            scripts/hayate perf delegation --plot target/delegation.svg
002-fig5            scripts/hayate perf delegation --alltoall --plot target/alltoall.svg
002-fig6            scripts/hayate perf tables --plot target/tables.svg
003-fig1 003-fig2 003-fig3 003-fig7 003-fig8 scripts/bench/threads.sh --bytes 8,512,4096,32768
004-fig5 004-fig8   scripts/bench/put-get.sh --ranks 4
004-fig6 004-fig9   scripts/bench/put-get.sh --ranks 16
004-fig7 004-fig10  scripts/bench/put-get.sh --ranks 64
END
}

command_of() { # the command whose figures contain $1
    figures | awk -v figure="$1" '{
        found = 0
        for (i = 1; i <= NF && $i !~ /^scripts/; i++) if ($i == figure) found = 1
        if (found) { for (; i <= NF; i++) printf "%s ", $i; print "" }
    }'
}

case ${1:---list} in
--list) figures ;;
-*) hy_refuse "unknown option $1" ;;
*)
    command=$(command_of "$1")
    [ -n "$command" ] || hy_refuse "no figure $1; paper.sh --list names them"
    shift
    # shellcheck disable=SC2086 # words
    exec $command "$@"
    ;;
esac
