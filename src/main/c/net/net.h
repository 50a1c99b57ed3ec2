/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Networks: paths to peers whose part is not mapped here. A process opens a network once, with the
 * memory that its peers may access; the endpoint (hy_ep) of each peer is then a transport with the
 * contracts of path.h.
 *
 * Addresses: an open network has an *address*, a short string of bytes that the boot method
 * publishes. No rank holds a table of all addresses: at the first use of a peer the network asks
 * for its address by lookup(), connects, and from then on keeps a few hundred bytes for this peer.
 * The address contains the access keys and the token, so it is given to members of the job only.
 *
 * Progress: incoming messages (signals, flags, atomics) are carried out when a thread of this
 * process lets the network work, by progress() or by any operation that waits. Therefore a thread
 * that waits for a word of its own memory calls progress() in every turn, also in short waits (it
 * never blocks, and returns at once while another thread is in it), and calls watches() before it
 * sleeps on the bell. If watches() returns true, the network's progress thread (net_progress.h),
 * which sleeps nearly always, lets the network work as soon as something arrives, and the bell
 * rings. Otherwise nothing from outside ends the sleep, which is therefore limited to half a
 * millisecond (hy_wait_limit). While a process computes, its progress thread works ten times a
 * second, so it still answers. A peer that does not answer at all for HY_NET_SILENCE_MS has failed.
 *
 * Order: what a thread put to a peer before a signal, flag or atomic to the same peer is visible
 * before it; signals and flags of a thread to one peer become visible in their order. There is no
 * order between peers.
 *
 * Completion: put() returns when `local` may be reused, possibly before the data have arrived or
 * even left; flush() returns when they have arrived, and so has all that precedes a signal or flag
 * that its receiver has seen. A flush to a peer that was never used does nothing and does not
 * connect. signal() and put_flag() wait for room and, if the network keeps no order, for the puts
 * before them; atomic(), get() and flush() wait for an answer. No call waits longer than
 * HY_NET_SILENCE_MS without a sign of life of the peer: PEER_FAILED, with the network's reason. The
 * last three have a non-blocking form (hy_op_begin() in path.h). A peer that has failed stays
 * failed on all lanes. After a failed get the caller owns its memory again; but if that is memory
 * of this rank's part, which lives as long as the network, data may still arrive there until the
 * network is closed.
 *
 * Threads: any number of threads may call all functions at once, except open, attach and close.
 */
#ifndef HY_NET_NET_H
#define HY_NET_NET_H

#include "base/net_class.h"
#include "base/settings.h"
#include "net/hosts.h"
#include "path/path.h"

/* Maximal length of an address. */
#define HY_NET_ADDRESS 256

/* If threads are not to share one, a peer has several endpoints: one on each *lane*, 0 to
 * HY_NET_LANES - 1. A network may have separate queues for each lane or serve all lanes with the
 * same queues, so operations on different lanes are not ordered. Everything except Ompl uses lane
 * 0. */
#define HY_NET_LANES 256

/* A peer that is waited for and gives no sign of life for this time has failed. */
#define HY_NET_SILENCE_MS (1000 * HY_NET_SILENCE_DEFAULT)

typedef struct hy_net_ops hy_net_ops;

/* An open network; each network's structure begins with this one. */
typedef struct hy_net {
    const hy_net_ops *ops;
    hy_net_class class; /* set by open(), because a library may support either */
} hy_net;

