/* SPDX-License-Identifier: Apache-2.0 */
/* /proc/self/exe of a task: the kernel would show the program of the whole address space. */
#include "pvas/trap.h"

#if defined(__x86_64__)

#include <errno.h>

/* *text begins with `word`: moves behind it. */
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

/* The kernel first: after its success path and buffer are known to be there. */
HY_BARE long hy_trap_readlink(hy_call *call)
{
    const uint64_t *a = call->arguments;
    bool has_directory = call->number == SYS_readlinkat;
    long result = hy_sys4(call->number, a[0], a[1], a[2], a[3]);
    if (hy_sys_failed(result) || !is_own_exe(hy_at(const char, a[has_directory]))) return result;
    const char *exe = call->own->exe;
    char *to = hy_at(char, a[1 + has_directory]);
    int size = (int)a[2 + has_directory], length = 0;
    for (; length < size && exe[length]; length++) to[length] = exe[length];
    return length;
}

/* Programs that start themselves again so. */
HY_BARE long hy_trap_exec(hy_call *call)
{
    char byte;
    uint64_t *path = &call->arguments[call->number == SYS_execveat];
    long length = hy_sys4(SYS_readlink, *path, hy_address(&byte), 1, 0);
    if (!hy_sys_failed(length) && is_own_exe(hy_at(const char, *path)))
        *path = hy_address(call->own->exe);
    hy_trap_again(call);
    return 0;
}

#endif
