/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths: means to access a peer's memory. A path is a row of operations; callers never ask which
 * row they have, only what it can do (caps). There are two kinds of rows:
 *
 *   - A *transport* (shm, and the networks ofi and verbs) reaches the peer's part of its node's
 *     segment: slots, matching areas, the symmetric heap. `remote` is an offset in that part. It
 *     comes from a peer, so the row checks it before use. A transport has all operations.
 *   - A *single copy* (direct, attach, copy, cma) reaches any memory of a process of this node.
 *     `remote` is a virtual address there. The kernel, which does the copy, checks it. Ranks of one
 *     address space (direct) need neither a check nor the kernel: a rank that uses a wrong address
 *     could do the same damage without this function. A single copy has put, get and probe only;
 *     the signal of the transport that follows it orders what it wrote.
 *
 * A peer whose part is not mapped here (no HY_CAP_MAPPED, part == NULL) is *remote*
 * (hy_ep_is_far()): all accesses to it go through the rows. An error of a row is final for the pair
 * of ranks: all operations return it from then on, and the path makes sure that the peer's rows
 * fail as well. signal() has no result; its failure shows in the next operation that has one.
 *
 * Order: what one thread writes by signal(), put_flag() and atomic() arrives in that order, and so
 * does what several threads write one after the other if each knows of the one before. put() and
 * put_start() arrive in any order, but before what the thread signals after them.
 *
 * Threads: any number of threads may use an endpoint at once.
 */
#ifndef HY_PATH_PATH_H
#define HY_PATH_PATH_H

#include <stdbool.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/line.h"
#include "base/ratelimit.h"
#include "base/wait.h"

/* A cache line of a rank's memory that the rank polls; head is written last. */
typedef struct hy_slot {
    HY_ALIGNED _Atomic uint64_t head;
    uint8_t payload[56];
} hy_slot;

#define HY_SLOT_PAYLOAD 56
_Static_assert(sizeof(hy_slot) == HY_LINE, "a slot is one line: one transfer per small message");

/* A flag in a peer's memory, aligned to its size. A waiting rank polls value, which is written
 * last; data travel with it. */
typedef struct hy_flag {
    _Alignas(32) uint64_t value;
    uint64_t data[3];
} hy_flag;

_Static_assert(sizeof(hy_flag) == 32, "the flag of hayate/ompl.h");

/* The operation of atomic() on a 64-bit word. */
typedef enum hy_atomic {
    HY_ATOMIC_FETCH, /* reads only */
    HY_ATOMIC_ADD,
    HY_ATOMIC_AND,
    HY_ATOMIC_OR,
    HY_ATOMIC_SWAP,
    HY_ATOMIC_COMPARE_SWAP, /* writes the operand if the word equals `expected` */
    HY_ATOMICS
} hy_atomic;

/* A non-blocking operation: see hy_op_begin(). */
typedef enum hy_op_kind {
    HY_OP_GET,
    HY_OP_ATOMIC,
    HY_OP_FLUSH,
    HY_OP_PUT,
    HY_OP_SIGNAL,
    HY_OP_FLAG
} hy_op_kind;

typedef struct hy_path_op {
    hy_op_kind kind;
    bool ordered;    /* of PUT, SIGNAL and FLAG: what is begun from now on is ordered behind it */
    uint64_t remote; /* of all but FLUSH */
    void *local;     /* of GET and PUT: `len` bytes; of SIGNAL: the payload; of FLAG: its data */
    size_t len;
    hy_atomic what; /* of ATOMIC: the arguments of atomic() */
    /* operand: also the head of a SIGNAL, and the value of a FLAG */
    uint64_t operand, expected, *before;
    uint64_t path[64]; /* belongs to the path while the operation is under way */
} hy_path_op;

typedef struct hy_ep hy_ep;
typedef struct hy_kmod hy_kmod; /* path/kmod/kmod.h */

