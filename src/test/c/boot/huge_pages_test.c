/* SPDX-License-Identifier: Apache-2.0 */
/* What control groups leave of huge pages, memory and processors, by made-up trees of them. */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "boot/boot.h"
#include "boot/control_groups.h"
#include "boot/huge_pages.h"

#define MB (UINT64_C(1) << 20)
#define PAGE (2 * MB)

static char place[] = "/tmp/hayate-groups-XXXXXX";

static int make_place(void **state)
{
    (void)state;
    return mkdtemp(place) ? 0 : -1;
}

static int remove_place(void **state)
{
    (void)state;
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", place);
    return system(command);
}

/* Below `place`; directories are made. */
static void write_file(const char *name, const char *text)
{
    char path[300], command[400];
    snprintf(path, sizeof path, "%s/%s", place, name);
    snprintf(command, sizeof command, "mkdir -p $(dirname %s)", path);
    assert_int_equal(system(command), 0);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char cgroup[64], mountinfo[64];

static void describe(const char *group, const char *root, const char *mount, const char *type)
{
    char text[400];
    write_file("cgroup", group);
    snprintf(text, sizeof text,
             "20 1 8:1 / / rw - ext4 /dev/root rw\n"
             "36 20 0:30 %s %s/%s rw,nosuid shared:9 - %s\n"
             "short line\n",
             root, place, mount, type);
    write_file("mountinfo", text);
    snprintf(cgroup, sizeof cgroup, "%s/cgroup", place);
    snprintf(mountinfo, sizeof mountinfo, "%s/mountinfo", place);
}

static uint64_t allowed(const char *group, const char *root, const char *mount, const char *type)
{
    describe(group, root, mount, type);
    return hy_huge_allowed(PAGE, cgroup, mountinfo);
}

#define SECOND "cgroup2 cgroup2 rw"
#define FIRST "cgroup cgroup rw,hugetlb"

TEST(should_find_the_least_room_of_all_groups_above)
{
    write_file("two/user/job/hugetlb.2MB.max", "max\n");
    write_file("two/user/job/hugetlb.2MB.current", "0\n");
    assert_int_equal(allowed("0::/user/job\n", "/", "two", SECOND), UINT64_MAX);
    write_file("two/user/hugetlb.2MB.max", "104857600\n");
    write_file("two/user/hugetlb.2MB.current", "4194304\n");
    assert_int_equal(allowed("0::/user/job\n", "/", "two", SECOND), 96 * MB);
    write_file("two/user/job/hugetlb.2MB.max", "8388608\n");
    assert_int_equal(allowed("0::/user/job\n", "/", "two", SECOND), 8 * MB);
    write_file("two/user/job/hugetlb.2MB.current", "8388608\n");
    assert_int_equal(allowed("0::/user/job\n", "/", "two", SECOND), 0);
}

TEST(should_read_the_first_version_too)
{
    write_file("one/job/hugetlb.2MB.limit_in_bytes", "6291456\n");
    write_file("one/job/hugetlb.2MB.usage_in_bytes", "2097152\n");
    write_file("one/job/hugetlb.1GB.limit_in_bytes", "0\n");
    static const char groups[] = "5:memory:/other\n4:cpu,hugetlb:/job\n0::/elsewhere\n";
    assert_int_equal(allowed(groups, "/", "one", FIRST), 4 * MB);
    assert_int_equal(allowed(groups, "/", "one", "cgroup cgroup rw,memory"), UINT64_MAX);
}

/* A container sees its group as the root of what is mounted, by either name. */
TEST(should_find_the_group_of_a_container)
{
    write_file("pod/hugetlb.2MB.max", "0\n");
    write_file("pod/hugetlb.2MB.current", "0\n");
    assert_int_equal(allowed("0::/\n", "/", "pod", SECOND), 0);
    assert_int_equal(allowed("0::/kubepods/pod7\n", "/kubepods/pod7", "pod", SECOND), 0);
    assert_int_equal(allowed("0::/../elsewhere\n", "/kubepods/pod7", "pod", SECOND), 0);
}

TEST(should_allow_all_where_nothing_is_said)
{
    assert_int_equal(hy_huge_allowed(PAGE, "/nowhere", "/proc/self/mountinfo"), UINT64_MAX);
    assert_int_equal(hy_huge_allowed(PAGE, "/proc/self/cgroup", "/nowhere"), UINT64_MAX);
    assert_int_equal(allowed("nonsense\n:\n", "/", "two", SECOND), UINT64_MAX);
    assert_int_equal(allowed("0::/not/there\n", "/", "nothing", SECOND), UINT64_MAX);
}

static uint64_t memory(const char *group, const char *root, const char *mount, const char *type)
{
    describe(group, root, mount, type);
    return hy_memory_allowed(cgroup, mountinfo);
}

static uint64_t cpus(const char *group, const char *root, const char *mount, const char *type)
{
    describe(group, root, mount, type);
    return hy_cpus_allowed(cgroup, mountinfo);
}

/* Two and a half processors keep two ranks busy. */
TEST(should_find_the_fewest_processors_of_all_groups_above)
{
    write_file("two/user/job/cpu.max", "max 100000\n");
    assert_int_equal(cpus("0::/user/job\n", "/", "two", SECOND), UINT64_MAX);
    write_file("two/user/cpu.max", "250000 100000\n");
    assert_int_equal(cpus("0::/user/job\n", "/", "two", SECOND), 2);
    write_file("two/user/job/cpu.max", "50000 100000\n");
    assert_int_equal(cpus("0::/user/job\n", "/", "two", SECOND), 1);
    write_file("two/user/job/cpu.max", "50000\n");
    assert_int_equal(cpus("0::/user/job\n", "/", "two", SECOND), 2);
    write_file("one/job/cpu.cfs_period_us", "100000\n");
    write_file("one/job/cpu.cfs_quota_us", "-1\n");
    assert_int_equal(cpus("4:cpu,cpuacct:/job\n", "/", "one", "cgroup cgroup rw,cpu"), UINT64_MAX);
    write_file("one/job/cpu.cfs_quota_us", "400000\n");
    assert_int_equal(cpus("4:cpu,cpuacct:/job\n", "/", "one", "cgroup cgroup rw,cpu"), 4);
    write_file("one/job/cpu.cfs_period_us", "0\n");
    assert_int_equal(cpus("4:cpu,cpuacct:/job\n", "/", "one", "cgroup cgroup rw,cpu"), UINT64_MAX);
}

/* What is used already is no reason for a smaller heap. */
TEST(should_find_the_least_memory_of_all_groups_above)
{
    write_file("memory2/user/job/memory.max", "max\n");
    write_file("memory2/user/job/memory.current", "4194304\n");
    assert_int_equal(memory("0::/user/job\n", "/", "memory2", SECOND), UINT64_MAX);
    write_file("memory2/user/memory.max", "104857600\n");
    assert_int_equal(memory("0::/user/job\n", "/", "memory2", SECOND), 100 * MB);
    assert_int_equal(memory("0::/docker/7\n", "/docker/7", "memory2/user", SECOND), 100 * MB);
    write_file("memory2/user/job/memory.max", "8388608\n");
    assert_int_equal(memory("0::/user/job\n", "/", "memory2", SECOND), 8 * MB);
    write_file("memory1/job/memory.limit_in_bytes", "1073741824\n");
    assert_int_equal(
        memory("4:cpuset,memory:/job\n0::/\n", "/", "memory1", "cgroup cgroup rw,memory"),
        1024 * MB);
    assert_int_equal(memory("4:name=memory:/job\n0::/\n", "/", "memory1", "cgroup cgroup rw,cpu"),
                     UINT64_MAX);
}

TEST(should_make_the_default_heap_fit_into_what_is_allowed)
{
    uint64_t allowed_here = hy_memory_allowed("/proc/self/cgroup", "/proc/self/mountinfo");
    assert_true(hy_heap_default(1) <= (allowed_here / 2 > 64 * MB ? allowed_here / 2 : 64 * MB));
}

int main(void)
{
    return tests_run_in(make_place, remove_place);
}
