#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 1200
# hydra makes two nodes of this machine. The delegatee of each has a device at its end of a cable,
# and carries the messages of all ranks of the node. That they go through the cable, the counter of
# its far end tells. deleg_conformance_test runs all collectives over TCP, on the host: here those
# run whose traffic differs.
set -uo pipefail
plain=/hayate/target/ctest/plain
export HAYATE_NET=verbs HAYATE_HEAP=64M HAYATE_TUNING=none HAYATE_WAIT=block
export HAYATE_TEST_LIGHT=1
export HAYATE_NET_SILENCE=60 # a device asks again for 7.5 s: others use the processors, too
own_device='[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d exec "$0" "$@"'
passed=0 failed=0

run() { # run RANKS PROGRAM..: so many on each node
    local rc=0 begun=$SECONDS
    timeout -k 5 500 mpiexec.hydra -launcher fork -hosts left,right -n 2 sh -c "$own_device" \
        $plain/hayate-run --delegate -n "$1" -- "$plain/bin/$2" "${@:3}" </dev/null || rc=$?
    echo "$2 with $1 ranks on each node: exit $rc, $((SECONDS - begun)) s"
    if ((rc == 0)); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

far() {
    cat /sys/class/net/eth1/statistics/rx_packets
}

before=$(far)
run 1 fmpl/push_program absent
run 2 deleg/offload_program
run 1 fmpl/conformance_program
run 2 fmpl/collectives_program should_run_any_row_of_collectives should_split_again_and_again \
    should_move_blocks_of_unequal_length should_complete_started_collectives_of_two_sides
run 1 ompl/ompl_program zeros lengths last-byte started vectors sleepers woken one-word compare
sent=$(($(far) - before))
echo "$sent packets"
if ((sent > 1000)); then passed=$((passed + 1)); else failed=$((failed + 1)); fi
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0 && passed > 0))
