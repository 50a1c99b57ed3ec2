/* SPDX-License-Identifier: Apache-2.0 */
/* A job of one rank, which sends to itself. */
#ifndef HY_TEST_SELF_FIXTURE_H
#define HY_TEST_SELF_FIXTURE_H

#include <stdlib.h>

#include "fmpl/fmpl.h"
#include "init/join.h"

static hy_job *job;
static hy_fmpl *fmpl;

static inline int self_open(int lanes)
{
    setenv("HAYATE_HEAP", "1M", 1);
    int rc = hy_job_open(&job);
    return rc ? rc : hy_fmpl_open(&fmpl, job, NULL, NULL, lanes);
}

static inline int self_close(void **state)
{
    (void)state;
    hy_fmpl_close(fmpl);
    hy_fmpl_free(fmpl);
    hy_job_close(job);
    hy_job_free(job);
    return 0;
}

#endif
