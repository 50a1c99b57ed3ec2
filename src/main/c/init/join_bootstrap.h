/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins a job whose ranks tell each other two records by somebody else's allgather, in three calls;
 * the caller carries the records in between. No call waits for ranks of other machines, but the
 * last. All calls are made, also after an error of this rank: so all ranks learn of it. The errors
 * come from hy_join_finish().
 *
 *    hy_join_offer() -> record -> allgather -> hy_join_begin() -> record -> allgather ->
 *    hy_join_finish()
 */
#ifndef HY_INIT_JOIN_BOOTSTRAP_H
#define HY_INIT_JOIN_BOOTSTRAP_H

#include "boot/bootstrap.h"
#include "job/job.h"

typedef struct hy_bootstrap_join hy_bootstrap_join;

/* rank and size as for hy_bootstrap_create(). *bytes: length of the record. NO_MEMORY, SYSTEM:
 * there is nothing that could be told. */
int hy_join_offer(hy_bootstrap_join **join, int rank, int size,
                  const uint8_t machine[HY_MACHINE_BYTES], uint8_t record[HY_OFFER_BYTES],
                  size_t *bytes);

/* Returns the length of the second record. */
size_t hy_join_begin(hy_bootstrap_join *join, const hy_records *offers,
                     uint8_t record[HY_OFFER_BYTES]);

/* Collective. Frees `join` in any case. */
int hy_join_finish(hy_bootstrap_join *join, const hy_records *addresses, hy_job **job);

/* Instead of the calls that have not been made: leaves the job. Returns why this rank could not
 * have joined; HAYATE_OK: it could have. */
int hy_join_drop(hy_bootstrap_join *join);

#endif
