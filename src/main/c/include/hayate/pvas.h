/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Pvas: programs as tasks of one address space (partitioned virtual address space).
 *
 * A *task* runs an unmodified position-independent program in the address space of the process that
 * spawned it, in a partition of its own: text, data, heap, stacks and all that it maps. It keeps
 * what a process has: a pid, descriptors, signal handlers, its own globals and its own C library.
 * Whoever lives in the address space reads and writes the memory of all tasks with plain loads and
 * stores.
 *
 * There is no protection between tasks of one space, nor between a task and its spawner: one that
 * writes through a wild pointer can damage every other. Tasks are parts of one program, not
 * strangers. A task must not call functions of another one (they would run on the wrong
 * thread-local storage).
 *
 * Programs: x86-64 Linux, PIE, dynamic (any ELF interpreter: glibc, musl, ...) or static, not
 * setuid. Others get HAYATE_ERR_UNSUPPORTED. Where the address space cannot be had (a sandbox
 * without seccomp filters, another architecture) pvas_create() says so.
 *
 * Every function returns HAYATE_OK or a negative HAYATE_ERR_*; hayate_error() tells why. Spaces and
 * tasks are small numbers of this process, which are not used twice; a stale one is recognised
 * (ARGUMENT). All functions may be called from any threads of the process that created the space;
 * pvas_export(), pvas_import() and pvas_self() also from its tasks. A child of fork() can use none.
 *
 * After Shimada, Gerofi, Hori and Ishikawa, "Proposing a new task model towards many-core
 * architecture" and its work on intra-node communication; theirs is a kernel's, this is made in
 * user space.
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

/** Longest name that can be exported, in bytes without the closing 0. */
#define PVAS_NAME_MAX 63

/** Names that one task can have exported at a time. */
#define PVAS_EXPORTS_MAX 128

/** Most tasks that a space can have room for. */
#define PVAS_TASKS_MAX 4096

/** Spaces that a process can have at a time. */
#define PVAS_SPACES_MAX 64

/** Forms a space: room for `tasks` tasks (at most PVAS_TASKS_MAX; 0: as many as fit) of
 *  `partition_bytes` each (a power of two from 1 GiB to 4 TiB; 0: 64 GiB). Room is only reserved:
 *  it costs no memory. A JVM with ZGC wants 256 GiB. ARGUMENT; NO_MEMORY (no such range is free:
 *  other spaces have it; PVAS_SPACES_MAX); UNSUPPORTED; SYSTEM (the helper that watches over the
 *  tasks could not be started: errno in the sentence); STATE (in a child of fork()). */
HAYATE_API int pvas_create(unsigned tasks, uint64_t partition_bytes, int *space);

/** Ends a space: kills the tasks that still run, waits for them, gives their memory back.
 *  BUSY: memory of a task is held (pvas_hold()), nothing was done; ARGUMENT (also: ended before).
 */
HAYATE_API int pvas_destroy(int space);

/** What is not the default at a spawn; all zero (or no `pvas_spawning` at all) is. */
typedef struct pvas_spawning {
    size_t stack_bytes;     /**< of the first thread; 0: RLIMIT_STACK, at most 64 MiB */
    const char *directory;  /**< to start in; NULL: the caller's */
    const int *descriptors; /**< {0's, 1's, 2's}: descriptors of the caller that the task gets as 0,
                                 1 and 2; -1: /dev/null. NULL: the caller's own 0, 1, 2 */
    const int *inherited;   /**< pairs {caller's, task's} of further descriptors */
    size_t inherited_count; /**< number of pairs */
    int new_group;          /**< not 0: the task leads a process group of its own */
    const struct rlimit *files; /**< RLIMIT_NOFILE of the task, set when it has its descriptors;
                                     NULL: the caller's */
} pvas_spawning;

