#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --rdma --limit 2400
# From Java, over soft-RoCE: hydra makes two nodes of this machine, so that the ranks of one reach
# those of the other by the network alone. Each node has a device of its own at its end of a cable,
# but over libfabric, whose connections are looked for by address, both have the first one.
# Collectives send messages and flags, and see no more of a network than these do: C has those over
# verbs, in delegatees_reach_each_other_over_verbs.sh. Of libfabric, only what differs between its
# providers runs: messages of all sizes, long ones both ways, and data before their flag.
set -uo pipefail
source /hayate/src/test/vm/guest/suite.sh
export HAYATE_HEAP=64M
nodes=(mpiexec.hydra -launcher fork -hosts left,right)
classes=MessageScenarios,OmplScenarios,OmplFlagScenarios
more=PersistentScenarios.should_keep_many_allreduces_apart
more+=,PersistentScenarios.should_keep_many_alltoalls_apart
more+=,TaskScenarios.should_run_a_chain_through_all_ranks
own_device='[ "$PMI_RANK" = 0 ] && d=rxe0 || d=rxe1; HAYATE_NET_DEVICE=$d exec "$0" "$@"'

echo "== verbs"
share=0/6
HAYATE_NET=verbs run_suite 2 $classes,$more "${nodes[@]}" -n 2 sh -c "$own_device"

echo "== verbs;ofi_rxm"
share=1/6
some=MessageScenarios.should_carry_every_size_between_every_kind_of_buffer
some+=,MessageScenarios.should_exchange_long_messages_in_both_directions_at_once
some+=,OmplFlagScenarios.should_show_data_before_their_flag
HAYATE_NET=ofi HAYATE_OFI_PROVIDER="verbs;ofi_rxm" HAYATE_NET_DEVICE=rxe0 FI_UNIVERSE_SIZE=8 \
    run_suite 2 $some "${nodes[@]}" -n 2
end_suites