/* hy_path_ops.caps */
enum {
    HY_CAP_MAPPED = 1, /* a transport whose part is mapped here: loads, stores and atomics on it
                        * work */
    HY_CAP_LOADS = 2,  /* a single copy whose put and get are plain loads and stores */
};

typedef struct hy_path_ops {
    const char *name;
    uint32_t caps;
    /* Copy data; complete on return: the caller may reuse `local`. PEER_FAILED, UNSUPPORTED,
     * CORRUPT (address outside of the part). */
    int (*put)(hy_ep *ep, uint64_t remote, const void *local, size_t len);
    int (*get)(hy_ep *ep, uint64_t remote, void *local, size_t len);
    /* A single copy that moves many pieces by one system call (NULL: none does): put or get between
     * scattered memory. The pieces of the two sides have the same total length. Changes both
     * arrays. */
    int (*move_pieces)(hy_ep *ep, bool put, struct iovec *local, size_t locals,
                       struct iovec *remote, size_t remotes);
    /* Whether this process can use the path at all. UNSUPPORTED with the reason. */
    int (*probe)(void);
    /* The members below belong to transports; they are NULL in a single copy. signal() writes
     * payload (at most HY_SLOT_PAYLOAD bytes) and then head into the peer's slot at this offset of
     * its part, and wakes the peer. Everything written before is visible to a thread that sees
     * head. The caller may reuse `payload` on return. */
    void (*signal)(hy_ep *ep, uint64_t slot, uint64_t head, const void *payload, size_t len);
    /* Like put and get, but may return before completion: `local` belongs to the path until
     * flush(), or until the peer has answered a signal that followed a put_start(). */
    int (*put_start)(hy_ep *ep, uint64_t remote, const void *local, size_t len);
    int (*get_start)(hy_ep *ep, uint64_t remote, void *local, size_t len);
    /* Writes a flag at this offset of the peer's part, its value last, and wakes the peer. A thread
     * that sees the value sees everything that the calling thread put to this peer before, without
     * a flush. The offset is a multiple of 32. */
    int (*put_flag)(hy_ep *ep, uint64_t remote, const hy_flag *flag);
    /* Operates on the 64-bit word at this offset, a multiple of 8, and stores its previous value in
     * *before; complete on return. Ordered behind the thread's puts like put_flag(), and wakes the
     * peer unless it is a FETCH. Only COMPARE_SWAP uses `expected`. Atomic with respect to all
     * other atomic() and to the owner's own atomics. */
    int (*atomic)(hy_ep *ep, uint64_t remote, hy_atomic what, uint64_t operand, uint64_t expected,
                  uint64_t *before);
    /* After it returns, all earlier puts are visible at the peer, and everything that was
     * started is complete: by this thread, and by other threads if their calls are known to have
     * returned. */
    int (*flush)(hy_ep *ep);
    /* The operations split into two parts that do not wait: see hy_op_begin(). NULL (also in a
     * transport): they complete at once. */
    int (*begin)(hy_ep *ep, hy_path_op *op);
    int (*test)(hy_ep *ep, hy_path_op *op);
} hy_path_ops;

/* A peer as seen by this process. */
struct hy_ep {
    const hy_path_ops *ops;    /* its transport */
    const hy_path_ops *single; /* its single copy; NULL: none works */
    uint8_t *part;             /* its part of the segment, mapped here; NULL: the peer is remote */
    uint64_t part_bytes;       /* UINT64_MAX in a job that lives in one address space: offsets from
                                  `part` reach (and wrap around to) all memory of the peer */
    hy_bell *bell;             /* NULL: the peer is remote, and the path wakes it */
    int rank;
    pid_t pid;
    int lane;                /* lane in `net` */
    bool here;               /* the peer lives in this process's address space */
    uint64_t cookie_address; /* where the peer's process keeps the cookie: proves that pid is
                              * that process */
    uint64_t cookie;
    hy_kmod *kmod;      /* this process's use of the kernel module; NULL: none */
    uint64_t segment;   /* the peer's number of its memory in the module; comes from the peer */
    struct hy_net *net; /* of a peer that is reached over a network (net/net.h), else NULL */
    hy_ratelimit look;  /* limits checks whether a remote peer lives */
    const char *why_not_single; /* the reason if single == NULL; lives as long as the process */
};

