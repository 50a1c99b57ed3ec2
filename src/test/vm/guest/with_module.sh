#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Inside the machine, in a folder with hayate.ko: what the runtime does over the module, in C and
# from Java. Last line: "N passed, N failed, N skipped".
set -uo pipefail
target=/hayate/target
passed=0 failed=0 skipped=0

count() { # count WHAT PASSED FAILED SKIPPED
    passed=$((passed + $2)) failed=$((failed + $3)) skipped=$((skipped + $4))
    echo "$1: $2 passed, $3 failed, $4 skipped"
}

c_test() { # c_test NAME
    local out rc=0 skip bad
    out=$(CMOCKA_MESSAGE_OUTPUT=TAP HAYATE_TEST_MODULE=1 \
        timeout 400 $target/ctest/plain/bin/path/kmod/"$1" 2>&1) || rc=$?
    skip=$(grep -c '^ok .*# SKIP' <<<"$out")
    bad=$(grep -c '^not ok' <<<"$out")
    ((rc == 0 || bad)) || bad=1
    ((bad == 0)) || echo "$out"
    count "$1" $(($(grep -c '^ok' <<<"$out") - skip)) "$bad" "$skip"
}

# ranks WAY CLASS [ARGUMENT..]: two of them, whose long messages go this way or not at all.
ranks() {
    HAYATE_RENDEZVOUS=$1 $target/hayate-run -n 2 --heap 4G --grace 30 -- java -Xmx256m \
        -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dhayate.test.share=$share \
        -cp "$target/test-classes:$target/vm/lib/*" \
        io.hayate.conformance."$2" "${@:3}"
}

# Each rank reports a line for each scenario, with its milliseconds.
scenarios() { # scenarios WAY CLASS..
    local out=/tmp/out rc=0 good begun bad
    ranks "$1" RankMain "${@:2}" >$out 2>&1 || rc=$?
    good=$(awk '$1 == "@hayate" && $4 == "PASSED" && ++ranks[$3] == 2' $out | wc -l)
    begun=$(awk '$1 == "@hayate" && !seen[$3]++' $out | wc -l)
    bad=$((begun - good))
    ((bad || rc == 0 && good > 0)) || bad=1
    ((bad == 0)) || tail -n 40 $out
    awk '$1 == "@hayate" && $2 == 0 && $4 == "PASSED" {
             sub(/\..*/, "", $3)
             ms[$3] += $5
         }
         END { for (class in ms) print class ": " ms[class] " ms" }' $out
    count "scenarios, $1" "$good" $bad 0
}

# A stream of messages whose receiver is killed: the sender is told, and not killed itself.
death() { # death WAY
    local out=/tmp/death victim='' tries=0
    ranks "$1" VictimMain sends stream >$out 2>&1 &
    until victim=$(sed -n 's/^READY 1 //p' $out) && [ -n "$victim" ] && grep -q '^READY 0' $out; do
        ((tries++ < 600)) || break
        sleep 0.1
    done
    sleep 1 # into the stream
    [ -z "$victim" ] || kill -9 "$victim"
    wait $!
    if grep -q '^FAILED 0 1 ' $out; then
        count "death, $1" 1 0 0
    else
        cat $out
        count "death, $1" 0 1 0
    fi
}

insmod hayate.ko || exit
for test in windows_test kmod_path_test attach_path_test; do
    c_test $test
done
# What moves data itself. Collectives send by what moves messages.
moving=(MessageScenarios SectionScenarios RequestScenarios MemoryScenarios)
share=0/8 # cases of the largest scenarios
scenarios copy "${moving[@]}"
death copy
share=1/8
scenarios attach "${moving[@]}"
death attach
rmmod hayate || count "the module is free again" 0 1 0
if dmesg | grep -A 30 -E "BUG:|WARNING:|Call Trace|refcount_t"; then
    count "the kernel's log is clean" 0 1 0
fi
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0 && passed > 0))
