/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pvas: programs as tasks of one address space (partitioned virtual address space).
 *
 * A *task* runs an unmodified position-independent program in the address space of the process
 * that spawned it. Its text, data, heap, stacks and mappings are in a partition of that address
 * space. A task keeps what a process has: a pid, descriptors, signal handlers, private globals and
 * a private C library. All tasks and the spawner can access each other's memory with plain loads
 * and stores.
 *
 * There is no protection between the tasks of a space, nor between a task and its spawner: a write
 * through a wild pointer can damage any of them. Tasks are for parts of one program, not for
 * programs that do not trust each other. A task must not call functions of another task (they
 * would run on the wrong thread-local storage).
 *
 * Programs must be x86-64 Linux PIE executables, dynamic (with any ELF interpreter: glibc, musl,
 * ...) or static, and not setuid. Others get HAYATE_ERR_UNSUPPORTED. Where no such address space
 * can be made (in a sandbox without seccomp filters, on another architecture), pvas_create()
 * reports the reason.
 *
 * Every function returns HAYATE_OK or a negative HAYATE_ERR_* code; hayate_error() returns the
 * reason. Spaces and tasks are small numbers of this process, which are never reused; a stale
 * number is detected (ARGUMENT). All functions may be called from any thread of the process that
 * created the space; pvas_export(), pvas_import() and pvas_self() also from its tasks. A child of
 * fork() can use none of them.
 *
 * After Shimada, Gerofi, Hori and Ishikawa, "Proposing a new task model towards many-core
 * architecture" and their work on intra-node communication. Their implementation is in the kernel,
 * this one is in user space.
 */
#ifndef HAYATE_PVAS_H
#define HAYATE_PVAS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <hayate/hayate.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The longest name that can be exported, in bytes without the terminating 0. */
#define PVAS_NAME_MAX 63

/** How many names one task can have exported at a time. */
#define PVAS_EXPORTS_MAX 128

/** The largest number of tasks for which a space can have room. */
#define PVAS_TASKS_MAX 4096

/** How many spaces a process can have at a time. */
#define PVAS_SPACES_MAX 64

/** Creates a space with room for `tasks` tasks (at most PVAS_TASKS_MAX; 0: as many as fit) with
 * partitions of `partition_bytes` (a power of two from 1 GiB to 4 TiB; 0: 64 GiB). Only
 * addresses are reserved, no memory. A JVM with ZGC needs 256 GiB. ARGUMENT; NO_MEMORY (no such
 * range of addresses is free because other spaces have it, or PVAS_SPACES_MAX is reached);
 * UNSUPPORTED; SYSTEM (the guard, a helper that watches over the tasks, could not be started;
 * the reason contains errno); STATE (in a child of fork()). */
HAYATE_API int pvas_create(unsigned tasks, uint64_t partition_bytes, int *space);

/** Destroys a space: kills the tasks that still run, waits for them, and frees their memory.
 * BUSY: memory of a task is held (pvas_hold()), and nothing was done. ARGUMENT (also: already
 * destroyed). */
HAYATE_API int pvas_destroy(int space);

/** What a spawn does differently from the default; all zero, or no `pvas_spawning`, is the
 * default. */
typedef struct pvas_spawning {
    size_t stack_bytes;         /**< stack of the first thread; 0: RLIMIT_STACK, at most 64 MiB */
    const char *directory;      /**< working directory; NULL: the caller's */
    const int *descriptors;     /**< the caller's descriptors that become 0, 1 and 2 of the task;
                                     -1: /dev/null. NULL: the caller's descriptors 0, 1, 2 */
    const int *inherited;       /**< further descriptors, as pairs {caller's, task's} */
    size_t inherited_count;     /**< number of pairs */
    int new_group;              /**< not 0: the task leads a new process group */
    const struct rlimit *files; /**< RLIMIT_NOFILE of the task, set once it has its descriptors;
                                     NULL: the caller's limit */
} pvas_spawning;