extern const hy_path_ops hy_path_direct, hy_path_shm, hy_path_attach, hy_path_copy, hy_path_cma;

/* All paths, for `info` and `doctor`; NULL-terminated. */
extern const hy_path_ops *const hy_paths[];

/* All single-copy paths in the order of preference; NULL-terminated. */
extern const hy_path_ops *const hy_single_copies[];

/* Sets ep->single to the first single-copy path that can read the peer's cookie; if `only` is not
 * NULL, to the path of that name or to none. */
void hy_ep_choose_single(hy_ep *ep, const char *only);

/*
 * Begins an operation, whose first members the caller has filled in, without waiting (except, at
 * the first use of a peer, for the look-up of its address). HAYATE_IN_PROGRESS: it is under way;
 * from then on *op must not move and belongs to the path, together with `local` and *before, until
 * hy_op_test() returns something else. Any other result is that of the blocking operation (OK of a
 * signal), and the operation is complete.
 *
 * Operations under way are not ordered among each other, nor with what is begun after them; what
 * the blocking operations put, signalled or began before is ordered before them. A PUT, SIGNAL or
 * FLAG is ordered like the blocking one before everything that the thread begins after it has seen
 * op->ordered, or its completion. Testing lets the network work (hy_net_ops.progress). An operation
 * that is being tested ends within the silence limit of its peer, like blocking ones: PEER_FAILED.
 * The caller then owns its memory again, except as net/net.h says for memory of this rank's part.
 * An operation must be tested until it is complete before the network is closed, by one thread at a
 * time; a SIGNAL or FLAG may also be given up, by not testing it again.
 *
 * row: ep->ops, or ep->single, which has gets and puts only (a FLUSH completes at once).
 */
int hy_op_begin(const hy_path_ops *row, hy_ep *ep, hy_path_op *op);

static inline int hy_op_test(const hy_path_ops *row, hy_ep *ep, hy_path_op *op)
{
    return row->test(ep, op);
}

static inline bool hy_ep_is_far(const hy_ep *ep)
{
    return ep->part == NULL;
}

static inline bool hy_ep_contains(const hy_ep *ep, uint64_t offset, uint64_t len)
{
    return offset <= ep->part_bytes && len <= ep->part_bytes - offset;
}

/* memcpy for n <= 56, without a call or a loop. */
static inline void hy_copy_slot(void *to, const void *from, size_t n)
{
    uint8_t *d = to;
    const uint8_t *s = from;
    if (n == 8) {
        memcpy(d, s, 8);
    } else if (n >= 32) {
        uint8_t head[32], tail[32];
        memcpy(head, s, 32), memcpy(tail, s + n - 32, 32);
        memcpy(d, head, 32), memcpy(d + n - 32, tail, 32);
    } else if (n >= 16) {
        uint8_t head[16], tail[16];
        memcpy(head, s, 16), memcpy(tail, s + n - 16, 16);
        memcpy(d, head, 16), memcpy(d + n - 16, tail, 16);
    } else if (n >= 8) {
        uint64_t head, tail;
        memcpy(&head, s, 8), memcpy(&tail, s + n - 8, 8);
        memcpy(d, &head, 8), memcpy(d + n - 8, &tail, 8);
    } else if (n >= 4) {
        uint32_t head, tail;
        memcpy(&head, s, 4), memcpy(&tail, s + n - 4, 4);
        memcpy(d, &head, 4), memcpy(d + n - 4, &tail, 4);
    } else {
        for (size_t i = 0; i < n; i++) d[i] = s[i];
    }
}

#endif
