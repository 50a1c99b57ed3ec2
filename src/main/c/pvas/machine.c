/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks the version of the kernel, seccomp filters, sanitizers, and that this process is not a
 * task itself.
 */
#include "pvas/machine.h"

#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/status.h"
#include "base/task.h"

/* In older kernels a task that dumps core ends all other tasks and the spawner. */
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
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "tasks need Linux, but the version of this kernel cannot be determined");
    if (major > KERNEL_MAJOR || (major == KERNEL_MAJOR && minor >= KERNEL_MINOR)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED,
                   "tasks need Linux %d.%d, this is %s: there, the crash of one task ends all",
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
                   "tasks in one address space are supported on x86-64 only");
#endif
    if (SANITIZED)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "ThreadSanitizer uses the addresses of tasks: use a build without it");
    if (hy_task_self()) return hy_fail(HAYATE_ERR_UNSUPPORTED, "a task cannot create a space");
    int code = check_kernel();
    return code ? code : check_filters();
}