/**
 * Starts the program at `path` (no search in PATH; the `#!` of a script is followed) as a task
 * with `argv` and `envp` (NULL-terminated; envp NULL: the caller's environment). All signals have
 * their default actions, except those that the caller ignores. The signal mask is the caller's.
 * Descriptors that are not close-on-exec are inherited as by exec.
 *
 * The duration of the call does not depend on the size of the caller. It returns before the
 * program's first instruction; `*task` is its number in the space, `*pid` (may be NULL) its
 * process. The task is a child of the calling process: wait for it with pvas_wait() only. It is
 * killed when the calling process ends, for any reason. A program that the task executes with exec
 * takes its place: the task continues, except in the cases that hayate-pvas(7) lists.
 *
 * ARGUMENT; UNSUPPORTED (not a PIE, wrong machine, or damaged, as the reason tells; setuid);
 * SYSTEM (missing file, no permission, too many processes, ...; the reason contains errno);
 * NO_MEMORY (no partition is free, or the program does not fit into one); CLOSED (the space was
 * destroyed).
 */
HAYATE_API int pvas_spawn(int space, const char *path, char *const argv[], char *const envp[],
                          const pvas_spawning *spawning, int *task, pid_t *pid);

/** How a task ended. */
typedef struct pvas_status {
    int exited; /**< 1: it exited with `code`; 0: signal `code` killed it */
    int code;
    int dumped; /**< 1: a core file was written */
} pvas_status;

/** Waits at most `timeout_ms` milliseconds (-1: without limit, 0: does not block) until the task
 * has ended, with all its threads. Several threads may call it, and repeatedly: the answer
 * stays until pvas_reclaim(). HAYATE_IN_PROGRESS (above 0) after the time; ARGUMENT; SYSTEM
 * (the task has ended, but another call has waited for its process, so that its status is
 * lost). */
HAYATE_API int pvas_wait(int space, int task, int timeout_ms, pvas_status *status);

/** Sends a signal to the task. If the task has ended, the call does nothing and is not an error.
 * ARGUMENT; SYSTEM. */
HAYATE_API int pvas_kill(int space, int task, int signal);

/** Frees the memory of a task that has ended; its partition is free for another task. BUSY: the
 * task still runs, or its memory is held. ARGUMENT (also: already reclaimed). */
HAYATE_API int pvas_reclaim(int space, int task);

/** pvas_hold() keeps the memory of a task from being reclaimed until pvas_drop() has been called
 * as many times as pvas_hold(). Code that reads the memory directly holds it. ARGUMENT. */
HAYATE_API int pvas_hold(int space, int task);
HAYATE_API int pvas_drop(int space, int task);

/**
 * Publishes [memory, memory + bytes) of the caller under `name` in its space. Release order: an
 * importer sees everything that was written before. Exporting a name again replaces it; memory
 * NULL withdraws it. In a task, `space` is ignored: the task's space is used. ARGUMENT (name empty
 * or too long; in a task: memory outside its partition); NO_MEMORY (PVAS_EXPORTS_MAX); STATE (the
 * caller is neither a task nor the creator of `space`).
 */
HAYATE_API int pvas_export(int space, const char *name, void *memory, size_t bytes);

/** The creator of a space, as the `task` of pvas_import(). */
#define PVAS_CREATOR (-1)

/**
 * Finds what `task` (PVAS_CREATOR: the creating process) exports as `name`; waits for it at most
 * `timeout_ms` milliseconds, like pvas_wait(). Task numbers are those of pvas_spawn() and
 * pvas_self(). The memory is valid until the task is reclaimed, unless the task unmaps it. In a
 * task, `space` is ignored. HAYATE_IN_PROGRESS (above 0): not exported within the time.
 * PEER_FAILED: the task has ended without exporting it. CORRUPT: the exported memory is outside
 * its partition. ARGUMENT; STATE.
 */
HAYATE_API int pvas_import(int space, int task, const char *name, int timeout_ms, void **memory,
                           size_t *bytes);

/** Returns the number of this task in its space; STATE if this process is not a task. */
HAYATE_API int pvas_self(void);

/** Stores the start and the length of a task's partition. ARGUMENT; STATE. */
HAYATE_API int pvas_partition(int space, int task, void **base, uint64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
