/* SPDX-License-Identifier: Apache-2.0 */
/* Makes system calls fail in this process for good, as limits and containers do. */
#ifndef HY_TEST_SECCOMP_FIXTURE_H
#define HY_TEST_SECCOMP_FIXTURE_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two calls, of which one may be the other. */
static inline bool seccomp_refuse(unsigned first, unsigned second, unsigned error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, first, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, second, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof *filter, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* As Docker's default profile does on older kernels. */
static inline bool seccomp_forbid_single_copy(void)
{
    return seccomp_refuse(SYS_process_vm_readv, SYS_process_vm_writev, EPERM);
}

/* Whether this process may: some sandboxes forbid it. Tried in a child, as it is for good. */
static inline bool seccomp_is_possible(void)
{
    int status = 1;
    pid_t pid = fork();
    if (pid == 0) _exit(!seccomp_forbid_single_copy());
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* As RLIMIT_NPROC does, for whomever it counts. */
static inline bool seccomp_forbid_threads(void)
{
    return seccomp_refuse(SYS_clone, SYS_clone3, EAGAIN);
}

#endif
