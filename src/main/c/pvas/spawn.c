/* SPDX-License-Identifier: Apache-2.0 */
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
#include "pvas/child.h"
#include "pvas/load.h"
#include "pvas/program.h"
#include "pvas/stack.h"

#define STACK_LEAST (UINT64_C(64) << 10)
#define STACK_MOST (UINT64_C(64) << 20)
#define IMAGE_GAP (UINT64_C(1) << 20)

/* Newer than some headers. */
#define HY_CLONE_CLEAR_SIGHAND (UINT64_C(1) << 32)

/* One spawn, from the checks to the running task. */
typedef struct spawner {
    const hy_spawn *wanted;
    hy_space *space;
    hy_slot *slot;
    uint64_t base, end, bytes;
    uint64_t stack_bytes, stack_top; /* the top is known when the program is loaded */
    int directory, null;             /* descriptors, -1: none */
    hy_program program;
} spawner;

static uint64_t image_room(const spawner *s)
{
    return s->bytes / 4 - HY_IMAGE_OFFSET - IMAGE_GAP;
}

static int choose_stack(spawner *s)
{
    uint64_t bytes = s->wanted->spawning->stack_bytes;
    struct rlimit limit;
    if (bytes == 0) {
        bytes = STACK_MOST;
        if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < bytes) bytes = limit.rlim_cur;
    } else if (bytes > s->bytes / 4) {
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "a stack of %llu bytes is wanted, a quarter of the partition is the most",
                       (unsigned long long)bytes);
    }
    s->stack_bytes = hy_page_up(bytes < STACK_LEAST ? STACK_LEAST : bytes);
    return HAYATE_OK;
}

static int open_directory(spawner *s)
{
    const char *name = s->wanted->spawning->directory;
    if (!name) return HAYATE_OK;
    s->directory = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (s->directory < 0 || faccessat(s->directory, ".", X_OK, AT_EACCESS) != 0)
        return hy_fail_errno("cannot start in the directory %s", name);
    return HAYATE_OK;
}

