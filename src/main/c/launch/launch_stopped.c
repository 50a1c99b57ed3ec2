/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel reports a stop only to the parent, and the process that joined may not be a child, so
 * its state is read from /proc. `t` (traced) does not count: the rank is being debugged. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"

static bool is_stopped(pid_t pid)
{
    char path[32], text[128];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    ssize_t length = read(fd, text, sizeof text - 1);
    close(fd);
    if (length <= 0) return false;
    text[length] = '\0';
    const char *name_end = strrchr(text, ')'); /* the name itself may contain anything */
    return name_end && name_end[1] == ' ' && name_end[2] == 'T';
}

bool hy_launch_is_stopped_for(pid_t pid, uint64_t *since, uint64_t now, uint64_t timeout)
{
    if (!is_stopped(pid)) *since = 0;
    else if (!*since) *since = now;
    return *since && now - *since >= timeout;
}
