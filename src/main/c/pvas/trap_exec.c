/* SPDX-License-Identifier: Apache-2.0 */
/* Handles exec, and /proc/self/exe of a task, for which the kernel would show the program of the
 * whole address space. */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/line.h"
#include "pvas/in_place.h"
#include "pvas/space_table.h"

/* Sanitizers instrument the spawner's code, which then needs thread-local storage. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED true
#else
#define SANITIZED false
#endif

/* If *text begins with `word`, moves *text behind it. */
HY_BARE static bool skip(const char **text, const char *word)
{
    const char *at = *text;
    while (*word && *at == *word) at++, word++;
    if (*word) return false;
    *text = at;
    return true;
}

HY_BARE static bool is_own_exe(const char *path)
{
    if (!skip(&path, "/proc/")) return false;
    if (!skip(&path, "self") && !skip(&path, "thread-self") &&
        hy_bare_number(&path) != (int)hy_sys2(SYS_getpid, 0, 0))
        return false;
    return skip(&path, "/exe") && *path == '\0';
}

/* Asks the kernel first: if it succeeds, path and buffer are accessible. */
HY_BARE long hy_trap_readlink(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    bool has_directory = call->number == SYS_readlinkat;
    long result = hy_sys4(call->number, a[0], a[1], a[2], a[3]);
    if (hy_sys_failed(result) || !is_own_exe(hy_at(const char, a[has_directory]))) return result;
    const char *exe = call->own->exe;
    char *to = hy_at(char, a[1 + has_directory]);
    int size = (int)a[2 + has_directory], length = 0;
    for (; length < size && exe[length]; length++) to[length] = exe[length];
    for (long rest = length; rest < result; rest++)
        to[rest] = '\0'; /* remove the rest of the other
                          * name */
    return length;
}

/* Whether another process may use memory of this program. */
HY_BARE static bool is_known(const hy_partition *own)
{
    hy_table *table = hy_at(hy_table, own->task.shared);
    uint64_t index = (own->task.base - table->base) / table->partition_bytes;
    const hy_exports *exports = hy_table_exports(table, (uint32_t)index);
    return hy_load_relaxed(&own->task.joined) || hy_load_relaxed(&exports->sequence);
}

/* A directory has two links of its own and one for each directory in it; here, one for each
 * thread. */
HY_BARE static bool has_threads(void)
{
    struct stat tasks;
    long result = hy_sys2(SYS_stat, hy_address("/proc/self/task"), hy_address(&tasks));
    return result != 0 || tasks.st_nlink != 3;
}

/* A child of fork() has another address space; a child of vfork() leaves this one anyway. */
HY_BARE static bool is_child(const hy_partition *own)
{
    return hy_load_relaxed(&own->task.pid) != (int32_t)hy_sys2(SYS_getpid, 0, 0);
}

HY_BARE static uint32_t why_leave(const hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    if (SANITIZED) return HY_LEFT_OTHERWISE;
    if (call->number == SYS_execveat && ((int)a[0] != AT_FDCWD || a[4])) return HY_LEFT_OTHERWISE;
    if (is_known(call->own)) return HY_LEFT_KNOWN;
    return has_threads() ? HY_LEFT_THREADS : HY_LEFT_NOT;
}

/* In place if possible; otherwise, and in children, the kernel does it. */
HY_BARE long hy_trap_exec(hy_trap_call *call)
{
    char byte;
    uint64_t *path = &call->arguments[call->number == SYS_execveat];
    long length = hy_sys4(SYS_readlink, *path, hy_address(&byte), 1, 0);
    if (!hy_sys_failed(length) && is_own_exe(hy_at(const char, *path)))
        *path = hy_address(call->own->exe);
    if (!is_child(call->own)) {
        uint32_t left = why_leave(call);
        hy_store_relaxed(&call->own->task.left, left);
        if (!left) hy_in_place(call, path[0], path[1], path[2]);
    }
    hy_trap_again(call);
    return 0;
}

HY_BARE long hy_trap_rseq(hy_trap_call *call)
{
    const uint64_t *a = call->arguments;
    long result = hy_sys4(SYS_rseq, a[0], a[1], a[2], a[3]);
    if (result || hy_sys2(SYS_gettid, 0, 0) != hy_sys2(SYS_getpid, 0, 0)) return result;
    bool given_up = a[2] != 0;
    call->own->rseq.address = given_up ? 0 : a[0];
    call->own->rseq.bytes = a[1];
    call->own->rseq.signature = a[3];
    return result;
}

#endif
