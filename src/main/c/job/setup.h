/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective set-up: all ranks of the job make something together (an FMPL, a communicator, a
 * global space), and tell each other where its parts lie.
 *
 *   enter      this thread's turn: the threads of a rank come one after the other
 *   begin      waits until all ranks have come
 *   exchange   publishes this rank's record; hy_boot_record() reads the others' until end
 *   end        all have read the records
 *   leave      gives the turn to the next thread
 *
 * begin, exchange and end may follow each other several times in one turn. The turn is no lock: a
 * thread that waits for it sees the end of the job, and of what it makes something for, and nobody
 * else waits for it. Locks that other calls take are not to be held from begin to end, which last
 * until the slowest rank has come.
 *
 * All ranks are to do the same things in the same order. Whoever meets a rank that does something
 * else gets MISMATCH; the job goes on.
 */
#ifndef HY_JOB_SETUP_H
#define HY_JOB_SETUP_H

#include "job/job.h"

typedef enum hy_setup { HY_SETUP_FMPL, HY_SETUP_COMM, HY_SETUP_OMPL } hy_setup;

/* Room on a record: the rest of it says what is made. */
#define HY_SETUP_RECORD_BYTES (HY_RECORD_BYTES - sizeof(uint64_t))

/* CLOSED: the job is closed, or *closed became 1 (its setter rings the rank's bell); NULL: nothing
 * else can be closed. PEER_FAILED: the launcher is gone. */
int hy_setup_enter(hy_job *job, const _Atomic uint32_t *closed);
void hy_setup_leave(hy_job *job);

/* Behind it nobody writes any more into memory that was released late before it, which is free
 * then. CLOSED, as above: then this rank has not come, and may begin something else. As long as
 * ranks of other nodes have not come that is only seen before all of this node have. PEER_FAILED:
 * a rank is dead or has left. */
int hy_setup_begin(hy_job *job, const _Atomic uint32_t *closed);

/* MISMATCH names a rank that makes something else. Whatever the result is, end follows. */
int hy_setup_exchange(hy_job *job, hy_setup what, const void *record, size_t bytes);
int hy_setup_end(hy_job *job);

#endif
