/* SPDX-License-Identifier: Apache-2.0 */
#include "pvas/machine.h"

#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/status.h"
#include "base/task.h"

/* In older ones a task that dumps core takes all others and the spawner along. */
#define KERNEL_MAJOR 5
#define KERNEL_MINOR 16

#if defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static int check_kernel(void)
{
    struct utsname about;
    int major = 0, minor = 0;
    if (uname(&about) != 0 || sscanf(about.release, "%d.%d", &major, &minor) != 2)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "tasks need Linux, its version cannot be told");
    if (major > KERNEL_MAJOR || (major == KERNEL_MAJOR && minor >= KERNEL_MINOR)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "tasks need Linux %d.%d, this is %s: there a crash of one ends all",
                   KERNEL_MAJOR, KERNEL_MINOR, about.release);
}

static int check_filters(void)
{
    unsigned action = SECCOMP_RET_TRAP;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "tasks need seccomp filters, which this kernel or sandbox does not allow");
}

int hy_pvas_supported(void)
{
#if !defined(__x86_64__)
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "tasks in one address space exist on x86-64 only, so far");
#endif
    if (SANITIZED)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "ThreadSanitizer wants the addresses of tasks");
    if (hy_task_self())
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "a task cannot form a space of its own");
    int code = check_kernel();
    return code ? code : check_filters();
}
