/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a partitioned address space, for JNA: only numbers and texts. Results below 0 are error
 * codes. JNI is used only for what Java's streams need. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <hayate/pvas.h>

#include "base/status.h"
#include "io_hayate_internal_bindings_PvasDescriptor.h"

/* The same values as in PvasBinding.java. */
enum { INHERIT, PIPE, READ, WRITE, APPEND, MERGE };
enum { TASK, PID, WATCH };
enum { ADDRESS, BYTES, WRITABLE };

HAYATE_API int hayate_binding_pvas_create(int tasks, int64_t partition_bytes)
{
    int space = -1;
    int rc = pvas_create((unsigned)tasks, (uint64_t)partition_bytes, &space);
    return rc ? rc : space;
}

HAYATE_API int hayate_binding_pvas_destroy(int space)
{
    return pvas_destroy(space);
}

/* ---- spawn ---- */

/* The standard streams of a task: an array of nine numbers for Java. */
typedef struct ends {
    int given[3];  /* our descriptors for the task's 0, 1 and 2 */
    int opened[3]; /* those of them that must be closed after the spawn; -1: none */
    int kept[3];   /* our ends of the task's pipes; -1: none */
} ends;
_Static_assert(sizeof(ends) == 9 * sizeof(int), "as PvasBinding says");

static int open_pipe(ends *e, int stream)
{
    int pair[2], its = stream == 0 ? 0 : 1;
    if (pipe2(pair, O_CLOEXEC)) return hy_fail_errno("cannot create a pipe for a task");
    e->given[stream] = e->opened[stream] = pair[its];
    e->kept[stream] = pair[!its];
    return HAYATE_OK;
}

static int open_file(ends *e, int stream, int flags, const char *file)
{
    int descriptor = open(file, flags | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor < 0)
        return hy_fail_errno("cannot open %s for standard stream %d of a task", file, stream);
    e->given[stream] = e->opened[stream] = descriptor;
    return HAYATE_OK;
}

static int open_stream(ends *e, int stream, int way, const char *file)
{
    switch (way) {
    case PIPE: return open_pipe(e, stream);
    case READ: return open_file(e, stream, O_RDONLY, file);
    case WRITE: return open_file(e, stream, O_WRONLY | O_CREAT | O_TRUNC, file);
    case APPEND: return open_file(e, stream, O_WRONLY | O_CREAT | O_APPEND, file);
    case MERGE: e->given[stream] = e->given[1]; return HAYATE_OK;
    default: e->given[stream] = stream; return HAYATE_OK;
    }
}

/* Blocks if a file is a FIFO whose other end nobody has opened. If it fails, `e` contains what has
 * been opened. */
HAYATE_API int hayate_binding_pvas_open(const int *ways, const char *in, const char *out,
                                        const char *err, ends *e)
{
    const char *const files[] = {in, out, err};
    int rc = HAYATE_OK;
    memset(e, -1, sizeof *e);
    for (int i = 0; i < 3 && !rc; i++) rc = open_stream(e, i, ways[i], files[i]);
    return rc;
}

/* Sets list to `count` consecutive texts, followed by NULL. */
static void unpack(char *texts, int count, char **list)
{
    for (int i = 0; i < count; i++, texts += strlen(texts) + 1) list[i] = texts;
    list[count] = NULL;
}

/* Whether one of the entries sets or removes this variable. */
static bool is_told(const char *variable, char *const *entries)
{
    for (; *entries; entries++) {
        size_t n = strcspn(*entries, "=");
        if (!strncmp(variable, *entries, n) && variable[n] == '=') return true;
    }
    return false;
}

/* Merges our variables, except those that the entries set or remove, with those that the entries
 * set. */
static void merge(char *const *ours, char *const *entries, char **result)
{
    for (; ours && *ours; ours++) {
        if (!is_told(*ours, entries)) *result++ = *ours;
    }
    for (; *entries; entries++) {
        if (strchr(*entries, '=')) *result++ = *entries;
    }
    *result = NULL;
}

static int count_of(char *const *list)
{
    int n = 0;
    while (list && list[n]) n++;
    return n;
}

/* Cleans up after a task that could not be reported to Java. */
HAYATE_API void hayate_binding_pvas_undo(int space, int task)
{
    pvas_status status;
    pvas_kill(space, task, SIGKILL);
    pvas_wait(space, task, -1, &status);
    pvas_reclaim(space, task);
}

/* Unblocks signals for the spawn: a thread of the JVM blocks signals that a program expects to
 * get. */
static int spawn_unblocked(int space, const char *path, char *const *argv, char *const *envp,
                           const pvas_spawning *spawning, int *result)
{
    sigset_t none, before;
    pid_t pid = -1;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, &before);
    int rc = pvas_spawn(space, path, argv, envp, spawning, &result[TASK], &pid);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc) return rc;
    result[PID] = pid;
    result[WATCH] = (int)syscall(SYS_pidfd_open, pid, 0); /* is close-on-exec */
    if (result[WATCH] >= 0) return HAYATE_OK;
    rc = hy_fail_errno("cannot open a pidfd of a task");
    hayate_binding_pvas_undo(space, result[TASK]);
    return rc;
}

HAYATE_API int hayate_binding_pvas_spawn(int space, const char *path, char *arguments,
                                         int argument_count, char *variables, int variable_count,
                                         int fresh, const char *directory, const ends *streams,
                                         int64_t stack_bytes, int group, int *result)
{
    char **ours = fresh ? NULL : environ;
    size_t most = (size_t)argument_count + 2 * (size_t)variable_count + (size_t)count_of(ours) + 3;
    char **lists = calloc(most, sizeof *lists);
    if (!lists) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the arguments of a task");
    char **entries = lists + argument_count + 1, **envp = entries + variable_count + 1;
    unpack(arguments, argument_count, lists);
    unpack(variables, variable_count, entries);
    merge(ours, entries, envp);
    const pvas_spawning spawning = {.stack_bytes = (size_t)stack_bytes,
                                    .directory = directory,
                                    .descriptors = streams->given,
                                    .new_group = group};
    int rc = spawn_unblocked(space, path, lists, envp, &spawning, result);
    free(lists);
    return rc;
}