/**
 * Starts the program at `path` (no search in PATH; the `#!` of a script is followed) as a task with
 * `argv` and `envp` (NULL-terminated; envp NULL: the caller's environment). All signals have their
 * default actions but those that the caller ignores; its signal mask is the caller's; descriptors
 * that are not close-on-exec are inherited as by exec.
 *
 * The time of the call does not depend on the size of the caller. It returns before the program's
 * first instruction; `*task` is its number in the space, `*pid` (may be NULL) its process.
 * The task is a child of the calling process: do not wait for it by other means than pvas_wait().
 * It is killed when the calling process ends, whatever the reason. A program that it executes takes
 * its place: the task stays, but for the cases that hayate-pvas(7) lists.
 *
 * ARGUMENT; UNSUPPORTED (no PIE, other machine, damaged: says which; setuid); SYSTEM (errno in the
 * sentence: missing file, no permission, too many processes, ...); NO_MEMORY (no partition is free,
 * or the program does not fit into one); CLOSED (the space was destroyed).
 */
HAYATE_API int pvas_spawn(int space, const char *path, char *const argv[], char *const envp[],
                          const pvas_spawning *spawning, int *task, pid_t *pid);

/** How a task ended. */
typedef struct pvas_status {
    int exited; /**< 1: it exited with `code`; 0: signal `code` killed it */
    int code;
    int dumped; /**< 1: a core file was written */
} pvas_status;

/** Waits at most `timeout_ms` (-1: without limit, 0: only looks) until the task has ended, all its
 *  threads included. May be asked by several threads and again: the answer stays until
 *  pvas_reclaim(). HAYATE_IN_PROGRESS (above 0) after the time; ARGUMENT; SYSTEM (it has ended, but
 *  somebody else waited for its process, so that nobody knows how). */
HAYATE_API int pvas_wait(int space, int task, int timeout_ms, pvas_status *status);

/** Sends a signal to the task; one that has ended gets none and that is no error. ARGUMENT; SYSTEM.
 */
HAYATE_API int pvas_kill(int space, int task, int signal);

/** Gives the memory of a task that has ended back to the system; its partition is free for another.
 *  BUSY: it still runs, or its memory is held; ARGUMENT (also: reclaimed before). */
HAYATE_API int pvas_reclaim(int space, int task);

/** Keeps the memory of a task from being reclaimed until as many pvas_drop() as holds were made:
 *  by whoever reads it directly. ARGUMENT. */
HAYATE_API int pvas_hold(int space, int task);
HAYATE_API int pvas_drop(int space, int task);

/**
 * Publishes [memory, memory + bytes) of the caller under `name` in its space; release ordering:
 * who imports it sees all that was written before. Exporting a name again replaces it; memory NULL
 * takes it back. From a task: in the space it runs in, `space` is ignored. ARGUMENT (name empty,
 * too long; from a task: memory not in its partition); NO_MEMORY (PVAS_EXPORTS_MAX); STATE (neither
 * a task nor a creator of `space`).
 */
HAYATE_API int pvas_export(int space, const char *name, void *memory, size_t bytes);

/** The creator of a space, where a task number is asked for in pvas_import(). */
#define PVAS_CREATOR (-1)

/**
 * Finds what `task` (PVAS_CREATOR: the creating process) exports as `name`; waits at most
 * `timeout_ms` for it as pvas_wait() does. Task numbers are those of pvas_spawn() and pvas_self().
 * The memory is valid until the task is reclaimed, if it does not unmap it itself. From a task:
 * `space` is ignored. HAYATE_IN_PROGRESS (above 0): nobody did within the time; PEER_FAILED: the
 * task has ended without it; CORRUPT: what it exports is not in its partition; ARGUMENT; STATE.
 */
HAYATE_API int pvas_import(int space, int task, const char *name, int timeout_ms, void **memory,
                           size_t *bytes);

/** Number of this task in its space; STATE when this process is no task. */
HAYATE_API int pvas_self(void);

/** Where a task's partition begins and how long it is. ARGUMENT; STATE. */
HAYATE_API int pvas_partition(int space, int task, void **base, uint64_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
