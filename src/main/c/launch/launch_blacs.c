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

int hy_launch_beside(const char *name, char path[PATH_MAX])
{
    char self[PATH_MAX];
    snprintf(path, PATH_MAX, "%s", name);
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *end = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;
    if (!end) return -1;
    int wanted = snprintf(path, PATH_MAX, "%.*s%s", (int)(end + 1 - self), self, name);
    if (wanted >= PATH_MAX) errno = ENAMETOOLONG;
    return wanted < PATH_MAX ? 0 : -1;
}

/* The loader separates the names in LD_PRELOAD at blanks and colons. */
static int find_library(char *path)
{
    if (hy_launch_beside(LIBRARY, path) != 0 || access(path, R_OK) != 0)
        return refuse(path, strerror(errno));
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
