/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the mounts of control groups, the group of the process in each, and the least limit from
 * there upwards. */
#include "boot/control_groups.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH 512
#define LINE 4096

/* A word of a file, from 0. -1 is as large as "max". */
static bool read_number(const char *directory, const char *name, int word, uint64_t *number)
{
    char path[2 * PATH + 64], text[2][32] = {"", ""};
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    bool there = fscanf(file, "%31s %31s", text[0], text[1]) > word;
    fclose(file);
    *number = strcmp(text[word], "max") == 0 ? UINT64_MAX : strtoull(text[word], NULL, 10);
    return there;
}

static uint64_t room_in(const char *directory, const hy_control_group_files *files, bool second)
{
    const char *limits = files->limit[second], *used = files->usage[second];
    const char *periods = files->period[second];
    uint64_t limit, usage = 0, period = 1;
    if (!read_number(directory, limits, 0, &limit) || limit == UINT64_MAX ||
        (used && !read_number(directory, used, 0, &usage)) ||
        (periods && !read_number(directory, periods, periods == limits, &period)))
        return UINT64_MAX;
    uint64_t room = limit > usage ? limit - usage : 0;
    if (!periods) return room;
    uint64_t whole = period ? room / period : UINT64_MAX;
    return whole ? whole : 1;
}

/* The room in the group of this directory and in all groups above it, up to the mount point. */
static uint64_t room_below(char *directory, size_t mount, const hy_control_group_files *files,
                           bool second)
{
    uint64_t least = UINT64_MAX;
    while (strlen(directory) >= mount) {
        uint64_t room = room_in(directory, files, second);
        if (room < least) least = room;
        char *end = strrchr(directory, '/');
        if (!end) break;
        *end = '\0';
    }
    return least;
}

/* Whether a list such as "cpu,cpuacct", or a name in it "rw,memory", has the controller. */
static bool names_controller(const char *list, const char *controller)
{
    size_t length = strlen(controller);
    while (true) {
        if (strncmp(list, controller, length) == 0 && strchr(",", list[length])) return true;
        list = strchr(list, ',');
        if (!list++) return false;
    }
}

/* The path of the process's group, from a line such as "4:hugetlb:/some/group"; version 2:
 * "0::/...". */
static bool find_group(const char *cgroup, bool second, const char *controller, char group[PATH])
{
    char line[LINE], *controllers, *path;
    bool found = false;
    FILE *file = fopen(cgroup, "re");
    if (!file) return false;
    while (!found && fgets(line, sizeof line, file)) {
        if (!(controllers = strchr(line, ':')) || !(path = strchr(controllers + 1, ':'))) continue;
        *path++ = '\0';
        found = second ? !controllers[1] : names_controller(controllers + 1, controller);
        path[strcspn(path, "\n")] = '\0';
        if (found) snprintf(group, PATH, "%s", path);
    }
    fclose(file);
    return found;
}

/* Line: "36 35 0:30 ROOT MOUNT options - TYPE source options". What is above ROOT cannot be seen
 * here. In a container, the group may not be below ROOT; then the group is the mount itself. */
static uint64_t room_by(const char *line, const hy_control_group_files *files, const char *cgroup)
{
    char root[PATH], mount[PATH], type[32], options[PATH], group[PATH], directory[2 * PATH];
    const char *behind = strstr(line, " - ");
    if (sscanf(line, "%*s %*s %*s %511s %511s", root, mount) != 2 || !behind ||
        sscanf(behind, " - %31s %*s %511s", type, options) != 2)
        return UINT64_MAX;
    bool second = strcmp(type, "cgroup2") == 0;
    if (!second && (strcmp(type, "cgroup") != 0 || !names_controller(options, files->controller)))
        return UINT64_MAX;
    if (!find_group(cgroup, second, files->controller, group)) return UINT64_MAX;
    size_t above = strcmp(root, "/") == 0 ? 0 : strlen(root);
    bool below = strncmp(group, root, above) == 0 && (!group[above] || group[above] == '/');
    snprintf(directory, sizeof directory, "%s%s", mount, below ? group + above : "");
    return room_below(directory, strlen(mount), files, second);
}

uint64_t hy_control_groups_allow(const hy_control_group_files *files, const char *cgroup,
                                 const char *mountinfo)
{
    char line[LINE];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen(mountinfo, "re");
    if (!file) return least;
    while (fgets(line, sizeof line, file)) {
        uint64_t room = room_by(line, files, cgroup);
        if (room < least) least = room;
    }
    fclose(file);
    return least;
}

uint64_t hy_memory_allowed(const char *cgroup, const char *mountinfo)
{
    static const hy_control_group_files memory = {.controller = "memory",
                                                  .limit = {"memory.limit_in_bytes", "memory.max"}};
    return hy_control_groups_allow(&memory, cgroup, mountinfo);
}

uint64_t hy_cpus_allowed(const char *cgroup, const char *mountinfo)
{
    static const char second[] = "cpu.max";
    static const hy_control_group_files cpus = {.controller = "cpu",
                                                .limit = {"cpu.cfs_quota_us", second},
                                                .period = {"cpu.cfs_period_us", second}};
    return hy_control_groups_allow(&cpus, cgroup, mountinfo);
}
