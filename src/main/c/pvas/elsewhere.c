/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the spaces on machines without tasks: hy_pvas_supported() reports this, and no space
 * ever exists. */
#include "pvas/machine.h"
#include "pvas/spawn.h"

#if !defined(__x86_64__)

#include "base/status.h"

int hy_space_any(void)
{
    return 0;
}

int hy_space_create(unsigned tasks, uint64_t bytes, int *number)
{
    (void)tasks, (void)bytes, (void)number;
    return hy_pvas_supported();
}

int hy_space_enter(int number, bool closed, hy_space **space)
{
    (void)closed, (void)space;
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "there is no space %d: this machine does not support spaces", number);
}

void hy_space_leave(hy_space *space)
{
    (void)space;
}

int hy_space_destroy(int number)
{
    hy_space *none;
    return hy_space_enter(number, false, &none);
}

hy_pvas_slot *hy_slot_find(hy_space *space, int task)
{
    (void)space, (void)task;
    return NULL;
}

void hy_slot_collect(hy_space *space, hy_pvas_slot *slot)
{
    (void)space, (void)slot;
}

bool hy_slot_await(hy_space *space, hy_pvas_slot *slot, uint64_t end)
{
    (void)space, (void)slot, (void)end;
    return false;
}

void hy_slot_reclaim(hy_space *space, hy_pvas_slot *slot)
{
    (void)space, (void)slot;
}

int hy_spawn_task(hy_space *space, const hy_spawn *wanted, int *task, pid_t *pid)
{
    (void)space, (void)wanted, (void)task, (void)pid;
    return hy_pvas_supported();
}

#endif
