/* SPDX-License-Identifier: Apache-2.0 */
/* Starts tasks. */
#ifndef HY_PVAS_SPAWN_H
#define HY_PVAS_SPAWN_H

#include "pvas/space.h"

typedef struct hy_spawn {
    const char *path;
    char *const *argv, *const *envp;
    const pvas_spawning *spawning; /* never NULL */
} hy_spawn;

/* Like pvas_spawn(). */
int hy_spawn_task(hy_space *space, const hy_spawn *wanted, int *task, pid_t *pid);

#endif
