/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The delegation area: how the ranks of a node hand their operations to the *delegatee*, the
 * process that owns the network of the node (room deleg). It lies in the node's segment, behind the
 * layout's list in the control area:
 *
 *    | delegation | work | state of each node | a line for each rank | rings of a rank | ...      |
 *
 * A rank posts *commands* into its *rings*. Each ring has one producer and one consumer: a thread
 * of the rank that holds the ring's lock, which is private to the rank, and the delegatee. A ring
 * is an array of commands; command n is in slot (n - 1) % HY_RING_DEPTH.
 *
 *    rank                                       delegatee
 *    slot.done is n - DEPTH (n > DEPTH)? else wait
 *    write the command
 *    slot.posted = n          (release)
 *    fence; bit of the ring in `work` set?      exchange(work, 0); fence
 *      no: set it, ring the delegatee's bell    load slot.posted (acquire); copy the command; check
 *                                               it; begin the operation
 *                                               write the result
 *    load slot.done (acquire)                   slot.done = n with the status (release);
 *                                               ring the rank's bell
 *
 * Either the rank sees the bit of its ring cleared and sets it, or the delegatee, which clears the
 * bit before it looks into the ring, sees the command. The delegatee begins the commands of a ring
 * in their order, and begins none before those in front of it are ordered (hy_path_op.ordered). So
 * a put arrives before the flag that was posted behind it. Commands may complete in any order.
 *
 * The delegatee trusts nothing that it reads here: it copies a command before it checks it. A rank
 * that writes rubbish gets an error as its result, and disturbs nobody else.
 */
#ifndef HY_NET_DELEGATED_DELEGATION_H
#define HY_NET_DELEGATED_DELEGATION_H

#include "base/wait.h"
#include "path/path.h"

#define HY_DELEGATION_MAGIC UINT64_C(0x32676c6564796879)
#define HY_RINGS 8       /* of a rank; lane 0 has one of its own, the other lanes share the rest */
#define HY_RING_DEPTH 64 /* commands */
/* Data outside of the rank's part that the delegatee cannot reach are copied through the staging
 * buffer of the ring, by halves. */
#define HY_STAGING_BYTES (128 << 10)

/* Where the local data of a command are. */
enum {
    HY_LOCAL_INLINE,  /* in its payload; only what is written to a peer */
    HY_LOCAL_PART,    /* at offset `local` of the rank's part */
    HY_LOCAL_STAGING, /* at offset `local` of the ring's staging buffer */
    HY_LOCAL_ADDRESS  /* at address `local` of the rank's process; only of a PUT */
};

/* Values of hy_command.kind besides those of hy_op_kind: a collective that the delegatee runs whole
 * (exec/wired_image.h). */
enum {
    HY_COMMAND_LOAD = 32, /* the image at offset `local` of the rank's part, of `len` bytes; its
                           * handle comes back like the previous value of an ATOMIC */
    HY_COMMAND_START,     /* the next run of handle `operand`; its end shows in the image */
    HY_COMMAND_UNLOAD,    /* handle `operand`; the image is not touched any more */
};

typedef struct hy_command {
    HY_ALIGNED _Atomic uint64_t posted; /* its number, written last */
    uint8_t kind;                       /* hy_op_kind */
    uint8_t what;                       /* hy_atomic */
    uint8_t bytes;                      /* of the payload */
    uint8_t where;                      /* HY_LOCAL_* */
    uint32_t rank;                      /* of the job: the peer */
    uint64_t remote;                    /* offset in the part of the peer */
    uint64_t local, len;
    uint64_t operand, expected;
    uint64_t forgotten; /* not 0: nobody wants the result; see hy_delegation_rank.lost */
    /* In: the inline data. Out: the previous value of an ATOMIC. */
    HY_ALIGNED uint8_t payload[HY_SLOT_PAYLOAD];
    _Atomic uint64_t done; /* see hy_command_done() */
} hy_command;

