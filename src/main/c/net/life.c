/* SPDX-License-Identifier: Apache-2.0 */
/* Signs of life and time-outs of one peer. Times are those of hy_now_ns(). */
#include "net/life.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/line.h"
#include "base/status.h"

#define WATCH_NS UINT64_C(100000000) /* without a sign of life, until a watch is set */
#define GAP_NS UINT64_C(1000000000)  /* between two checks: they belong to different waits */

void hy_net_lost(hy_net_life *life, const char *format, ...)
{
    va_list arguments;
    if (life->failed) return;
    life->failed = true;
    va_start(arguments, format);
    vsnprintf(life->why, sizeof life->why, format, arguments);
    va_end(arguments);
    if (life->peer_state) hy_net_decide(life->peer_state, HY_NET_LOST);
}

void hy_net_decide(_Atomic uint32_t *fate, enum hy_net_peer_state what)
{
    uint32_t alive = HY_NET_ALIVE;
    atomic_compare_exchange_strong(fate, &alive, what);
}

bool hy_net_failed(hy_net_life *life)
{
    static const char *const said[] = {
        [HY_NET_LOST] = "another connection to it has failed",
        [HY_NET_LEFT] = "it has left the job",
        [HY_NET_PARTED] = "it has declared this rank failed, because it was silent"};
    uint32_t fate = life->failed || !life->peer_state ? HY_NET_ALIVE
                                                      : hy_load_acquire(life->peer_state);
    if (hy_unlikely(fate != HY_NET_ALIVE)) {
        life->left = fate == HY_NET_LEFT;
        hy_net_lost(life, "%s", said[fate]);
    }
    return life->failed;
}

int hy_net_fail_lost(const hy_net_life *life)
{
    return hy_fail_peer(HAYATE_ERR_PEER_FAILED, life->rank, "rank %d cannot be reached: %s",
                        life->rank, life->why);
}

void hy_net_note_sign(hy_net_life *life)
{
    life->last_sign = hy_now_ns();
    life->known = true;
    life->watched = 0;
}

bool hy_net_wants_watch(hy_net_life *life)
{
    uint64_t now = hy_now_ns();
    if (now > life->looked + GAP_NS) life->watched = 0;
    life->looked = now;
    if (!life->watched && now > life->last_sign + WATCH_NS) life->watched = now;
    return life->watched != 0;
}

bool hy_net_silent(const hy_net_life *life, uint64_t silence, uint64_t since)
{
    uint64_t now = hy_now_ns();
    if (since == 0) since = life->watched ? life->watched : now;
    if (life->last_sign > since) since = life->last_sign;
    if (life->flowed > since) since = life->flowed;
    return now > since + silence;
}
