#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counts the instructions of a message of 8 bytes between two nodes, with delegatees and without, by
# callgrind of valgrind: those of processes, not those of the kernel. Unlike times, they do not
# depend on what else the machine does. Between the nodes is libfabric's tcp.
# Usage: instructions.sh [MESSAGES]    default 1000; more make no difference
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
messages=${1:-1000}
[[ $messages =~ ^[1-9][0-9]{0,5}$ ]] || hy_refuse "$messages is no number of messages"
hy_need test
hy_want valgrind libfabric1
command -v callgrind_annotate >/dev/null || hy_die "no valgrind: apt-get install valgrind"

program=target/ctest/plain/bin/deleg/deleg_instructions_program
make -s -f scripts/lib/ctest.mk VARIANT=plain FLAGS=-O2 TESTS= "$program"
profile=$(mktemp)
trap 'rm -f "$profile" "$profile.log"' EXIT
valgrind --tool=callgrind --callgrind-out-file="$profile" --collect-atstart=no \
    --toggle-collect=counted "$program" "$messages" >"$profile.log" 2>&1 ||
    { cat "$profile.log" >&2; hy_die "the program failed"; }
grep '^plain:\|^delegated:' "$profile.log"
callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$profile" |
    awk -v messages="$messages" '
        match($0, /_program.c:(plain|delegated)_(send|complete|arrive|post|carry) /) {
            name = substr($0, RSTART + 11, RLENGTH - 12)
            instructions = $1
            gsub(",", "", instructions)
            count[name] = instructions / messages
        }
        function row(text, plain, delegated) {
            printf "%-52s %8.0f %10.0f\n", text, plain, delegated
        }
        END {
            printf "%-52s %8s %10s\n", "instructions of a message of 8 bytes", "none", "delegatees"
            row("rank that sends: begins it", count["plain_send"], count["delegated_post"])
            row("the network there: sends, or looks what has left", count["plain_complete"],
                count["delegated_carry"])
            row("the network at the receiver", count["plain_arrive"], count["delegated_arrive"])
            plain = count["plain_send"] + count["plain_complete"] + count["plain_arrive"]
            delegated = count["delegated_post"] + count["delegated_carry"] + \
                count["delegated_arrive"]
            row("all", plain, delegated)
            exit !(plain && delegated)
        }'