_Static_assert(sizeof(hy_command) == 2 * HY_LINE, "two lines: the second only with data");

typedef struct hy_ring {
    hy_command commands[HY_RING_DEPTH];
    HY_ALIGNED uint8_t staging[HY_STAGING_BYTES];
} hy_ring;

/* What the delegatee has begun for a rank. It alone writes these, with plain stores. */
typedef struct hy_delegation_counts {
    _Atomic uint64_t commands, bytes; /* of puts, gets, and the data of signals and flags */
} hy_delegation_counts;

static inline void hy_delegation_count(hy_delegation_counts *counts, uint64_t bytes)
{
    hy_store_relaxed(&counts->commands, hy_load_relaxed(&counts->commands) + 1);
    hy_store_relaxed(&counts->bytes, hy_load_relaxed(&counts->bytes) + bytes);
}

/* What the delegatee and a rank of its node know about each other. */
typedef struct hy_delegation_rank {
    /* The rank's, written before its first command: where its process keeps `cookie`. The delegatee
     * finds out by it whether it can access the memory of the process. */
    HY_ALIGNED uint64_t cookie_address, cookie;
    _Atomic int32_t pid;        /* of the rank; 0: the rank has not written this yet */
    _Atomic uint32_t reachable; /* the delegatee's: HY_LOCAL_ADDRESS is possible */
    hy_delegation_counts taken; /* the delegatee's */
    /* The delegatee's: the first command that failed although nobody wants its result, by
     * hy_lost_command(); 0: none. That its peer's node has failed shows in the node's state. */
    _Atomic uint64_t lost;
} hy_delegation_rank;

/* What the delegatee knows about a node; ranks set WATCHED, the delegatee the others. */
enum {
    HY_NODE_WATCHED = 1, /* a rank waits for this node: look whether it lives */
    HY_NODE_FAILED = 2,  /* every command to this node fails from now on */
    HY_NODE_LEFT = 4,    /* it failed because it has said that it leaves */
};

/* delegation.state */
enum { HY_DELEGATEE_STARTING, HY_DELEGATEE_SERVES, HY_DELEGATEE_ENDED };

/* delegation.waiting, in the order of the setting's words */
typedef enum hy_delegate_wait {
    HY_DELEGATE_ADAPTIVE,
    HY_DELEGATE_POLL,
    HY_DELEGATE_INTERRUPT
} hy_delegate_wait;

typedef struct hy_delegation {
    uint64_t magic;
    uint32_t parts, nodes;
    _Atomic uint32_t state;
    _Atomic uint32_t why;    /* ENDED: exit status, or 256 + signal */
    _Atomic int32_t pid;     /* of the delegatee */
    _Atomic uint32_t class;  /* hy_net_class of its network */
    char network[64];        /* its description; complete before SERVES */
    HY_ALIGNED hy_bell bell; /* of the delegatee */
    /* The delegatee's: the first node that failed without having left, plus 1, and why; 0: none.
     * Both are complete before that node's FAILED. */
    HY_ALIGNED uint32_t lost_node;
    char lost_why[124];
    /* The time of the delegatee's last turn (hy_now_ns()), at most 0.1 s ago while it works. */
    HY_ALIGNED _Atomic uint64_t beat;
    _Atomic uint32_t waiting; /* HAYATE_DELEGATE_WAIT: hy_delegate_wait */
    /* Counters, see `hayate stat`: sleeps, turns, nodes that it has sent to, and bytes of memory
     * that the network may access. */
    _Atomic uint64_t sleeps, turns, connections, registered;
    HY_ALIGNED _Atomic uint64_t
        work[]; /* a bit for each ring: [parts * HY_RINGS / 64], rounded up */
} hy_delegation;

/* The size of the area for a node with so many ranks in a job on so many nodes. */
uint64_t hy_delegation_bytes(uint32_t parts, uint32_t nodes);

/* Initialises the area, which is zero. */
void hy_delegation_init(void *area, uint32_t parts, uint32_t nodes);

