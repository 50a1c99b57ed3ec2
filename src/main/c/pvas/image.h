/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program in its partition: text, data, interpreter, stack, and the space that is left for the
 * heap and mappings. It is the same for a task that is spawned and for a task that executes another
 * program.
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
    const char *path; /* as the caller named it */
    char *const *arguments, *const *environment;
} hy_image;

/* Bytes that a program and its interpreter may occupy. */
HY_BARE_TOO uint64_t hy_image_room(uint64_t partition_bytes);

/* The stack size of RLIMIT_STACK, within bounds. */
HY_BARE_TOO uint64_t hy_image_usual_stack(void);
HY_BARE_TOO uint64_t hy_image_stack(uint64_t wanted);

/* Maps the program into a partition that contains nothing but the control area, and stores its
 * entry point in `start`. Arguments and environment lie outside of what is mapped. NO_MEMORY,
 * SYSTEM: a part of the program may be mapped. */
HY_BARE_TOO int hy_image_load(const hy_image *image, hy_start *start, hy_problem *problem);

/* Records the task's name and the target of its /proc/self/exe. SYSTEM: there is no /proc. */
HY_BARE_TOO int hy_image_name(const hy_image *image, hy_start *start, hy_problem *problem);

#endif
#endif
