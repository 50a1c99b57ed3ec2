/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the processes that share an address space. Only the kernel knows for certain: the tasks
 * of a space share it, and so does its guard, while the memory of a child of fork() only looks
 * the same. Prints for each process a line "pid P mm Q"; Q is the first process that has P's
 * address space. */
#include <errno.h>
#include <linux/kcmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "footprint.h"

static bool share(pid_t one, pid_t other)
{
    long order = syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0);
    if (order < 0)
        footprint_die(1,
                      "cannot tell whether processes %d and %d share an address space: kcmp: "
                      "%s%s",
                      one, other, strerror(errno),
                      errno == EPERM || errno == ENOSYS ? " (in a container: --cap-add SYS_PTRACE)"
                                                        : "");
    return order == 0;
}

int footprint_spaces(char **words)
{
    size_t count = 0, found = 0;
    while (words[count]) count++;
    pid_t *first = calloc(count, sizeof *first);
    if (!first) footprint_die(1, "no memory for %zu processes", count);
    for (size_t i = 0; i < count; i++) {
        pid_t pid = (pid_t)footprint_number(words[i], 1, INT32_MAX, "a process");
        size_t at = 0;
        while (at < found && !share(pid, first[at])) at++;
        if (at == found) first[found++] = pid;
        printf("pid %d mm %d\n", pid, first[at]);
    }
    free(first);
    return fflush(stdout) == 0 ? 0 : 1;
}
