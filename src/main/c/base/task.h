/* SPDX-License-Identifier: Apache-2.0 */
/* What a task of a partitioned address space knows about itself. The shim (pvas/) writes it at
 * the start of the task's partition and passes its address in the auxiliary vector, which an
 * environment cannot forge and a program started by exec does not inherit. */
#ifndef HY_BASE_TASK_H
#define HY_BASE_TASK_H

#include <stdint.h>
#include <sys/types.h>

#define HY_AT_TASK UINT64_C(0x6879617465) /* a_type of the auxiliary vector */
#define HY_TASK_MAGIC UINT64_C(0x6b7361742d796168)

typedef struct hy_task {
    uint64_t magic;
    uint32_t bytes; /* size of this structure: an older library reads the fields that it knows */
    int32_t number; /* its number in its space */
    uint64_t base, end; /* its partition */
    uint8_t space[16];  /* random; equal in all tasks of one address space */
    uint64_t shared;    /* address of the space's table (pvas/space.h) */
    int32_t spawner;    /* pid of the process that created the address space */
    _Atomic int32_t pid;
    _Atomic uint32_t joined; /* 1: a rank of a job, whose peers may know addresses of this task */
    _Atomic uint32_t left;   /* HY_LEFT_..: why the last exec took it out of the address space */
} hy_task;

enum {
    HY_LEFT_NOT,
    HY_LEFT_PROGRAM, /* the program cannot be a task */
    HY_LEFT_THREADS, /* there were other threads, or this was unknown */
    HY_LEFT_KNOWN,   /* other processes may use its memory */
    HY_LEFT_OTHERWISE
};

/* NULL: this process is not a task. The child of a task by fork() has another address space and
 * is not a task. */
hy_task *hy_task_self(void);

#endif
