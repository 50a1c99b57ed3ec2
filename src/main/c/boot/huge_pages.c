/* SPDX-License-Identifier: Apache-2.0 */
/* Reads /proc/meminfo, the pool of the system, and the limits of control groups. */
#include "boot/huge_pages.h"

#include <stdio.h>

#include "boot/control_groups.h"

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

/* Files such as "hugetlb.2MB.max". */
uint64_t hy_huge_allowed(uint64_t page, const char *cgroup, const char *mountinfo)
{
    static const char *const names[][2] = {{"limit_in_bytes", "usage_in_bytes"},
                                           {"max", "current"}};
    char files[2][2][64];
    hy_control_group_files asked = {.controller = "hugetlb"};
    uint64_t mib = page >> 20;
    for (int version = 0; version < 2; version++)
        for (int i = 0; i < 2; i++)
            snprintf(files[version][i], sizeof files[version][i], "hugetlb.%llu%s.%s",
                     (unsigned long long)(mib >= 1024 ? mib >> 10
                                          : mib       ? mib
                                                      : page >> 10),
                     mib >= 1024 ? "GB"
                     : mib       ? "MB"
                                 : "KB",
                     names[version][i]);
    for (int version = 0; version < 2; version++) {
        asked.limit[version] = files[version][0];
        asked.usage[version] = files[version][1];
    }
    return hy_control_groups_allow(&asked, cgroup, mountinfo);
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