/* ---- a task ---- */

/* status: exited, code, dumped. */
HAYATE_API int hayate_binding_pvas_reap(int space, int task, int *status)
{
    pvas_status end = {0};
    int rc = pvas_wait(space, task, -1, &end);
    status[0] = end.exited;
    status[1] = end.code;
    status[2] = end.dumped;
    return rc;
}

HAYATE_API int hayate_binding_pvas_kill(int space, int task, int signal)
{
    return pvas_kill(space, task, signal);
}

HAYATE_API int hayate_binding_pvas_reclaim(int space, int task)
{
    return pvas_reclaim(space, task);
}

HAYATE_API int hayate_binding_pvas_hold(int space, int task)
{
    return pvas_hold(space, task);
}

HAYATE_API int hayate_binding_pvas_drop(int space, int task)
{
    return pvas_drop(space, task);
}

HAYATE_API int hayate_binding_pvas_self(void)
{
    return pvas_self();
}

/* ---- memory ---- */

HAYATE_API int hayate_binding_pvas_export(int space, const char *name, void *memory, int64_t bytes)
{
    return pvas_export(space, name, memory, (size_t)bytes);
}

/* Reads the rights of one mapping within [*from, to); moves *from behind it. */
static bool allows(const char *line, uintptr_t *from, bool *writable)
{
    unsigned long start, end;
    char rights[5];
    if (sscanf(line, "%lx-%lx %4s", &start, &end, rights) != 3 || end <= *from) return true;
    if (start > *from || rights[0] != 'r') return false;
    if (rights[1] != 'w') *writable = false;
    *from = end;
    return true;
}

/* Whether all of the range is mapped readable. Inside its partition a task may map anything. */
static bool is_memory(uintptr_t from, uintptr_t to, bool *writable)
{
    char *line = NULL;
    size_t size = 0;
    bool good = true;
    FILE *maps = fopen("/proc/self/maps", "re");
    if (!maps) return false;
    while (good && from < to && getline(&line, &size, maps) >= 0)
        good = allows(line, &from, writable);
    free(line);
    fclose(maps);
    return good && from >= to;
}

/* Java must not fault on memory that a task only claims to have. */
static int check_memory(const void *memory, size_t bytes, int64_t *writable)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = (uintptr_t)memory & ~(page - 1);
    uintptr_t to = ((uintptr_t)memory + bytes + page - 1) & ~(page - 1);
    bool writes = true;
    *writable = 1;
    if (bytes == 0) return HAYATE_OK;
    if (to <= from || !is_memory(from, to, &writes))
        return hy_fail(HAYATE_ERR_CORRUPT, "the task exports %zu B at %p, which is not memory",
                       bytes, memory);
    *writable = writes;
    return HAYATE_OK;
}

/* result: address, bytes, whether it is writable. */
HAYATE_API int hayate_binding_pvas_import(int space, int task, const char *name, int timeout,
                                          int64_t *result)
{
    void *memory = NULL;
    size_t bytes = 0;
    int rc = pvas_import(space, task, name, timeout, &memory, &bytes);
    if (rc) return rc;
    result[ADDRESS] = (int64_t)(intptr_t)memory;
    result[BYTES] = (int64_t)bytes;
    return check_memory(memory, bytes, &result[WRITABLE]);
}

/* ---- waiting for the ends of tasks ---- */

HAYATE_API int hayate_binding_pvas_watch_open(void)
{
    int watch = epoll_create1(EPOLL_CLOEXEC);
    return watch < 0 ? hy_fail_errno("epoll_create1") : watch;
}

HAYATE_API int hayate_binding_pvas_watch_add(int watch, int task, int64_t key)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.u64 = (uint64_t)key};
    return epoll_ctl(watch, EPOLL_CTL_ADD, task, &event) ? hy_fail_errno("epoll_ctl") : HAYATE_OK;
}

/* Returns the number of keys; sleeps for at most `timeout` ms until there is one. */
HAYATE_API int hayate_binding_pvas_watch_wait(int watch, int timeout, int64_t *keys, int count)
{
    struct epoll_event events[64];
    if (count > 64) count = 64;
    int n = epoll_wait(watch, events, count, timeout);
    for (int i = 0; i < n; i++) keys[i] = (int64_t)events[i].data.u64;
    return n < 0 ? 0 : n;
}

/* Also removed from the epoll set explicitly, because a task may just have inherited the
 * descriptor. */
HAYATE_API void hayate_binding_pvas_watch_end(int watch, int task)
{
    epoll_ctl(watch, EPOLL_CTL_DEL, task, NULL);
    close(task);
}

HAYATE_API void hayate_binding_pvas_close(int descriptor)
{
    if (descriptor >= 0) close(descriptor);
}

JNIEXPORT void JNICALL Java_io_hayate_internal_bindings_PvasDescriptor_set(JNIEnv *env, jclass type,
                                                                           jobject descriptor,
                                                                           jint number)
{
    (void)type;
    jclass of = (*env)->GetObjectClass(env, descriptor);
    jfieldID field = (*env)->GetFieldID(env, of, "fd", "I");
    if (field)
        (*env)->SetIntField(env, descriptor, field, number); /* otherwise a Java exception is
                                                              * pending */
}