/* The arguments for opening a network. */
typedef struct hy_net_attr {
    int rank, ranks;
    /* This rank's part, which peers access by put and get. It may be registered with a device,
     * which pins it: then all of it counts towards the limit of locked memory. */
    void *part;
    uint64_t part_bytes;
    /* The bell of this rank. It is rung after each incoming signal, flag and atomic, after each
     * operation of this rank that has completed, and when a peer says that it leaves. */
    hy_bell *bell;
    /* For a process that serves several ranks, whose parts `part` holds: called instead of the bell
     * after each incoming signal, flag and atomic on memory at this offset. It must not call the
     * network. NULL: the bell is rung. */
    void (*arrived)(void *context, uint64_t offset);
    /* All ranks are on this machine: if possible, the network listens on loopback only. */
    bool one_node;
    const char *device;      /* interface or device, such as "eth0"; NULL: any */
    uint32_t silence_ms;     /* 0: HY_NET_SILENCE_MS */
    int port_low, port_high; /* ports to listen on, if the network has ports; 0: any */
    /* Only these hosts may connect, as far as the network can tell (hosts.h); none: any host
     * may. */
    hy_net_hosts hosts;
    /* Writes the address of `rank`; *len is the room before and the length after. Called at the
     * first use of a peer, or of this rank by a peer, from any thread. It must not call the
     * network; other threads that need the network wait for it. */
    int (*lookup)(void *context, int rank, void *address, size_t *len);
    /* Whether the job was told by others that this rank has failed. Called on slow turns of waits
     * for it, under the same restrictions as lookup(). NULL: unknown. */
    bool (*is_lost)(void *context, int rank);
    /* Of net/delegated only: the delegation area of the node, for all ranks of it and all nodes
     * of the job; the CPUs that its ranks share, the number of this rank's part, and the node
     * of a rank of the job. */
    struct hy_delegation *delegation;
    uint32_t parts, nodes;
    int cpus;
    uint32_t member;
    int (*node_of)(void *context, int rank);
    /* Called by the network's progress thread, without locks, ten times a second while no thread of
     * this rank sleeps: work that must be done even while all threads compute. It may call the
     * network. NULL: none. */
    void (*idle)(void *context);
    void *lookup_context; /* argument of all of these functions */
} hy_net_attr;

/* Fills device, silence_ms and the ports from HAYATE_NET_DEVICE, HAYATE_NET_SILENCE and
 * HAYATE_NET_PORTS, and clears the hosts if HAYATE_NET_ADMIT admits any host. */
int hy_net_read_attr(hy_net_attr *attr);

/* The number of endpoints that the threads of this rank share on a network (HAYATE_ENDPOINTS). */
int hy_net_read_endpoints(int *count);

struct hy_net_ops {
    const char *name;
    const hy_path_ops *row;
    /* UNSUPPORTED with what is missing or available instead, ARGUMENT (settings), NO_MEMORY (also:
     * limit of locked memory), SYSTEM. What the attr points to must stay valid until close(). */
    int (*open)(const hy_net_attr *attr, hy_net **net);
    /* Writes this process's address, at most HY_NET_ADDRESS bytes. */
    void (*address)(const hy_net *net, void *address, size_t *len);
    /* Makes the endpoint of `rank` on this lane: sets ops, net, rank, lane and part_bytes, and
     * leaves the other members unchanged. Neither allocates nor connects. With HAYATE_NET_LOCAL,
     * the endpoint on lane 0 of a rank of this node was that of the segment before; the network may
     * leave it so. */
    void (*attach)(hy_net *net, hy_ep *ep, int rank, int lane);
    /* Handles what has arrived and what has completed; never blocks. Returns the number of
     * events. */
    int (*progress)(hy_net *net);
    /* Called before a sleep on the bell, by a sleeper that is counted there (base/wait.h). True:
     * from now on until nobody sleeps, the network works by itself when something arrives. Never
     * blocks. NULL means false. */
    bool (*watches)(hy_net *net);
    /* Called from time to time in a wait for this peer: requests a sign of life if necessary.
     * PEER_FAILED if the peer has failed, or was silent for the limit. Never blocks. */
    int (*check)(hy_ep *ep);
    /* Whether a rank that has failed had said that it leaves. */
    bool (*has_left)(hy_ep *ep);
    /* Tells all peers that were used that this rank leaves, without closing: it still serves reads
     * and answers. Blocks for one second at most. Everything that it began before has been flushed,
     * and nothing is begun afterwards. From then on peers fail all operations to this rank as those
     * to a rank that has left. */
    void (*leave)(hy_net *net);
    /* A short description: the kind of network, and its device. */
    void (*describe)(const hy_net *net, char *text, size_t room);
    /* Sends what is still under way (for one second at most), and leaves if the rank has not left
     * yet. No other thread is in a call, and none calls afterwards. Operations that peers begin
     * from then on fail there. */
    void (*close)(hy_net *net);
};

extern const hy_net_ops hy_net_ofi, hy_net_verbs;

/* Not one of hy_nets[]: it leads to a process that has opened one of these. */
extern const hy_net_ops hy_net_delegated;

/* All networks in the order of preference; NULL-terminated. */
#define HY_NETS_MOST 8
extern const hy_net_ops *const hy_nets[];

#endif
