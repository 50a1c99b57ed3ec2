/* SPDX-License-Identifier: Apache-2.0 */
/* Commands about collectives, by the ring of lane 0. */
#include "net/delegated/offload.h"

#include "net/delegated/delegated_net.h"

/* Errors are about this rank's own delegatee: the endpoint is that of the rank itself. */
static hy_ep offload_ep(hy_net *net)
{
    return (hy_ep){.net = net, .rank = delegated_of(net)->attr.rank};
}

static int ask(hy_net *net, const hy_command *command, uint64_t *result)
{
    hy_ep ep = offload_ep(net);
    delegated_post post;
    int rc = delegated_send(&ep, command, NULL, &post);
    return rc ? rc : delegated_await(&ep, &post, result);
}

int hy_offload_load(hy_net *net, uint64_t offset, uint64_t bytes, uint64_t *handle)
{
    const hy_command command = {
        .kind = HY_COMMAND_LOAD, .where = HY_LOCAL_PART, .local = offset, .len = bytes};
    return ask(net, &command, handle);
}

int hy_offload_start(hy_net *net, uint64_t handle)
{
    hy_ep ep = offload_ep(net);
    const hy_command command = {
        .kind = HY_COMMAND_START, .rank = (uint32_t)ep.rank, .operand = handle};
    if (hy_load_relaxed(&delegated_of(net)->delegation->state) == HY_DELEGATEE_ENDED)
        return delegated_look(&ep);
    return delegated_send(&ep, &command, NULL, NULL);
}

int hy_offload_unload(hy_net *net, uint64_t handle)
{
    const hy_command command = {.kind = HY_COMMAND_UNLOAD, .operand = handle};
    return ask(net, &command, NULL);
}

int hy_offload_check(hy_net *net)
{
    hy_ep ep = offload_ep(net);
    return delegated_look(&ep);
}

int hy_offload_lost(hy_net *net)
{
    return delegated_look_at_lost(delegated_of(net));
}
