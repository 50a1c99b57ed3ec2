/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The messages between a rank and `hayate run` over the rank's inherited SOCK_SEQPACKET socket (its
 * descriptor number is in HAYATE_BOOT_FD). The holder of the descriptor has the right to be that
 * rank: there is no name in a file system, no port and no token that others could find.
 *
 *    rank     -> hello    {magic, abi}; the kernel adds pid and uid (SCM_CREDENTIALS)
 *    launcher -> welcome  {magic, abi, status, rank, ...} + the segment's memfd (SCM_RIGHTS);
 *                         status != 0: refused, `reason` tells why (another process is this
 *                         rank, or the abi differs)
 *    rank     -> apart    {magic}: a rank of hayate run --pvas that is not a task
 *    rank     -> bye      {magic}: it leaves in order; end of file without it is a death
 *    rank     -> abort    {magic}: it ends now, and the job with it, whatever it survives
 */
#ifndef HY_BOOT_WIRE_H
#define HY_BOOT_WIRE_H

#include <stdint.h>

#define HY_HELLO_MAGIC UINT32_C(0x68796c6f)
#define HY_WELCOME_MAGIC UINT32_C(0x6879776c)
#define HY_APART_MAGIC UINT32_C(0x68796170)
#define HY_BYE_MAGIC UINT32_C(0x68796279)
#define HY_ABORT_MAGIC UINT32_C(0x68796162)

typedef struct hy_hello {
    uint32_t magic;
    uint32_t abi;
} hy_hello;

typedef struct hy_welcome {
    uint32_t magic;
    uint32_t abi;
    int32_t status; /* HAYATE_OK or HAYATE_ERR_LAUNCH */
    uint32_t rank;
    uint32_t size;
    uint32_t pid; /* the process that is answered: several may hold one socket */
    uint64_t segment_bytes;
    /* hayate run --pvas: where the launcher has mapped the whole segment, and the id of the
     * address space (hy_task.space) in which this address is valid. Otherwise 0 and zeros. */
    uint64_t mapped;
    uint8_t space[16];
    char reason[128];
} hy_welcome;

/* apart, bye, abort */
typedef struct hy_word {
    uint32_t magic;
} hy_word;

/*
 * hayate run --delegate: between the launcher and the delegatee that it has started (delegatee/),
 * over a SOCK_SEQPACKET socket whose number is the argument of that program:
 *
 *    delegatee -> hello   {magic, abi}
 *    launcher  -> order   {magic, ranks, ...}
 *    delegatee -> ready   {magic, status, first, size, ...} + the memfd of the node's segment, when
 *                         the delegatees of all nodes have met; status != 0: `reason` tells why not
 *    launcher  -> bye     {magic}: all ranks of the node have ended
 *    launcher  -> failed  {magic, code}: the job has failed. Then, as after an end of file without
 *                         either, the delegatee asks the cluster's launcher to end all ranks.
 */
#define HY_ORDER_MAGIC UINT32_C(0x68796f72)
#define HY_READY_MAGIC UINT32_C(0x68797265)
#define HY_FAILED_MAGIC UINT32_C(0x68796661)

typedef struct hy_order {
    uint32_t magic;
    uint32_t ranks;      /* of this node */
    uint64_t heap_bytes; /* that the user wants; 0: any */
} hy_order;

typedef struct hy_ready {
    uint32_t magic;
    int32_t status; /* HAYATE_OK or an error */
    uint32_t first; /* the number of the node's first rank in the job; the others follow */
    uint32_t size;  /* ranks of the job */
    uint64_t segment_bytes;
    char reason[512];
} hy_ready;

typedef struct hy_failed {
    uint32_t magic;
    int32_t code; /* exit code of the job */
} hy_failed;

/*
 * Under a cluster's launcher (node.h), the ranks of a node talk to the first rank of the node over
 * a SOCK_SEQPACKET socket with an abstract random name:
 *
 *    rank  -> join   {magic, abi, rank, pid, token}; the kernel adds pid and uid (SO_PEERCRED)
 *    first -> admit  {magic, abi, status, rank, ...} + the segment's memfd, when all have joined;
 *                    status != 0: refused, `reason` tells why. A process that does not know the
 *                    token only sees the connection end.
 */
#define HY_JOIN_MAGIC UINT32_C(0x68796a6f)
#define HY_ADMIT_MAGIC UINT32_C(0x68796164)

typedef struct hy_join {
    uint32_t magic;
    uint32_t abi;
    uint32_t rank;
    uint32_t pid; /* as the rank sees itself */
    uint8_t token[16];
} hy_join;

typedef struct hy_admit {
    uint32_t magic;
    uint32_t abi;
    int32_t status; /* HAYATE_OK or HAYATE_ERR_LAUNCH */
    uint32_t rank;
    uint32_t size;
    uint32_t unused;
    uint64_t segment_bytes;
    char reason[128];
} hy_admit;

#endif
