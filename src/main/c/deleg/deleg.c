/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for the launcher. */
#include "deleg/deleg.h"

#include <poll.h>
#include <stdlib.h>

#include "base/status.h"

#define LOOK_MS 100

struct hy_deleg {
    hy_boot *boot;
    hy_control *control;
};

int hy_deleg_open(hy_deleg **result, hy_boot *boot, hy_control *control)
{
    hy_deleg *deleg = malloc(sizeof *deleg);
    if (!deleg) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a delegatee");
    *deleg = (hy_deleg){.boot = boot, .control = control};
    *result = deleg;
    return HAYATE_OK;
}

int hy_deleg_serve(hy_deleg *deleg, int launcher)
{
    struct pollfd socket = {.fd = launcher, .events = POLLIN};
    int rc = HAYATE_OK;
    while (!rc && poll(&socket, 1, LOOK_MS) <= 0) rc = deleg->boot->ops->check(deleg->boot);
    return rc;
}

void hy_deleg_close(hy_deleg *deleg)
{
    free(deleg);
}
