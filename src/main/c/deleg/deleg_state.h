/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of this room share: the delegatee, its ranks, and operations under way. */
#ifndef HY_DELEG_DELEG_STATE_H
#define HY_DELEG_DELEG_STATE_H

#include "deleg/deleg.h"
#include "job/job.h"
#include "net/delegated/delegation.h"
#include "net/net.h"

typedef struct deleg_ring deleg_ring;
typedef struct deleg_rank deleg_rank;
typedef struct deleg_image deleg_image; /* deleg_offload.c */

/* A command under way. */
typedef struct deleg_op {
    hy_path_op op;
    hy_ep *ep; /* of the peer's node */
    deleg_ring *ring;
    uint64_t number;       /* of the command */
    hy_command command;    /* a copy, which nobody else can change */
    uint64_t before;       /* of an ATOMIC */
    uint8_t *piece;        /* of HY_LOCAL_ADDRESS: where the piece under way is; else NULL */
    uint64_t moved;        /* bytes of the pieces before */
    struct deleg_op *next; /* in the list of those under way, or of the free ones */
} deleg_op;

struct deleg_ring {
    deleg_rank *rank;
    hy_ring *shared;
    int index;          /* of its bit in `work` */
    uint64_t next;      /* number of the next command */
    uint32_t under_way; /* commands */
    deleg_op *first;    /* what is behind this one in the ring must wait: it is not ordered yet */
};

/* A rank of this node. */
struct deleg_rank {
    uint32_t part;   /* its number */
    uint8_t *memory; /* its part */
    hy_bell *bell;
    hy_delegation_rank *shared;
    hy_ep ep;             /* by loads and stores */
    hy_ep process;        /* by single copy */
    bool probed;          /* whether that works: then process.single is set */
    deleg_image **images; /* by their handles; NULL: free */
    uint32_t image_count;
    deleg_ring rings[HY_RINGS];
};

struct hy_deleg {
    hy_job job; /* of the delegatees: the first member */
    hy_control *control;
    hy_layout layout; /* of the job of the ranks */
    hy_delegation *area;
    _Atomic uint32_t *states; /* of the nodes */
    uint64_t part_bytes;
    uint32_t parts;    /* ranks of this node */
    deleg_rank *ranks; /* [parts] */
    hy_ep *nodes;      /* [job.size] made at the first use */
    deleg_op *active, *free;
    deleg_image *running;
    uint64_t *again; /* rings to look into once more, as in `work` */
    bool told;       /* it has been logged why a process cannot be reached */
    uint64_t turns, sleeps, connections;
    hy_wait_policy policy;
    hy_ratelimit look; /* limits slow looks */
    uint64_t watched;  /* when the nodes were last looked at */
};

/* ---- deleg.c: the steps of hy_deleg_open(), for tests with a network of their own ---- */

/* A delegatee without a network; hy_deleg_close() frees it. */
int hy_deleg_make(hy_deleg **deleg, const hy_boot *boot, hy_control *control);

/* hy_net_attr.arrived; the context is the delegatee. */
void hy_deleg_arrived(void *deleg, uint64_t offset);

/* The network is open, if there is one: ranks may use it. */
void hy_deleg_start(hy_deleg *deleg);

/* ---- deleg_ring.c ---- */

/* Begins what is new in the rings. Returns the number of commands. */
int hy_deleg_take(hy_deleg *deleg);

/* Advances what is under way. Returns the number of commands that have ended. */
int hy_deleg_advance(hy_deleg *deleg);

/* ---- deleg_memory.c: data in the memory of a rank's process ---- */

/* Finds out which ranks' processes can be reached, if that is not known yet. */
void hy_deleg_probe(hy_deleg *deleg);

/* Begins the put of a command with HY_LOCAL_ADDRESS, piece by piece. The errors of hy_op_begin();
 * UNSUPPORTED, SYSTEM (the process cannot be read). */
int hy_deleg_pieces_begin(deleg_op *op);

/* Tests the piece under way, and begins the next one when it is complete. */
int hy_deleg_pieces_test(deleg_op *op);

/* ---- deleg_offload.c ---- */

/* Carries out a LOAD, START or UNLOAD. */
int hy_deleg_offload(hy_deleg *deleg, deleg_rank *rank, const hy_command *command,
                     uint64_t *before);

/* Advances the collectives that run. Returns the number of those that have got further. */
int hy_deleg_run(hy_deleg *deleg);

void hy_deleg_drop_all(hy_deleg *deleg);

/* ---- deleg_nodes.c ---- */

/* The endpoint of a node. */
hy_ep *hy_deleg_node(hy_deleg *deleg, int node);

/* Tells the ranks that a node has failed. */
void hy_deleg_lost(hy_deleg *deleg, int node);

/* Looks whether the nodes live for which ranks wait. */
void hy_deleg_watch(hy_deleg *deleg);

#endif
