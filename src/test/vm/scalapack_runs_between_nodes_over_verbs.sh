#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 900
# A program of Debian, as it is: ScaLAPACK's tester of LU. hydra makes two nodes of this machine,
# each with a device at its end of a cable, and a rank on each. Netlib's BLACS tester, which tries
# all calls, runs between nodes on the host: scripts/lab/blacs.sh.
set -uo pipefail
source /hayate/scripts/lib/netlib-testers.sh
export GFORTRAN_UNBUFFERED_PRECONNECTED=y OPENBLAS_NUM_THREADS=1
export HAYATE_NET=verbs HAYATE_HEAP=64M HAYATE_WAIT=block
export HAYATE_NET_SILENCE=60 # a device asks again for 7.5 s: others use the processors, too
nodes=(mpiexec.hydra -launcher fork -hosts left,right -n 2 sh -c
    '[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d LD_PRELOAD=$0 exec "$@"')
folder=/tmp/xdlu rc=0
hy_tester_data "$folder" 2
(cd "$folder" && exec timeout -k 5 400 "${nodes[@]}" /hayate/target/libhayate-blacs.so \
    "$hy_testers/xdlu" >out.txt 2>err.txt) || rc=$?
if ! hy_check_scalapack "$folder" $rc; then
    echo "exit $rc"
    tail -n 20 "$folder/out.txt" "$folder/err.txt"
    exit 1
fi
