#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures a figure or table of one of the five papers that Hayate comes from, here, and prints what
# the paper has measured, where it gives numbers.
# Usage: paper.sh --list | FIGURE [OPTION...]
#   --list     the figures, and the command of each
#   OPTION     of that command, beside or instead of those that --list shows; --help lists them
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
002-fig4            scripts/bench/figure.sh delegation --plot target/delegation.svg
002-fig5            scripts/bench/figure.sh delegation --alltoall --plot target/alltoall.svg
002-fig6            scripts/bench/figure.sh tables --plot target/tables.svg
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

# What the paper gives in numbers, of machines that are not this one.
in_the_paper() {
    case $1 in
    000-fig14 | 000-fig15) echo "240 ranks: tasks take 264 MB less than processes" ;;
    000-tables4and5) cat <<'END' ;;
IS of class A, 128 ranks              processes   tasks
  eager up to 4 KB: memory, MB              547     517
                    page tables, MB          51      31
                    Mop/s                 432.6   434.0
  all rendezvous:   memory, MB              524     503
                    page tables, MB          41      31
                    Mop/s                 377.2   406.5
END
    001-table1) cat <<'END' ;;
8 bytes                 begin   header   data
  sender, us              0.5      5.0    8.1
  receiver, us            0.5      6.1    5.6
END
    002-fig4) echo "polling adds 1 to 3 us to a message, interrupts 50 to 100 us" ;;
    esac | sed '1s/^/\nin the paper:\n/'
}

# Takes the options that were given off those that the command has.
drop_given() {
    local i option
    for option; do
        [[ $option == --* ]] || continue
        for i in "${!words[@]}"; do
            [ "${words[i]}" = "$option" ] || continue
            unset "words[i]"
            [[ ${words[i + 1]:---} == --* ]] || unset "words[i + 1]"
            break
        done
    done
}

case ${1:---list} in
--list) figures ;;
-*) hy_refuse "unknown option $1" ;;
*)
    command=$(command_of "$1")
    [ -n "$command" ] || hy_refuse "no figure $1; paper.sh --list names them"
    figure=$1
    shift
    [[ $figure != 002-fig[45] ]] || hy_want mpich # mpiexec.hydra
    read -r -a words <<<"$command"
    drop_given "$@"
    code=0
    "${words[@]}" "$@" || code=$?
    in_the_paper "$figure"
    exit $code
    ;;
esac