static int check_pair(int from, int to, uint64_t limit)
{
    if (from < 0 || to < 0 || (uint64_t)to >= limit)
        return hy_fail(
            HAYATE_ERR_ARGUMENT,
            "descriptor %d as the task's %d: numbers from 0 to the limit (%llu) are wanted", from,
            to, (unsigned long long)limit);
    if (fcntl(from, F_GETFD) < 0) return hy_fail_errno("descriptor %d", from);
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
        return hy_fail(HAYATE_ERR_ARGUMENT, "%zu inherited descriptors, %d are the most",
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

static int check_mapped(long result)
{
    if (!hy_sys_failed(result)) return HAYATE_OK;
    errno = (int)-result;
    return hy_load_failed("the partition of a task");
}

static int map_memory(uint64_t start, uint64_t bytes, int protection)
{
    return check_mapped(hy_sys6(SYS_mmap, start, bytes, (uint64_t)protection,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                                (uint64_t)-1, 0));
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
    own->task.magic = HY_TASK_MAGIC;
}

/* Mapped memory comes first: what a small program touches shares the upper levels of its page
 * tables, which cost more to make and to give back than the pages themselves. */
static void divide_partition(spawner *s)
{
    hy_partition *own = partition_of(s);
    own->map_low = s->stack_top + HY_GUARD_GAP;
    own->map_high = own->brk_low = s->end - s->bytes / 8;
    own->brk_high = s->end - HY_GUARD_GAP;
    own->outside = hy_table_outside(s->space->table, (uint32_t)(s->slot - s->space->slots));
    hy_store_relaxed(&own->brk, own->brk_low);
    hy_store_relaxed(&own->cursor, own->map_low);
}

static int note_exe(spawner *s)
{
    char name[32], *exe = partition_of(s)->exe;
    snprintf(name, sizeof name, "/proc/self/fd/%d", s->program.fd);
    ssize_t length = readlink(name, exe, PATH_MAX - 1);
    if (length < 0 && !realpath(s->wanted->path, exe))
        return hy_fail_errno("cannot tell the full name of %s", s->wanted->path);
    return HAYATE_OK;
}

static int make_partition(spawner *s)
{
    int code = check_mapped(hy_region_open(s->base, s->bytes));
    if (!code) code = map_memory(s->base, HY_CONTROL_BYTES, PROT_READ | PROT_WRITE);
    if (code) return code;
    describe_task(s);
    return note_exe(s);
}

/* Behind the program, with a gap on both sides: who leaves it faults. */
static int make_stack(spawner *s, uint64_t image_end)
{
    int protection = PROT_READ | PROT_WRITE;
    uint64_t low = image_end + HY_GUARD_GAP;
    if (s->program.elf.executable_stack) protection |= PROT_EXEC;
    s->stack_top = low + s->stack_bytes;
    int code = map_memory(low, s->stack_bytes, protection);
    if (!code) divide_partition(s);
    return code;
}

static void add_tails(hy_start *start, const hy_loaded *loaded)
{
    for (int i = 0; i < loaded->tail_count; i++)
        start->tails[start->tail_count++] = loaded->tails[i];
}

/* The stack pointer and the first instruction: of the interpreter, if there is one. */
static int load_program(spawner *s)
{
    const hy_program *program = &s->program;
    hy_start *start = start_of(s);
    hy_loaded loaded, interpreter = {0};
    int code = hy_load(program->fd, &program->elf, s->wanted->path, s->base + HY_IMAGE_OFFSET,
                       &loaded);
    if (code) return code;
    add_tails(start, &loaded);
    start->entry = loaded.bias + program->elf.entry;
    if (program->interpreter_fd >= 0) {
        code = hy_load(program->interpreter_fd, &program->interpreter, program->elf.interpreter,
                       loaded.end + IMAGE_GAP, &interpreter);
        if (code) return code;
        add_tails(start, &interpreter);
        start->entry = interpreter.bias + program->interpreter.entry;
    }
    code = make_stack(s, interpreter.end ? interpreter.end : loaded.end);
    if (code) return code;
    hy_stack_contents contents = {
        .front = program->words,
        .front_count = program->word_count,
        .script = program->word_count ? program->path : NULL,
        .arguments = s->wanted->argv,
        .environment = s->wanted->envp,
        .name = s->wanted->path,
        .headers = program->elf.headers ? loaded.bias + program->elf.headers : 0,
        .header_count = program->elf.header_count,
        .entry = loaded.bias + program->elf.entry,
        .interpreter = interpreter.bias,
        .task = s->base};
    return hy_stack_build(&contents, s->stack_top, s->stack_bytes, &start->stack);
}

static int fill_start(spawner *s)
{
    hy_start *start = start_of(s);
    const char *slash = strrchr(s->wanted->path, '/');
    start->member = member_of(s);
    start->spawner = s->space->creator;
    start->directory = s->directory;
    start->new_group = s->wanted->spawning->new_group;
    start->has_files = s->wanted->spawning->files != NULL;
    if (start->has_files) start->files = *s->wanted->spawning->files;
    snprintf(start->name, sizeof start->name, "%s", slash ? slash + 1 : s->wanted->path);
    hy_filter_build(s->base, s->bytes, &start->filter);
    return list_descriptors(s, start);
}

/* Children of a process that ignores SIGCHLD vanish without a status; without an exit signal they
 * do not. */
static uint64_t exit_signal(void)
{
    hy_action action = {0};
    hy_sys4(SYS_rt_sigaction, SIGCHLD, 0, hy_address(&action), 8);
    bool vanish = action.handler == hy_address(SIG_IGN) || (action.flags & SA_NOCLDWAIT);
    return vanish ? 0 : SIGCHLD;
}

/* Whether clone3() is not to be had: sandboxes that cannot look at its arguments refuse it. */
static bool is_refused(long result)
{
    return result == -ENOSYS || result == -EPERM;
}

/* clone3() resets the handlers as exec does, which would be 64 calls in the child. */
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

/* All signals are blocked, those of the C library too: a handler of this process must not run in
 * the child. */
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
    /* The child writes it too: both may be the first to need it. */
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
        code = hy_program_open(wanted->path, image_room(&s), wanted->spawning->directory != NULL,
                               &s.program);
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
