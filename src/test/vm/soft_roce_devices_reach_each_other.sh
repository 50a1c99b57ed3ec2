#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma
# The counter of the far end of the cable tells that nothing was looped back.
set -euo pipefail
far() {
    cat /sys/class/net/eth1/statistics/rx_packets
}

before=$(far)
ibv_rc_pingpong -d rxe0 -g 1 -n 100 -c &
until ss -ltn | grep -q :18515; do
    kill -0 $!
    sleep 0.1
done
ibv_rc_pingpong -d rxe1 -g 1 -n 100 -c localhost
wait $!
(($(far) - before >= 100))
