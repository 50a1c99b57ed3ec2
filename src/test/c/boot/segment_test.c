/* SPDX-License-Identifier: Apache-2.0 */
#include "base/test.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment_fixture.h"

#define MIB ((uint64_t)1 << 20)

TEST(should_make_a_segment_that_maps)
{
    make_segment(4, 8 * MIB);
    assert_int_equal(control->size, 4);
    assert_true(control->heap_bytes >= 8 * MIB);
    assert_true(control->part_bytes >= control->heap_bytes + 65 * MIB);
    assert_int_equal(control->control_bytes + 4 * control->part_bytes, bytes);
    for (int i = 0; i < 4; i++)
        assert_int_equal(hy_load_acquire(&hy_control_live_of(control)->ranks[i].state),
                         HY_RANK_EXPECTED);
    uint8_t *last = (uint8_t *)control + bytes - 1;
    *last = 7;
    assert_int_equal(*last, 7);
}

/* Node 1 of 2: ranks 3 and 4 of 5. */
TEST(should_make_room_for_a_delegation_area)
{
    static const int32_t node_of[] = {0, 0, 0, 1, 1};
    const uint64_t room = 3 * 4096 + HY_LINE;
    const hy_segment_nodes nodes = {
        .size = 5, .nodes = 2, .node = 1, .node_of = node_of, .delegation_bytes = room};
    hy_control *alone;
    assert_ok(hy_segment_create_among(&nodes, MIB, &fd, &bytes));
    map_segment(5);
    assert_int_equal(control->leader, 3);
    assert_int_equal(control->parts, 2);
    assert_int_equal(control->delegation_bytes, room);
    uint8_t *area = hy_control_delegation(control);
    assert_true(area >= (uint8_t *)hy_control_entry_at(control, 2));
    assert_true(area + room <= hy_control_part(control, 3));
    assert_int_equal((uintptr_t)area % HY_LINE, 0);
    assert_int_equal(control->part_bytes % (2 * MIB), 0); /* whatever the pages of a node are */
    assert_true(control->heap_bytes >= MIB);
    area[room - 1] = 7;
    assert_ok(hy_segment_map_control(fd, 5, bytes, &alone));
    assert_int_equal(((uint8_t *)hy_control_delegation(alone))[room - 1], 7);
    munmap(alone, control->control_bytes);
    assert_int_equal(hy_segment_map_control(fd, 4, bytes, &alone), HAYATE_ERR_CORRUPT);
}

/* The flags of a mapping, as "rd wr sh .. dd". */
static void read_flags(const void *address, char *flags, size_t size)
{
    char wanted[32], line[512];
    bool found = false;
    FILE *maps = fopen("/proc/self/smaps", "re");
    snprintf(wanted, sizeof wanted, "%lx-", (unsigned long)(uintptr_t)address);
    *flags = '\0';
    while (maps && fgets(line, sizeof line, maps)) {
        if (strncmp(line, wanted, strlen(wanted)) == 0) found = true;
        if (!found || strncmp(line, "VmFlags:", 8) != 0) continue;
        snprintf(flags, size, "%s", line + 8);
        break;
    }
    if (maps) fclose(maps);
}

TEST(should_give_every_segment_a_secret_of_its_own)
{
    static const uint8_t none[HY_TOKEN_BYTES];
    uint8_t tokens[2][HY_TOKEN_BYTES];
    for (int i = 0; i < 2; i++) {
        make_segment(2, MIB);
        memcpy(tokens[i], control->token, sizeof tokens[i]);
        assert_memory_not_equal(tokens[i], none, sizeof none);
        drop_segment(NULL);
    }
    assert_memory_not_equal(tokens[0], tokens[1], sizeof none);
}

TEST(should_stay_out_of_core_files)
{
    char flags[512];
    make_segment(2, 8 * MIB);
    read_flags(control, flags, sizeof flags);
    if (!*flags) skip();
    assert_non_null(strstr(flags, " dd"));
}

TEST(should_borrow_what_is_mapped_already)
{
    hy_control *borrowed = NULL;
    make_segment(2, MIB);
    uint64_t address = (uint64_t)(uintptr_t)control;
    assert_ok(hy_segment_borrow(fd, 2, bytes, address, &borrowed));
    assert_ptr_equal(borrowed, control);
    borrowed = NULL;
    assert_int_equal(hy_segment_borrow(fd, 3, bytes, address, &borrowed), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_borrow(fd, 2, bytes + 4096, address, &borrowed),
                     HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_borrow(fd, 2, bytes, address + 64, &borrowed), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_borrow(fd, 2, bytes, address + control->control_bytes, &borrowed),
                     HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_borrow(fd, 2, bytes, 0, &borrowed), HAYATE_ERR_CORRUPT);
    assert_null(borrowed);
}

TEST(should_take_memory_only_for_touched_pages)
{
    struct stat status;
    assert_ok(hy_segment_create(64, hy_heap_default(64), &fd, &bytes));
    assert_int_equal(fstat(fd, &status), 0);
    assert_true(bytes > 64 * 128 * MIB);
    assert_true((uint64_t)status.st_blocks * 512 < MIB);
}