/* CORRUPT if this is not an area of `bytes` bytes for so many ranks and nodes. */
int hy_delegation_verify(const hy_delegation *delegation, uint64_t bytes, uint32_t parts,
                         uint32_t nodes);

/* Called when the delegatee has ended: everything that ranks wait for from it fails. The caller
 * then rings the bells of all ranks. why: see hy_delegation.why. */
void hy_delegation_end(hy_delegation *delegation, uint32_t why);

/* What the area tells somebody who only reads it: a copy. */
typedef struct hy_delegation_view {
    int32_t pid;
    uint32_t state, why, waiting;
    uint64_t commands, bytes; /* of all ranks */
    uint64_t sleeps, turns, connections, registered;
    char network[64]; /* "": only one node */
} hy_delegation_view;

/* ---- places in the area ----
 *
 * `parts` and `nodes` are those that hy_delegation_verify() has accepted, kept where no other
 * process can change them. */

void hy_delegation_see(const hy_delegation *delegation, uint32_t parts, uint32_t nodes,
                       hy_delegation_view *view);

static inline uint32_t hy_delegation_words(uint32_t parts)
{
    return (parts * HY_RINGS + 63) / 64;
}

/* The states of the nodes. */
static inline _Atomic uint32_t *hy_delegation_states(hy_delegation *delegation, uint32_t parts)
{
    uint64_t at = hy_round_up(hy_delegation_words(parts) * 8, HY_LINE);
    return (_Atomic uint32_t *)(void *)((uint8_t *)delegation->work + at);
}

/* What belongs to a rank of this node. */
hy_delegation_rank *hy_delegation_rank_of(const hy_delegation *delegation, uint32_t parts,
                                          uint32_t nodes, uint32_t part);

/* Ring `number` of the rank whose part is `part`. */
hy_ring *hy_delegation_ring(hy_delegation *delegation, uint32_t parts, uint32_t nodes,
                            uint32_t part, int number);

/* The description of the delegatee's network, as text that can be shown. */
void hy_delegation_network(const hy_delegation *delegation, char *text, size_t room);

/* Called by the delegatee before it sets FAILED in the node's state. Only the first call counts. */
void hy_delegation_lose(hy_delegation *delegation, int node, const char *why);

/* Why the node failed, for `why`, which has `room` bytes; "" if another node failed before it. */
void hy_delegation_why(const hy_delegation *delegation, int node, char *why, size_t room);

/* The lanes of a network (net/net.h) share the rings. */
static inline int hy_ring_of_lane(int lane)
{
    return lane == 0 ? 0 : 1 + (lane - 1) % (HY_RINGS - 1);
}

/* The value of `done` for a command: its number, and the status, which is 0 or negative. */
static inline uint64_t hy_command_done(uint64_t number, int status)
{
    return number << 8 | (uint8_t)-status;
}
static inline uint64_t hy_done_number(uint64_t done)
{
    return done >> 8;
}
static inline int hy_done_status(uint64_t done)
{
    return -(int)(done & 0xff);
}

/* The value of `lost` for a command to this rank of the job. */
static inline uint64_t hy_lost_command(uint32_t rank, int status)
{
    return (uint64_t)rank << 8 | (uint8_t)-status;
}
static inline int hy_lost_rank(uint64_t lost)
{
    return (int)(lost >> 8);
}

/* Says that a ring has work. Called after the store of `posted`. */
static inline void hy_delegation_tell(hy_delegation *delegation, uint32_t part, int ring)
{
    uint32_t index = part * HY_RINGS + (uint32_t)ring;
    _Atomic uint64_t *word = &delegation->work[index / 64];
    uint64_t bit = UINT64_C(1) << index % 64;
    atomic_thread_fence(memory_order_seq_cst); /* `posted` before the bit: see the head */
    if (hy_load_relaxed(word) & bit) return;
    atomic_fetch_or_explicit(word, bit, memory_order_seq_cst);
    hy_bell_ring(&delegation->bell);
}

#endif
