/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the request, claims a slot, loads the program into its partition and clones the child.
 * Everything that can fail is done before the clone where possible, so that errors can be reported.
 */
#include "pvas/spawn.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/line.h"
#include "base/status.h"
#include "pvas/image.h"
#include "pvas/load.h"

/* Not in all headers yet. */
#define HY_CLONE_CLEAR_SIGHAND (UINT64_C(1) << 32)

/* One spawn, from the checks to the running task. */
typedef struct spawner {
    const hy_spawn *wanted;
    hy_space *space;
    hy_pvas_slot *slot;
    uint64_t base, end, bytes, stack_bytes;
    int directory, null; /* descriptors; -1: none */
    hy_program program;
    hy_problem problem; /* reported while everything above still exists */
} spawner;

static int choose_stack(spawner *s)
{
    uint64_t bytes = s->wanted->spawning->stack_bytes;
    if (bytes > s->bytes / 4)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "stack of %llu bytes: expected at most a quarter of the partition",
                       (unsigned long long)bytes);
    s->stack_bytes = bytes ? hy_image_stack(bytes) : hy_image_usual_stack();
    return HAYATE_OK;
}

static int open_directory(spawner *s)
{
    const char *name = s->wanted->spawning->directory;
    if (!name) return HAYATE_OK;
    s->directory = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (s->directory < 0 || faccessat(s->directory, ".", X_OK, AT_EACCESS) != 0)
        return hy_fail_errno("cannot open the working directory %s", name);
    return HAYATE_OK;
}

static int check_pair(int from, int to, uint64_t limit)
{
    if (from < 0 || to < 0 || (uint64_t)to >= limit)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "descriptor %d as the task's %d: expected numbers from 0 to the limit (%llu)", from, to,
            (unsigned long long)limit);
    if (fcntl(from, F_GETFD) < 0)
        return hy_fail_errno("cannot pass descriptor %d to the task", from);
    return HAYATE_OK;
}

static int open_null(spawner *s)
{
    if (s->null < 0) s->null = open("/dev/null", O_RDWR | O_CLOEXEC);
    return s->null < 0 ? hy_fail_errno("cannot open /dev/null") : HAYATE_OK;
}

static int add_pair(hy_start *start, int from, int to, uint64_t limit)
{
    int code = check_pair(from, to, limit);
    if (!code) start->pairs[start->pair_count++] = (hy_pair){from, to};
    return code;
}

static int list_descriptors(spawner *s, hy_start *start)
{
    const pvas_spawning *spawning = s->wanted->spawning;
    struct rlimit limit = {HY_PAIRS_MAX, HY_PAIRS_MAX};
    int code = HAYATE_OK;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (spawning->inherited_count > HY_PAIRS_MAX - 3)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%zu inherited descriptors: expected at most %d",
                       spawning->inherited_count, HY_PAIRS_MAX - 3);
    for (int i = 0; !code && spawning->descriptors && i < 3; i++) {
        int from = spawning->descriptors[i];
        if (from == -1) code = open_null(s);
        if (!code) code = add_pair(start, from == -1 ? s->null : from, i, limit.rlim_cur);
    }
    for (size_t i = 0; !code && i < spawning->inherited_count; i++)
        code = add_pair(start, spawning->inherited[2 * i], spawning->inherited[2 * i + 1],
                        limit.rlim_cur);
    return code;
}

static int spawn_tell(const spawner *s, int code)
{
    return code ? hy_problem_tell(&s->problem) : HAYATE_OK;
}

static int check_mapped(spawner *s, long result)
{
    return spawn_tell(s, hy_load_check(result, "the partition of a task", &s->problem));
}

static hy_partition *partition_of(const spawner *s)
{
    return (hy_partition *)(uintptr_t)s->base;
}

static hy_start *start_of(const spawner *s)
{
    return (hy_start *)(uintptr_t)(s->base + HY_START_OFFSET);
}

static hy_member *member_of(const spawner *s)
{
    return &s->space->table->members[s->slot - s->space->slots];
}

static void describe_task(spawner *s)
{
    hy_partition *own = partition_of(s);
    own->task.bytes = sizeof own->task;
    own->task.number = s->slot->number;
    own->task.base = s->base;
    own->task.end = s->end;
    memcpy(own->task.space, s->space->table->id, sizeof own->task.space);
    own->task.shared = (uint64_t)(uintptr_t)s->space->table;
    own->task.spawner = s->space->creator;
    own->outside = hy_table_outside(s->space->table, (uint32_t)(s->slot - s->space->slots));
    hy_stack_inherit(&own->inherited);
    own->task.magic = HY_TASK_MAGIC;
}

static int name_program(spawner *s, const hy_image *image)
{
    if (!hy_image_name(image, start_of(s), &s->problem)) return HAYATE_OK;
    if (realpath(s->wanted->path, partition_of(s)->exe)) return HAYATE_OK; /* without /proc */
    return spawn_tell(s, s->problem.code);
}

static int make_partition(spawner *s)
{
    int code = check_mapped(s, hy_region_open(s->base, s->bytes));
    if (!code)
        code = check_mapped(s, hy_sys6(SYS_mmap, s->base, HY_CONTROL_BYTES, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
                                       (uint64_t)-1, 0));
    if (!code) describe_task(s);
    return code;
}

