#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 900
# Programs of Debian, as they are: netlib's BLACS tester, and ScaLAPACK's of LU. hydra makes two
# nodes of this machine, each with a device at its end of a cable, and a rank on each.
set -uo pipefail
source /hayate/scripts/lib/netlib-testers.sh
export GFORTRAN_UNBUFFERED_PRECONNECTED=y OPENBLAS_NUM_THREADS=1
export HAYATE_NET=verbs HAYATE_HEAP=64M HAYATE_WAIT=block
blacs=/hayate/target/libhayate-blacs.so
nodes=(mpiexec.hydra -launcher fork -hosts left,right -n 2 sh -c
    '[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d LD_PRELOAD=$0 exec "$@"')
passed=0 failed=0

run() { # run PRELOADS CHECK PROGRAM
    local folder=/tmp/$3 rc=0 why
    hy_tester_data "$folder" 2
    (cd "$folder" && exec timeout -k 5 400 "${nodes[@]}" "$1" "$hy_testers/$3" \
        >out.txt 2>err.txt) || rc=$?
    if why=$("$2" "$folder" $rc); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$3: $why; exit $rc"
        tail -n 20 "$folder/out.txt" "$folder/err.txt"
    fi
}

run $blacs:/hayate/target/ctest/plain/bin/netlib/mpi.so hy_check_blacs xCbtest
run $blacs hy_check_scalapack xdlu
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0 && passed > 0))
