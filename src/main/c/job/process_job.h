/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HY_JOB_PROCESS_JOB_H
#define HY_JOB_PROCESS_JOB_H

#include "job/job.h"

/* The job of hayate_init(); NULL: STATE. */
hy_job *hy_process_job(void);

#endif