static int load_program(spawner *s)
{
    hy_image image = {.own = partition_of(s),
                      .bytes = s->bytes,
                      .stack_bytes = s->stack_bytes,
                      .program = &s->program,
                      .path = s->wanted->path,
                      .arguments = s->wanted->argv,
                      .environment = s->wanted->envp};
    int code = name_program(s, &image);
    return code ? code : spawn_tell(s, hy_image_load(&image, start_of(s), &s->problem));
}

static int fill_start(spawner *s)
{
    hy_start *start = start_of(s);
    start->member = member_of(s);
    start->spawner = s->space->creator;
    start->directory = s->directory;
    start->new_group = s->wanted->spawning->new_group;
    start->has_files = s->wanted->spawning->files != NULL;
    if (start->has_files) start->files = *s->wanted->spawning->files;
    hy_filter_build(s->base, s->bytes, &start->filter);
    return list_descriptors(s, start);
}

/* Children of a process that ignores SIGCHLD vanish without a status, unless they have no exit
 * signal. */
static uint64_t exit_signal(void)
{
    hy_action action = {0};
    hy_sys4(SYS_rt_sigaction, SIGCHLD, 0, hy_address(&action), 8);
    bool vanish = action.handler == hy_address(SIG_IGN) || (action.flags & SA_NOCLDWAIT);
    return vanish ? 0 : SIGCHLD;
}

/* Whether clone3() is unavailable: sandboxes that cannot inspect its arguments refuse it. */
static bool is_refused(long result)
{
    return result == -ENOSYS || result == -EPERM;
}

/* clone3() can reset signal handlers as exec does; otherwise the child needs 64 calls. */
static long clone_task(spawner *s, int *pidfd)
{
    hy_start *start = start_of(s);
    hy_partition *own = partition_of(s);
    uint64_t flags = CLONE_VM | CLONE_PIDFD | CLONE_CHILD_SETTID, signal = exit_signal();
    struct clone_args arguments = {.flags = flags | HY_CLONE_CLEAR_SIGHAND,
                                   .pidfd = hy_address(pidfd),
                                   .child_tid = hy_address(&own->task.pid),
                                   .exit_signal = signal,
                                   .stack = s->base,
                                   .stack_size = HY_CONTROL_BYTES};
    start->has_handlers = false;
    long result = hy_bare_clone3(&arguments, sizeof arguments, hy_child_run, start);
    if (!is_refused(result)) return result;
    start->has_handlers = true;
    return hy_bare_clone(flags | signal, hy_at(char, s->base + HY_CONTROL_BYTES), pidfd,
                         (int *)&own->task.pid, hy_child_run, start);
}

/* Blocks all signals, those of the C library too: a handler of this process must not run in the
 * child. */
static int start_task(spawner *s, pid_t *pid)
{
    hy_start *start = start_of(s);
    uint64_t all = ~UINT64_C(0), mask;
    int pidfd = -1;
    hy_sys4(SYS_rt_sigprocmask, SIG_SETMASK, hy_address(&all), hy_address(&mask), 8);
    start->mask = mask & ~hy_signal_bit(SIGSYS);
    long result = clone_task(s, &pidfd);
    hy_sys4(SYS_rt_sigprocmask, SIG_SETMASK, hy_address(&mask), 0, 8);
    if (hy_sys_failed(result)) {
        errno = (int)-result;
        return hy_fail_errno("cannot start a process for %s", s->wanted->path);
    }
    *pid = (pid_t)result;
    /* The child stores it too, because either of them may need it first. */
    hy_store_relaxed(&partition_of(s)->task.pid, (int32_t)*pid);
    if (start->new_group) setpgid(*pid, *pid);
    hy_store_relaxed(&member_of(s)->leads_group, s->wanted->spawning->new_group != 0);
    hy_slot_started(s->space, s->slot, *pid, pidfd);
    return HAYATE_OK;
}

static int make_task(spawner *s, int *task, pid_t *pid)
{
    int code = hy_slot_claim(s->space, &s->slot);
    if (code) return code;
    s->base = hy_slot_base(s->space, s->slot);
    s->end = s->base + s->bytes;
    int number = s->slot->number;
    code = make_partition(s);
    if (!code) code = fill_start(s);
    if (!code) code = load_program(s);
    if (!code) code = start_task(s, pid);
    if (code) {
        int error = errno;
        hy_slot_abandon(s->space, s->slot);
        errno = error;
    } else *task = number;
    return code;
}

static void close_one(int fd)
{
    if (fd >= 0) close(fd);
}

int hy_spawn_task(hy_space *space, const hy_spawn *wanted, int *task, pid_t *pid)
{
    spawner s;
    s.wanted = wanted;
    s.space = space;
    s.bytes = space->region.bytes;
    s.directory = s.null = -1;
    int code = hy_space_guarded();
    if (!code) code = choose_stack(&s);
    if (!code)
        code = spawn_tell(&s, hy_program_open(wanted->path, hy_image_room(s.bytes),
                                              wanted->spawning->directory != NULL, &s.program,
                                              &s.problem));
    if (code) return code;
    code = open_directory(&s);
    if (!code) code = make_task(&s, task, pid);
    int error = errno;
    hy_program_close(&s.program);
    close_one(s.directory);
    close_one(s.null);
    errno = error;
    return code;
}

#endif
