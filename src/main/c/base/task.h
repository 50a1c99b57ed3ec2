/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a task of a partitioned address space knows about itself. The shim (pvas/) writes it at the
 * start of the task's partition and passes its address in the auxiliary vector, which no
 * environment can forge and no exec'd child inherits.
 */
#ifndef HY_BASE_TASK_H
#define HY_BASE_TASK_H

#include <stdint.h>
#include <sys/types.h>

#define HY_AT_TASK UINT64_C(0x6879617465) /* a_type of the auxiliary vector */
#define HY_TASK_MAGIC UINT64_C(0x6b7361742d796168)

typedef struct hy_task {
    uint64_t magic;
    uint32_t bytes;     /* of this structure: an older library finds what it knows */
    int32_t number;     /* in its space */
    uint64_t base, end; /* its partition */
    uint8_t space[16];  /* random: two tasks with the same one live in one address space */
    uint64_t shared;    /* address of the space's table (pvas/space.h) */
    int32_t spawner;    /* pid of the process whose address space this is */
    _Atomic int32_t pid;
    _Atomic uint32_t joined; /* 1: a rank of a job, whose peers may know addresses in here */
    _Atomic uint32_t left;   /* HY_LEFT_..: why the last exec took it out of the address space */
} hy_task;

enum {
    HY_LEFT_NOT,
    HY_LEFT_PROGRAM, /* the program cannot be a task */
    HY_LEFT_THREADS, /* there were others, or nobody could tell */
    HY_LEFT_KNOWN,   /* others may use its memory */
    HY_LEFT_OTHERWISE
};

/* NULL: this process is no task. The child of a task's fork() has another address space and is
 * none.
 */
hy_task *hy_task_self(void);

#endif
