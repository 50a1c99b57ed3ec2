/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this machine can have tasks at all, told without asking the library: what pvas_create()
 * refuses elsewhere is a failure. */
#ifndef HY_TEST_TASKS_PROBE_H
#define HY_TEST_TASKS_PROBE_H

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

/* The oldest Linux that they run on: hayate-pvas(7). */
#define TASKS_MAJOR 5
#define TASKS_MINOR 16

/* seccomp filters that trap */
static inline int tasks_filters(void)
{
    char text[256] = "";
    FILE *file = fopen("/proc/sys/kernel/seccomp/actions_avail", "re");
    if (!file) return 0;
    int found = fgets(text, sizeof text, file) && strstr(text, "trap");
    fclose(file);
    return found;
}

/* The reason why there are none; NULL: there are. */
static inline const char *tasks_impossible(void)
{
    static char reason[512];
    struct utsname about;
    int major = 0, minor = 0;
#if defined(__SANITIZE_THREAD__)
    return "TSan's shadow lies where tasks are";
#endif
    if (uname(&about) != 0 || sscanf(about.release, "%d.%d", &major, &minor) != 2)
        return "the kernel does not tell its version";
    if (strcmp(about.machine, "x86_64") != 0) {
        snprintf(reason, sizeof reason, "there are no tasks on %s", about.machine);
        return reason;
    }
    if (major < TASKS_MAJOR || (major == TASKS_MAJOR && minor < TASKS_MINOR)) {
        snprintf(reason, sizeof reason, "tasks need Linux %d.%d, this is %s", TASKS_MAJOR,
                 TASKS_MINOR, about.release);
        return reason;
    }
    return tasks_filters() ? NULL : "tasks need seccomp filters, there are none here";
}

#endif
