/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the job by an error. Not every launcher ends the other ranks when one exits. */
#include "blacs/state.h"
#include "init/join.h"

void hayate_blacs_abort(int code)
{
    const hy_blacs *blacs = hy_process_blacs();
    hy_job *job = blacs ? blacs->job : hy_process_job(); /* Java's job is not the process's */
    if (job) hy_boot_abort(&job->boot, code);
}
