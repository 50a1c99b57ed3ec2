/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Networks: paths to peers whose part is not mapped here. A network is opened once per process,
 * with the memory that its peers may reach; each peer's end is then a transport by the contracts
 * of path.h.
 *
 * Addresses: an open network has an *address*, a short text of bytes that the boot method
 * publishes. Nobody holds a table of all: on the first use of a peer the network asks for its
 * address by lookup(), connects, and from then on keeps a few hundred bytes for this peer. The
 * address holds what gives access (keys, token): it goes to members of the job only.
 *
 * Progress: what comes in by messages (signals, flags, atomics) is done when somebody of this
 * process lets the network work: progress(), or any operation that waits. Who waits for a word of
 * its own memory therefore calls progress() in every turn, fast ones too (it never blocks, and
 * returns at once while another thread is in it), and asks watches() before it sleeps on the bell.
 * Where that says yes, the network's progress thread (net_progress.h), a thread that sleeps nearly
 * always, lets the network work as soon as something comes, and the bell rings; otherwise nothing
 * from outside ends the sleep, which is cut to half a millisecond (hy_wait_limit). A process that
 * computes is not deaf: its progress thread works for it ten times a second. So who does not answer
 * at all has failed: HY_NET_SILENCE_MS.
 *
 * Order: what a thread put to a peer before a signal, flag or atomic to the same peer is visible
 * before it; signals and flags of a thread to one peer become visible in their order. There is no
 * order between peers.
 *
 * put() returns when `local` may be used again, which may be before the data have arrived, or left;
 * flush() returns when they have, and so does a signal or flag that its receiver has seen. A flush
 * of an end that was never used does nothing, and connects nothing.
 * signal() and put_flag() wait for room and, where the network keeps no order, for the puts before
 * them; atomic(), get() and flush() wait for an answer. None waits for longer than the silence of a
 * peer, see above: PEER_FAILED, with what the network said about it. The last three have a form
 * that does not wait (hy_op_begin in path.h). A peer that has failed remains so, on all lanes. The
 * memory of a get that failed is the caller's again; but to memory of this rank's part, which lives
 * as long as the network, data may still come until that is closed.
 *
 * Threads: all calls from any number of threads at once, but open, attach and close.
 */
#ifndef HY_PATH_NET_H
#define HY_PATH_NET_H

#include "base/net_class.h"
#include "base/settings.h"
#include "path/net_hosts.h"
#include "path/path.h"

/* Room for an address. */
#define HY_NET_ADDRESS 256

/* A peer has several ends where threads are not to share one: one on each *lane*, 0 to HY_NET_LANES
 * - 1. A network may have queues of its own for each lane, or serve all by the same; so there is no
 * order between what goes by different lanes. What is not Ompl's goes by lane 0. */
#define HY_NET_LANES 256

/* A peer that is waited for and gives no sign of life for so long has failed. */
#define HY_NET_SILENCE_MS (1000 * HY_NET_SILENCE_DEFAULT)

typedef struct hy_net_ops hy_net_ops;

/* An open network; each begins its own structure with this one. */
typedef struct hy_net {
    const hy_net_ops *ops;
    hy_net_class class; /* set by open(): a library may stand above either */
} hy_net;

/* What who opens a network gives. */
typedef struct hy_net_attr {
    int rank, ranks;
    /* This rank's part, which peers put to and get from. It may be registered with a device, which
     * pins it: then it counts, all of it, towards the limit of locked memory. */
    void *part;
    uint64_t part_bytes;
    /* This rank's: rung after each signal, flag and atomic that came in, each put and get of its
     * own that ended, and when a peer says that it leaves. */
    hy_bell *bell;
    /* All ranks are on this machine: nobody else can reach the network, where it has a way to say
     * so (loopback). */
    bool one_node;
    const char *device;      /* interface or device, "eth0"; NULL: any */
    uint32_t silence_ms;     /* 0: HY_NET_SILENCE_MS */
    int port_low, port_high; /* where it listens, if it has ports at all; 0: anywhere */
    /* Nobody else may connect, as far as the network can tell (net_hosts.h); none: anybody may. */
    hy_net_hosts hosts;
    /* Writes the address of `rank`; *len is the room before and its length after. Called on the
     * first use of a peer, or of this rank by a peer, from any thread; it must not call the
     * network, and other threads that need the network wait for it. */
    int (*lookup)(void *context, int rank, void *address, size_t *len);
    /* Was the job told, by others, that this rank has failed? Asked on slow turns of waits for it,
     * with the same duties. NULL: nobody tells. */
    bool (*is_lost)(void *context, int rank);
    /* Called by the network's progress thread, without locks, ten times a second while nobody of
     * this rank sleeps: what must be done even when all compute. It may call the network. NULL:
     * nothing. */
    void (*idle)(void *context);
    void *lookup_context; /* of all three */
} hy_net_attr;

/* Fills device, silence_ms and the ports from HAYATE_NET_DEVICE, HAYATE_NET_SILENCE and
 * HAYATE_NET_PORTS, and forgets the hosts if HAYATE_NET_ADMIT says so. */
int hy_net_read_attr(hy_net_attr *attr);

/* How many endpoints the threads of this rank share on a network (HAYATE_ENDPOINTS). */
int hy_net_read_endpoints(int *count);

struct hy_net_ops {
    const char *name;
    const hy_path_ops *row;
    /* UNSUPPORTED with what is missing or what there is instead, ARGUMENT (settings), NO_MEMORY
     * (also: limit of locked memory), SYSTEM. What the attr points to lives until close(). */
    int (*open)(const hy_net_attr *attr, hy_net **net);
    /* This process's address, at most HY_NET_ADDRESS bytes. */
    void (*address)(const hy_net *net, void *address, size_t *len);
    /* Makes the end of `rank` on this lane: sets ops, net, rank, lane and part_bytes, and leaves
     * the rest. Neither allocates nor connects. (HAYATE_NET_LOCAL) One on lane 0 of a rank of this
     * node is that of the segment before; it may stay that. */
    void (*attach)(hy_net *net, hy_ep *ep, int rank, int lane);
    /* What has come in and gone out; never blocks. Number of events. */
    int (*progress)(hy_net *net);
    /* Asked before a sleep on the bell, by a sleeper that is counted there (base/wait.h). True:
     * from now on until nobody sleeps, the network works by itself when something comes. Never
     * blocks. NULL: as false. */
    bool (*watches)(hy_net *net);
    /* Now and then in a wait for something of this peer: asks it for a sign of life if need be.
     * PEER_FAILED when it failed, or has kept silent for the limit. Never blocks. */
    int (*check)(hy_ep *ep);
    /* Of a rank that has failed: did it say that it leaves? */
    bool (*has_left)(hy_ep *ep);
    /* Says to all peers that were used that this rank leaves, without closing: it still serves
     * reads and answers. Never blocks for longer than a second. What it began before has been
     * flushed, and nothing is begun afterwards; peers fail what they begin, or wait for, from then
     * on, as of a rank that has left. */
    void (*leave)(hy_net *net);
    /* What it is and where, in a few words. */
    void (*describe)(const hy_net *net, char *text, size_t room);
    /* Sends what is still on its way (for a second at most), and leaves if it has not. No thread is
     * in any call, and none calls afterwards. What peers begin from then on fails there. */
    void (*close)(hy_net *net);
};

extern const hy_net_ops hy_net_ofi, hy_net_verbs;

/* All networks, in the order of preference; NULL-terminated. */
#define HY_NETS_MOST 8
extern const hy_net_ops *const hy_nets[];

#endif
