/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to and from `hayate run`. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base/status.h"
#include "boot/control.h"
#include "boot/rights.h"
#include "delegatee/delegatee.h"

#define ORDER_MS 30000
#define FAREWELL_MS 2000

/* Waits until something can be read. False: nothing in that time; -1: no limit. */
static bool await(int launcher, int limit_ms)
{
    struct pollfd socket = {.fd = launcher, .events = POLLIN};
    int ready;
    do ready = poll(&socket, 1, limit_ms);
    while (ready < 0 && errno == EINTR);
    return ready > 0;
}

int hy_delegatee_join(int launcher, hy_order *order)
{
    const hy_hello hello = {HY_HELLO_MAGIC, HY_ABI};
    if (send(launcher, &hello, sizeof hello, MSG_NOSIGNAL) != (ssize_t)sizeof hello)
        return hy_fail_errno("the launcher does not listen");
    if (!await(launcher, ORDER_MS))
        return hy_fail(HAYATE_ERR_LAUNCH, "no order from the launcher within %d s",
                       ORDER_MS / 1000);
    ssize_t length = recv(launcher, order, sizeof *order, MSG_DONTWAIT);
    if (length == 0) return hy_fail(HAYATE_ERR_LAUNCH, "the launcher has ended");
    if (length != (ssize_t)sizeof *order || order->magic != HY_ORDER_MAGIC)
        return hy_fail(HAYATE_ERR_LAUNCH, "the order is not from a launcher of this version");
    if (order->ranks >= 1 && order->ranks <= HY_MAX_PARTS && order->heap_bytes <= HY_HEAP_HIGH)
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "an order for %u ranks with a heap of %llu bytes: expected "
                   "1 to %d ranks",
                   order->ranks, (unsigned long long)order->heap_bytes, HY_MAX_PARTS);
}

int hy_delegatee_ready(int launcher, const hy_ready *ready, int segment_fd)
{
    ssize_t length = hy_rights_send(launcher, ready, sizeof *ready, segment_fd);
    return length == (ssize_t)sizeof *ready ? HAYATE_OK
                                            : hy_fail_errno("the launcher does not listen");
}

void hy_delegatee_refuse(int launcher, int status, const char *reason)
{
    hy_ready refusal = {.magic = HY_READY_MAGIC, .status = status};
    snprintf(refusal.reason, sizeof refusal.reason, "%s", reason);
    (void)!send(launcher, &refusal, sizeof refusal, MSG_NOSIGNAL | MSG_DONTWAIT);
    await(launcher, FAREWELL_MS);
}

bool hy_delegatee_released(int launcher, int *code)
{
    hy_failed word = {.magic = 0};
    await(launcher, -1);
    ssize_t length = recv(launcher, &word, sizeof word, MSG_DONTWAIT);
    bool failed = length == (ssize_t)sizeof word && word.magic == HY_FAILED_MAGIC && word.code > 0;
    *code = failed ? word.code : 1;
    return length == (ssize_t)sizeof(hy_word) && word.magic == HY_BYE_MAGIC;
}
