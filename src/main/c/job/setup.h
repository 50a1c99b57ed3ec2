/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective set-up: all ranks of the job create something together (an FMPL, a communicator, a
 * global space), and tell each other where its parts are.
 *
 *    enter      takes this thread's turn: the threads of a rank follow each other
 *    begin      waits until all ranks have come
 *    exchange   publishes this rank's record; hy_boot_record() reads the others' until end
 *    end        waits until all ranks have read the records
 *    leave      gives the turn to the next thread
 *
 * begin, exchange and end may be repeated in one turn. The turn is not a lock: a thread that waits
 * for it notices the end of the job and of the object for which it creates something, and does not
 * delay other calls. Locks that other calls take must not be held from begin to end, which last
 * until the slowest rank has come.
 *
 * All ranks must create the same things in the same order. A rank that meets a rank which creates
 * something else gets MISMATCH; the job goes on.
 */
#ifndef HY_JOB_SETUP_H
#define HY_JOB_SETUP_H

#include "job/job.h"

typedef enum hy_setup { HY_SETUP_FMPL, HY_SETUP_COMM, HY_SETUP_OMPL } hy_setup;

/* The room in a record; the rest of it tells what is created. */
#define HY_SETUP_RECORD_BYTES (HY_RECORD_BYTES - sizeof(uint64_t))

/* CLOSED: the job is closed, or *closed became 1 (whoever sets it rings the rank's bell); NULL:
 * only the job can be closed. PEER_FAILED: the launcher has ended. */
int hy_setup_enter(hy_job *job, const _Atomic uint32_t *closed);
void hy_setup_leave(hy_job *job);

/* Afterwards, no rank writes any more into memory that was released late before the call; that
 * memory is free then. CLOSED, as above: then this rank has not come, and may begin something
 * else. While ranks of other nodes have not come, closing is noticed only until all ranks of
 * this node have come. PEER_FAILED: a rank is dead or has left. */
int hy_setup_begin(hy_job *job, const _Atomic uint32_t *closed);

/* MISMATCH names a rank that creates something else. hy_setup_end() must follow in any case. */
int hy_setup_exchange(hy_job *job, hy_setup what, const void *record, size_t bytes);
int hy_setup_end(hy_job *job);

#endif
