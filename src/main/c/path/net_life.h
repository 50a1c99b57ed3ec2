/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does a peer live? Whoever waits for one wants a sign of life from it, a *watch*, when it has
 * shown none for a while; how one is asked for is the network's. Who was silent for the limit has
 * failed. The network's lock is held in all of these.
 *
 * A network with several locks has several lives of a peer, and one *fate*, which all of them look
 * at: what one of them has seen, or was told, is true for all.
 */
#ifndef HY_PATH_NET_LIFE_H
#define HY_PATH_NET_LIFE_H

#include <stdbool.h>
#include <stdint.h>

enum hy_net_peer_state {
    HY_NET_ALIVE,
    HY_NET_LOST,  /* by another of its lives */
    HY_NET_LEFT,  /* it said so */
    HY_NET_PARTED /* it said that it has given this rank up */
};

typedef struct hy_net_life {
    int rank;
    _Atomic uint32_t *peer_state; /* NULL: this is its only life */
    bool failed, left;            /* left: it failed because it said so */
    bool known;                   /* it was heard of at least once */
    uint64_t watched;             /* since when a sign of life is wanted; 0: it is not */
    uint64_t looked;              /* when it was last looked at */
    uint64_t heard;               /* when it last showed that it lives */
    uint64_t flowed;              /* when data to it last went, where that says something; or 0 */
    char why[200];                /* it failed */
} hy_net_life;

/* Marks it as failed; the first reason stays. */
void hy_net_lost(hy_net_life *life, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Has it failed? Looks at its fate. */
bool hy_net_failed(hy_net_life *life);

/* The first fate stays. No lock is needed. */
void hy_net_decide(_Atomic uint32_t *fate, enum hy_net_peer_state what);

/* PEER_FAILED with the reason. */
int hy_net_fail_lost(const hy_net_life *life);

/* Why it failed, if that was told by others. */
#define HY_NET_TOLD "other ranks say that it has ended"

/* It showed that it lives. */
void hy_net_heard(hy_net_life *life);

/* Without news for long enough to set a watch? To be called in every look of a wait: after a gap of
 * a second it was not waited for, and its silence counts from now on. */
bool hy_net_wants_watch(hy_net_life *life);

/* Has a wait for it since then, 0: of no certain one, seen no sign of life for so long (ns)? */
bool hy_net_silent(const hy_net_life *life, uint64_t silence, uint64_t since);

#endif
