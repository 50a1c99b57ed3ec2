#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the tables behind docs/PERFORMANCE.md and docs/PAPERS.md, and writes each one to
# docs/figures: its command, commit, machine and date, then the table. What they mean, what was
# wanted and why something is missed, is written by hand in the two documents.
# Usage: performance.sh [--list | --again] [--dirty] [REGEX]
#   --list    the names and commands; nothing is measured
#   --again   nothing is measured: the results of the last runs, from target/performance
#   --dirty   also figures of sources that no commit has; they say so
#   REGEX     only the figures whose name or command matches; the others stay as they are
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"

# figures FUNCTION: calls it with the NAME, TABLE, title and command of each figure. TABLE is a file
# in the directory that the command gets as --out, or, if it is "-", the end of what the command
# prints, after an empty line.
figures() {
    "$1" targets targets.md "Messages and collectives beside other libraries" \
        env SIZES=8,128,2048,8192,65536,131072,1048576,8388608 \
        scripts/bench.sh --quick --rounds 4 --no-jmh
    "$1" choices - "Choices of algorithms" scripts/hayate tune --check --quick
    "$1" growth growth.md "Growth" scripts/bench/growth.sh --ms 150
    "$1" farm farm.md "Any source, and a gather in one call" scripts/bench/farm.sh --rounds 5
    "$1" mpi mpi.md "The package mpi beside its peers" scripts/bench/mpi.sh --minutes 5
    "$1" collectives short.md "Persistent collectives" scripts/bench/coll.sh --minutes 5
    "$1" protocols short.md "Persistent collectives by protocol" \
        scripts/bench/coll.sh --ways --minutes 2.5
    "$1" footprint footprint.md "Memory of ranks" scripts/bench/footprint.sh
    "$1" delegation - "Messages between nodes, with and without delegation" \
        scripts/bench/figure.sh delegation
    "$1" alltoall - "Alltoall of 8 nodes, with and without delegation" \
        scripts/bench/figure.sh delegation --alltoall
    "$1" put-get put-get.md "Put against get, 4 and 16 ranks" scripts/bench/put-get.sh --rounds 3
    "$1" put-get-64 put-get.md "Put against get, 64 ranks" scripts/bench/put-get.sh --ranks 64
    "$1" ways ways.md "Messages by protocol" scripts/bench/ways.sh --rounds 3
    "$1" nas nas.md "NAS Parallel Benchmarks by protocol" scripts/bench/nas.sh --quick
    "$1" memory memory.md "Memory of IS" scripts/bench/memory.sh
    "$1" breakdown - "Parts of the time of a message" \
        scripts/hayate perf pingpong --breakdown --bytes 8,1K,4K,16K,64K
    "$1" blacs blacs.md "The BLACS and ScaLAPACK beside those over Open MPI" \
        scripts/bench/blacs.sh --rounds 3 --orders 2000
    "$1" reduce-barrier collectives.md "Reduce and barrier on 2 to 8 ranks" \
        scripts/bench/coll.sh --minutes 4 --ranks 2,3,4,5,6,7,8 --only '^(barrier|reduce)\b'
    "$1" threads short.md "Puts and messages of several threads" \
        scripts/bench/threads.sh --rounds 2 --bytes 8,512,4096,32768
}

mode=measure dirty=
while [[ ${1:-} == -* ]]; do
    case $1 in
    --list | --again) mode=${1#--} ;;
    --dirty) dirty=yes ;;
    *) hy_refuse "unknown option $1" ;;
    esac
    shift
done
(($# <= 1)) || hy_refuse "expected one regular expression"
only=${1:-.} results=$HY_ROOT/target/performance

# The words of a command, as one can type them.
command_line() {
    local word line=
    for word; do
        [[ $word != *[!a-zA-Z0-9_./=,:+-]* ]] || word="'$word'"
        line+="${line:+ }$word"
    done
    echo "$line"
}

wanted() { # wanted NAME COMMAND...
    grep -qE -- "$only" <<<"$1
$(command_line "${@:2}")"
}

list() { # list NAME TABLE TITLE COMMAND...
    ! wanted "$1" "${@:4}" || printf '%-15s %s\n' "$1" "$(command_line "${@:4}")"
}

commit() {
    echo "$(git rev-parse --short=10 HEAD)$([ -z "$(git status --porcelain)" ] || echo -dirty)"
}

# Figures mean nothing without it.
circumstances() { # circumstances COMMAND...
    printf '    command  %s\n    commit   %s\n    machine  %s CPUs of %s\n    date     %s\n' \
        "$(command_line "$@")" "$(commit)" "$(nproc)" \
        "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" "$(date -u +%F)"
}

measure() { # measure NAME TABLE TITLE COMMAND...
    local dir=$results/$1 words=("${@:4}") before
    wanted "$1" "${words[@]}" || return 0
    mkdir -p "$dir"
    rm -f "$dir/circumstances.txt"
    [ "$2" = - ] || words+=(--out "$dir")
    before=$(circumstances "${@:4}")
    hy_say "$(command_line "${@:4}")"
    if "${words[@]}" >"$dir/out.txt" 2>"$dir/errors.txt" </dev/null; then
        echo "$before" >"$dir/circumstances.txt"
    else
        hy_say "FAILED: $1; see $dir"
        failed=1
    fi
}

table() { # table NAME TABLE
    if [ "$2" = - ]; then
        printf '```\n%s\n```\n' "$(awk -v RS= 'END { print }' "$results/$1/out.txt")"
    else
        sed '/^# /d; /^!\[/d; /^    /d' "$results/$1/$2" | cat -s | sed '1{/^$/d}'
    fi
}

write() { # write NAME TABLE TITLE COMMAND...
    local dir=$results/$1 mark=
    wanted "$1" "${@:4}" && [ -e "$dir/circumstances.txt" ] || return 0
    if grep -q '^    commit .*-dirty$' "$dir/circumstances.txt"; then
        if [ -z "$dirty" ]; then
            hy_say "FAILED: $1 was measured on sources that no commit has (--dirty accepts it)"
            failed=1
            return
        fi
        mark=$'**To be measured again**: the sources had changes that no commit has.\n\n'
    fi
    mkdir -p docs/figures
    printf '# %s\n\n%s\n\n%s%s\n\n%s\n' "$3" "$(cat "$dir/circumstances.txt")" "$mark" \
        "What it means: [PERFORMANCE](../PERFORMANCE.md), [PAPERS](../PAPERS.md)." \
        "$(table "$1" "$2")" >"docs/figures/$1.md"
}

[ -n "$(figures list)" ] || hy_die "no figure's name or command matches '$only'"
failed=0
case $mode in
list)
    figures list
    exit
    ;;
measure)
    [ -n "$dirty" ] || [[ $(commit) != *-dirty ]] ||
        hy_die "commit first, so that the figures are those of a commit, or give --dirty"
    hy_need
    hy_build
    figures measure
    ;;
esac
figures write # not before, as the figures themselves are changes that no commit has
exit $failed
