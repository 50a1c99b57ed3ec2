/* SPDX-License-Identifier: Apache-2.0 */
/* The directory in which the ranks of a job have their flight recorders (job/flight.h). The
 * launcher keeps it open, by which `hayate flight PID` finds it while the job runs. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/flight_place.h"
#include "base/status.h"
#include "launch/launch.h"

/* Mode 0700, whatever the umask is: mkdtemp() gives no other. */
int hy_launch_flight_open(hy_launch *job)
{
    char place[HY_FLIGHT_PATH], path[HY_FLIGHT_PATH + 64];
    if (hy_flight_place(place)) {
        fprintf(stderr, "hayate: %s\n", hayate_error());
        return -1;
    }
    if (!place[0]) return 0;
    snprintf(path, sizeof path, "%s/" HY_FLIGHT_DIRECTORY "%d-XXXXXX", place, (int)job->pid);
    if (!mkdtemp(path) || open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) < 0 ||
        setenv("HAYATE_FLIGHT", path, 1) != 0) {
        fprintf(stderr, "hayate: HAYATE_FLIGHT: cannot make the directory %s: %s\n", path,
                strerror(errno));
        return -1;
    }
    job->flight = strdup(path);
    return job->flight ? 0 : -1;
}

static bool is_recorder(const char *name)
{
    size_t length = strlen(name), suffix = sizeof HY_FLIGHT_SUFFIX - 1;
    return length > suffix && strcmp(name + length - suffix, HY_FLIGHT_SUFFIX) == 0;
}

/* Returns the number of recorders that are there, and, with `remove`, then no longer are. */
static int visit_recorders(const char *path, bool remove)
{
    int count = 0;
    DIR *directory = opendir(path);
    const struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        if (!is_recorder(entry->d_name)) continue;
        count++;
        if (remove) unlinkat(dirfd(directory), entry->d_name, 0);
    }
    if (directory) closedir(directory);
    return count;
}

/* What else is in the directory stays, and so does the directory then. */
void hy_launch_flight_close(hy_launch *job)
{
    if (!job->flight) return;
    bool kept = visit_recorders(job->flight, !job->exit_code) && job->exit_code;
    if (kept) fprintf(stderr, "hayate: what the ranks did last: hayate flight %s\n", job->flight);
    else rmdir(job->flight);
    free(job->flight);
    job->flight = NULL;
}
