/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program in its partition: text, data, interpreter, stack, and what is left for heap and
 * mappings. The same for a task that is spawned and for one that executes another program.
 */
#ifndef HY_PVAS_IMAGE_H
#define HY_PVAS_IMAGE_H

#include "pvas/child.h"
#include "pvas/program.h"

#if defined(__x86_64__)

typedef struct hy_image {
    hy_partition *own;
    uint64_t bytes; /* of the partition */
    uint64_t stack_bytes;
    const hy_program *program;
    const char *path; /* as it was named */
    char *const *arguments, *const *environment;
} hy_image;

/* How long a program and its interpreter may be. */
HY_BARE_TOO uint64_t hy_image_room(uint64_t partition_bytes);

/* The stack that RLIMIT_STACK says, within bounds. */
HY_BARE_TOO uint64_t hy_image_usual_stack(void);
HY_BARE_TOO uint64_t hy_image_stack(uint64_t wanted);

/* Maps it, where nothing is but the control area, and tells `start` where it begins. Arguments and
 * environment lie outside of what is mapped. NO_MEMORY, SYSTEM: the partition holds a part of it.
 */
HY_BARE_TOO int hy_image_load(const hy_image *image, hy_start *start, hy_problem *problem);

/* Notes what /proc/self/exe and the task's name are. SYSTEM: there is no /proc. */
HY_BARE_TOO int hy_image_name(const hy_image *image, hy_start *start, hy_problem *problem);

#endif
#endif
