/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the device may access: the rank's part, and one area for all buffers of an
 * endpoint. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/status.h"
#include "net/memlock.h"
#include "net/verbs/verbs_net.h"

uint8_t *verbs_buffer_take(verbs_pool *pool)
{
    if (pool->free == 0) return NULL;
    return pool->memory + pool->bytes * pool->stack[--pool->free];
}

void verbs_buffer_give(verbs_pool *pool, uint8_t *buffer)
{
    pool->stack[pool->free++] = (uint16_t)((size_t)(buffer - pool->memory) / pool->bytes);
}

static int make_pool(verbs_pool *pool, uint8_t **memory, size_t bytes, uint32_t count)
{
    *pool = (verbs_pool){.memory = *memory, .bytes = bytes};
    pool->stack = calloc(count, sizeof *pool->stack);
    if (!pool->stack) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's buffers");
    for (; pool->free < count; pool->free++) pool->stack[pool->free] = (uint16_t)pool->free;
    *memory += bytes * count;
    return HAYATE_OK;
}

static int make_buffers(verbs_endpoint *endpoint)
{
    verbs_greeter *greeter = &verbs_net_of(endpoint)->greeter;
    const verbs_sizes *sizes = &endpoint->sizes;
    uint32_t lines = sizes->lines + sizes->receives + 2 * sizes->hellos;
    endpoint->memory_bytes = (size_t)sizes->pieces * VERBS_PIECE + (size_t)lines * VERBS_LINE;
    void *memory = mmap(NULL, endpoint->memory_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the network's buffers");
    /* After a fork() the parent's next write would go to a copy of the page, but the device's to
     * the page itself. */
    madvise(memory, endpoint->memory_bytes, MADV_DONTFORK);
    uint8_t *next = endpoint->memory = memory;
    int rc = make_pool(&endpoint->pieces, &next, VERBS_PIECE, sizes->pieces);
    if (!rc) rc = make_pool(&endpoint->lines, &next, VERBS_LINE, sizes->lines);
    endpoint->received = next;
    next += (size_t)sizes->receives * VERBS_LINE;
    if (rc || sizes->hellos == 0) return rc;
    greeter->received = next;
    next += (size_t)sizes->hellos * VERBS_LINE;
    return make_pool(&greeter->lines, &next, VERBS_LINE, sizes->hellos);
}

static int fail_register(const verbs_net *net, size_t bytes, const char *what)
{
    char limit[40];
    int error = errno;
    hy_net_say_memlock(limit, sizeof limit);
    if (error != ENOMEM && error != EAGAIN)
        return hy_fail(HAYATE_ERR_SYSTEM, "verbs (%s): %zu KB of %s cannot be registered: %s",
                       net->choice.name, bytes >> 10, what, strerror(error));
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "verbs (%s): %zu KB of %s cannot be locked in memory: the limit is"
                   " %s. " HY_NET_RAISE_MEMLOCK,
                   net->choice.name, bytes >> 10, what, limit);
}

int verbs_fail_call(const verbs_net *net, const char *call, const char *what, int most)
{
    char limit[40];
    int error = errno;
    hy_net_say_memlock(limit, sizeof limit);
    if (error != ENOMEM && error != EAGAIN && error != ENOSPC)
        return hy_fail(HAYATE_ERR_SYSTEM, "verbs (%s): %s: %s", net->choice.name, call,
                       strerror(error));
    return hy_fail(HAYATE_ERR_NO_MEMORY,
                   "verbs (%s): %s: %s: the device has at most %d %s, for all processes, and their"
                   " memory is locked (the limit is %s, ulimit -l): use fewer ranks or"
                   " endpoints per node, or raise the limit",
                   net->choice.name, call, strerror(error), most, what, limit);
}

int verbs_memory_make(verbs_endpoint *endpoint)
{
    const verbs_net *net = verbs_net_of(endpoint);
    int rc = make_buffers(endpoint);
    if (rc) return rc;
    endpoint->own_mr = net->calls->reg_mr(net->pd, endpoint->memory, endpoint->memory_bytes,
                                          IBV_ACCESS_LOCAL_WRITE);
    return endpoint->own_mr ? HAYATE_OK : fail_register(net, endpoint->memory_bytes, "buffers");
}

int verbs_memory_part(verbs_net *net)
{
    net->part_mr = net->calls->reg_mr(net->pd, net->base.attr.part, net->base.attr.part_bytes,
                                      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
                                          IBV_ACCESS_REMOTE_WRITE);
    return net->part_mr ? HAYATE_OK
                        : fail_register(net, net->base.attr.part_bytes, "this rank's part");
}

void verbs_memory_free(verbs_endpoint *endpoint)
{
    if (endpoint->own_mr) verbs_net_of(endpoint)->calls->dereg_mr(endpoint->own_mr);
    if (endpoint->memory) munmap(endpoint->memory, endpoint->memory_bytes);
    free(endpoint->pieces.stack);
    free(endpoint->lines.stack);
}