TEST(should_seal_the_size)
{
    assert_ok(hy_segment_create(1, MIB, &fd, &bytes));
    assert_int_equal(ftruncate(fd, 4096), -1);
    assert_int_equal(errno, EPERM);
    assert_int_equal(ftruncate(fd, (off_t)(2 * bytes)), -1);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
}

TEST(should_give_a_default_heap_that_shrinks_with_the_ranks)
{
    assert_true(hy_heap_default(1) >= hy_heap_default(2));
    assert_int_equal(hy_heap_default(HY_MAX_PARTS) % MIB, 0);
    assert_true(hy_heap_default(HY_MAX_PARTS) >= 64 * MIB);
}

TEST(should_refuse_impossible_requests)
{
    assert_int_equal(hy_segment_create(0, MIB, &fd, &bytes), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_segment_create(HY_MAX_PARTS + 1, MIB, &fd, &bytes), HAYATE_ERR_ARGUMENT);
    assert_int_equal(hy_segment_create(1, UINT64_MAX, &fd, &bytes), HAYATE_ERR_ARGUMENT);
    assert_refused(hy_segment_create(4096, HY_HEAP_HIGH, &fd, &bytes), HAYATE_ERR_NO_MEMORY,
                   "--heap");
}

/* Growing a file over this limit would raise SIGXFSZ, whose default is to kill. */
TEST(should_survive_a_file_size_limit)
{
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = (struct rlimit){.rlim_cur = MIB, .rlim_max = old.rlim_max};
    setrlimit(RLIMIT_FSIZE, &low);
    int rc = hy_segment_create(1, MIB, &fd, &bytes);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_refused(rc, HAYATE_ERR_NO_MEMORY, "ulimit -f");
}

static int copy_of_header(int fd, uint64_t bytes, bool sealed)
{
    hy_control header;
    int copy = memfd_create("copy", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(pread(fd, &header, sizeof header, 0), sizeof header);
    assert_int_equal(pwrite(copy, &header, sizeof header, 0), sizeof header);
    assert_int_equal(ftruncate(copy, (off_t)bytes), 0);
    if (sealed) fcntl(copy, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    return copy;
}

TEST(should_not_map_what_could_shrink_or_has_another_size)
{
    assert_ok(hy_segment_create(2, MIB, &fd, &bytes));
    int loose = copy_of_header(fd, bytes, false), shorter = copy_of_header(fd, 4096, true);
    assert_refused(hy_segment_map(loose, 2, bytes, &control), HAYATE_ERR_CORRUPT, "sealed");
    assert_int_equal(hy_segment_map(shorter, 2, bytes, &control), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_map(shorter, 2, 4096, &control), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_map(fd, 3, bytes, &control), HAYATE_ERR_CORRUPT);
    assert_int_equal(hy_segment_map(-1, 2, bytes, &control), HAYATE_ERR_SYSTEM);
    close(loose);
    close(shorter);
}

/* Every word of the header becomes hostile after it was checked: a process goes on with its copy.
 */
TEST(should_not_read_sizes_that_change_later)
{
    static const uint32_t hostile[] = {0, 1, 0x7ffffff0, 0xfffffff0, UINT32_MAX};
    hy_control *alone;
    make_segment(4, MIB);
    assert_ok(hy_segment_map_control(fd, 4, bytes, &alone));
    if (control->huge) skip();
    const hy_control before = *control;
    for (size_t at = 0; at < sizeof before; at += sizeof *hostile) {
        uint32_t old;
        assert_int_equal(pread(fd, &old, sizeof old, (off_t)at), sizeof old);
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
            assert_int_equal(pwrite(fd, &hostile[i], sizeof old, (off_t)at), sizeof old);
            assert_memory_equal(control, &before, sizeof before);
            assert_memory_equal(alone, &before, sizeof before);
            for (int rank = 0; rank < 4; rank++)
                assert_int_equal(hy_control_part_number(control, rank), rank);
            hy_control_publish(control, 3, HY_RANK_LEFT, 0);
            hy_control_publish(alone, 3, HY_RANK_LEFT, 0);
        }
        assert_int_equal(pwrite(fd, &old, sizeof old, (off_t)at), sizeof old);
    }
    munmap(alone, before.control_bytes);
}

/* Of a node whose ranks no rule places: this rank, and its peers, keep their parts. */
TEST(should_keep_the_parts_of_ranks_that_are_overwritten_later)
{
    static const int32_t node_of[] = {1, 0, 0, 1, 0, 1, 1};
    static const int part_of[] = {0, -1, -1, 1, -1, 2, 3};
    const hy_segment_nodes nodes = {.size = 7, .nodes = 2, .node = 1, .node_of = node_of};
    assert_ok(hy_segment_create_among(&nodes, MIB, &fd, &bytes));
    map_segment(7);
    if (control->huge) skip();
    assert_int_equal(control->layout.kind, HY_LAYOUT_LIST);
    for (uint32_t i = 0; i < control->parts; i++)
        hy_control_entry_at(control, i)->rank = UINT32_MAX - i;
    for (int rank = 0; rank < 7; rank++)
        assert_int_equal(hy_control_part_number(control, rank), part_of[rank]);
}

int main(void)
{
    tests_each(NULL, drop_segment);
    return tests_run();
}
