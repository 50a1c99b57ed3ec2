/* SPDX-License-Identifier: Apache-2.0 */
/* Opens files that users name. */
#ifndef HY_BASE_REGULAR_FILE_H
#define HY_BASE_REGULAR_FILE_H

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a regular file for reading: a pipe or a terminal could block for ever. Returns -1 with
 * errno set if that fails, and with an errno of 0 if the path is of something else. */
static inline int hy_open_regular(const char *path)
{
    struct stat stat;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode))) return fd;
    close(fd);
    errno = 0;
    return -1;
}

#endif
