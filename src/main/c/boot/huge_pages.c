/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc/meminfo and the limits of the process's control groups, of versions 1 and 2. */
#include "boot/huge_pages.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH 512
#define LINE 4096

static uint64_t huge_pages_read_number(const char *path)
{
    unsigned long long number = 0;
    FILE *file = fopen(path, "re");
    if (!file) return 0;
    if (fscanf(file, "%llu", &number) != 1) number = 0;
    fclose(file);
    return number;
}

uint64_t hy_huge_page(void)
{
    char line[128];
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "re");
    if (!file) return 0;
    while (!kib && fgets(line, sizeof line, file))
        if (sscanf(line, "Hugepagesize: %llu kB", &kib) != 1) kib = 0;
    fclose(file);
    return (kib & (kib - 1)) == 0 ? kib * 1024 : 0;
}

/* ---- control groups ---- */

/* The files of one version of control groups. */
typedef struct version {
    const char *type; /* of the file system */
    const char *limit, *usage;
} version;

static const version versions[] = {{"cgroup2", "max", "current"},
                                   {"cgroup", "limit_in_bytes", "usage_in_bytes"}};

/* Reads a file such as "hugetlb.2MB.max", which holds a number of bytes or "max". */
static bool read_group(const char *directory, uint64_t page, const char *what, uint64_t *bytes)
{
    char path[2 * PATH + 64], text[32] = "";
    uint64_t mib = page >> 20;
    snprintf(path, sizeof path, "%s/hugetlb.%llu%s.%s", directory,
             (unsigned long long)(mib >= 1024 ? mib >> 10
                                  : mib       ? mib
                                              : page >> 10),
             mib >= 1024 ? "GB"
             : mib       ? "MB"
                         : "KB",
             what);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    bool there = fscanf(file, "%31s", text) == 1;
    fclose(file);
    *bytes = strcmp(text, "max") == 0 ? UINT64_MAX : strtoull(text, NULL, 10);
    return there;
}

/* The room in the group of this directory and in all groups above it, up to the mount point. */
static uint64_t room_below(char *directory, size_t mount, uint64_t page, const version *of)
{
    uint64_t least = UINT64_MAX, limit, usage;
    while (strlen(directory) >= mount) {
        if (read_group(directory, page, of->limit, &limit) &&
            read_group(directory, page, of->usage, &usage)) {
            uint64_t room = limit > usage ? limit - usage : 0;
            if (room < least) least = room;
        }
        char *end = strrchr(directory, '/');
        if (!end) break;
        *end = '\0';
    }
    return least;
}

/* The path of the process's group, from a line such as "4:hugetlb:/some/group"; version 2:
 * "0::/...". */
static bool find_group(const char *cgroup, bool second, char group[PATH])
{
    char line[LINE], *controllers, *path;
    bool found = false;
    FILE *file = fopen(cgroup, "re");
    if (!file) return false;
    while (!found && fgets(line, sizeof line, file)) {
        if (!(controllers = strchr(line, ':')) || !(path = strchr(controllers + 1, ':'))) continue;
        *path++ = '\0';
        found = second ? !controllers[1] : strstr(controllers + 1, "hugetlb") != NULL;
        path[strcspn(path, "\n")] = '\0';
        if (found) snprintf(group, PATH, "%s", path);
    }
    fclose(file);
    return found;
}

/* Line: "36 35 0:30 ROOT MOUNT options - TYPE source options". What is above ROOT cannot be seen
 * here. In a container, the group may not be below ROOT; then the group is the mount itself. */
static uint64_t room_by(const char *line, uint64_t page, const char *cgroup)
{
    char root[PATH], mount[PATH], type[32], options[PATH], group[PATH], directory[2 * PATH];
    const char *behind = strstr(line, " - ");
    if (sscanf(line, "%*s %*s %*s %511s %511s", root, mount) != 2 || !behind ||
        sscanf(behind, " - %31s %*s %511s", type, options) != 2)
        return UINT64_MAX;
    bool second = strcmp(type, "cgroup2") == 0;
    if (!second && (strcmp(type, "cgroup") != 0 || !strstr(options, "hugetlb"))) return UINT64_MAX;
    if (!find_group(cgroup, second, group)) return UINT64_MAX;
    size_t above = strcmp(root, "/") == 0 ? 0 : strlen(root);
    bool below = strncmp(group, root, above) == 0 && (!group[above] || group[above] == '/');
    snprintf(directory, sizeof directory, "%s%s", mount, below ? group + above : "");
    return room_below(directory, strlen(mount), page, &versions[second ? 0 : 1]);
}

uint64_t hy_huge_allowed(uint64_t page, const char *cgroup, const char *mountinfo)
{
    char line[LINE];
    uint64_t least = UINT64_MAX;
    FILE *file = fopen(mountinfo, "re");
    if (!file) return least;
    while (fgets(line, sizeof line, file)) {
        uint64_t room = room_by(line, page, cgroup);
        if (room < least) least = room;
    }
    fclose(file);
    return least;
}

uint64_t hy_huge_available(uint64_t page)
{
    char path[128];
    unsigned long long kib = page / 1024;
    snprintf(path, sizeof path, "/sys/kernel/mm/hugepages/hugepages-%llukB/free_hugepages", kib);
    uint64_t unused = huge_pages_read_number(path);
    snprintf(path, sizeof path, "/sys/kernel/mm/hugepages/hugepages-%llukB/resv_hugepages", kib);
    uint64_t promised = huge_pages_read_number(path);
    if (unused <= promised) return 0;
    uint64_t allowed = hy_huge_allowed(page, "/proc/self/cgroup", "/proc/self/mountinfo") / page;
    return unused - promised < allowed ? unused - promised : allowed;
}
