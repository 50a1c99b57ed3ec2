/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether a peer lives. A wait for a peer that has shown no sign of life for a while requests one
 * by a *watch*; how is up to the network. A peer that is silent for the limit has failed. The
 * caller holds the network's lock in all functions.
 *
 * A network with several locks has several lives of a peer and one common *peer state*: what one of
 * them has seen or was told is true for all.
 */
#ifndef HY_NET_LIFE_H
#define HY_NET_LIFE_H

#include <stdbool.h>
#include <stdint.h>

enum hy_net_peer_state {
    HY_NET_ALIVE,
    HY_NET_LOST,  /* another of its lives has seen it fail */
    HY_NET_LEFT,  /* it has said that it leaves */
    HY_NET_PARTED /* it has said that it declared this rank failed */
};

typedef struct hy_net_life {
    int rank;
    _Atomic uint32_t *peer_state; /* NULL: this is the peer's only life */
    bool failed, left;            /* left: it failed because it said that it leaves */
    bool known;                   /* it has sent something at least once */
    uint64_t watched;             /* since when a sign of life is requested; 0: it is not */
    uint64_t looked;              /* the last check */
    uint64_t last_sign;           /* of life */
    uint64_t flowed;              /* when data to it last made progress, if that shows anything;
                                   * else 0 */
    char why[200];                /* why it failed */
} hy_net_life;

/* Marks the peer as failed. The first reason is kept. */
void hy_net_lost(hy_net_life *life, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Whether it has failed, here or according to the common peer state. */
bool hy_net_failed(hy_net_life *life);

/* Sets the common peer state. The first value is kept. Needs no lock. */
void hy_net_decide(_Atomic uint32_t *fate, enum hy_net_peer_state what);

/* Returns PEER_FAILED with the reason. */
int hy_net_fail_lost(const hy_net_life *life);

/* The reason if other ranks reported the failure. */
#define HY_NET_TOLD "other ranks say that it has ended"

/* Notes a sign of life. */
void hy_net_note_sign(hy_net_life *life);

/* Whether it has been silent for long enough to set a watch. Call it in every check of a wait: if
 * the last check is more than a second ago, the peer was not waited for, and its silence counts
 * from now on. */
bool hy_net_wants_watch(hy_net_life *life);

/* Whether a wait since `since` (0: of no particular one) has seen no sign of life for `silence`
 * ns. */
bool hy_net_silent(const hy_net_life *life, uint64_t silence, uint64_t since);

#endif
