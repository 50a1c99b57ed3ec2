#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 2400
# From Java, over soft-RoCE: hydra makes two nodes of this machine, so that the ranks of one reach
# those of the other by the network alone. Each node has a device of its own at its end of a cable,
# but over libfabric, whose connections are looked for by address, both have the first one.
set -uo pipefail
source /hayate/src/test/vm/guest/suite.sh
export HAYATE_HEAP=64M
nodes=(mpiexec.hydra -launcher fork -hosts left,right)
classes=MessageScenarios,CollectiveScenarios,OmplScenarios,OmplFlagScenarios
more=PersistentScenarios.shouldKeepManyAllreducesApart
more+=,PersistentScenarios.shouldKeepManyAlltoallsApart
more+=,TaskScenarios.shouldRunAChainThroughAllRanks
own_device='[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d exec "$0" "$@"'

echo "== verbs"
share=0/3
HAYATE_NET=verbs run_suite 2 $classes,$more "${nodes[@]}" -n 2 sh -c "$own_device"

# Collectives see no more of a network than messages and flags do.
echo "== verbs;ofi_rxm"
share=1/3
HAYATE_NET=ofi HAYATE_OFI_PROVIDER="verbs;ofi_rxm" HAYATE_NET_DEVICE=rxe0 FI_UNIVERSE_SIZE=8 \
    run_suite 2 MessageScenarios,OmplFlagScenarios "${nodes[@]}" -n 2
end_suites
