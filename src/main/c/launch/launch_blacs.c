/* SPDX-License-Identifier: Apache-2.0 */
/* hayate run --blacs: the ranks load libhayate-blacs.so, which lies next to the launcher, before
 * any other library, and so call its BLACS instead of another one's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/launch.h"

#define LIBRARY "libhayate-blacs.so"

static int refuse(const char *path, const char *reason)
{
    fprintf(stderr,
            "hayate run: --blacs: %s: %s; it must lie next to the launcher, with libhayate.so\n",
            path, reason);
    return -1;
}

/* The loader separates the names in LD_PRELOAD at blanks and colons. */
static int find_library(char *path)
{
    ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
    char *name = length > 0 ? memrchr(path, '/', (size_t)length) : NULL;
    if (!name || name + 1 + sizeof LIBRARY > path + PATH_MAX) return refuse(LIBRARY, "not found");
    strcpy(name + 1, LIBRARY);
    if (access(path, R_OK) != 0) return refuse(path, strerror(errno));
    return strpbrk(path, " :") ? refuse(path, "the path contains a blank or a colon") : 0;
}

int hy_launch_preload_blacs(void)
{
    char path[PATH_MAX];
    const char *others = getenv("LD_PRELOAD");
    if (find_library(path) != 0) return -1;
    size_t room = strlen(path) + (others ? strlen(others) : 0) + 2;
    char *all = hy_launch_grow(NULL, room);
    snprintf(all, room, "%s%s%s", path, others && *others ? ":" : "", others ? others : "");
    int rc = setenv("LD_PRELOAD", all, 1);
    free(all);
    /* A rank has a processor: its BLAS must not take those of the others. */
    if (!rc && !getenv("OMP_NUM_THREADS")) rc = setenv("OPENBLAS_NUM_THREADS", "1", 0);
    return rc ? refuse(path, strerror(errno)) : 0;
}
