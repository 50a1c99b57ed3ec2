/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"
#include "base/status.h"
#include "boot/boot.h"
#include "boot/segment.h"
#include "observe/stat.h"

#define RANKS 3
#define HEAP (UINT64_C(1) << 20)

/* The segment of a job, and a view of it. */
static struct {
    int fd;
    uint64_t bytes;
    hy_control *control;
} made;

static hy_view *stat;
static hy_stat_rank rank;

static int make_segment(void **state)
{
    (void)state;
    assert_ok(hy_segment_create(RANKS, HEAP, &made.fd, &made.bytes));
    assert_ok(hy_segment_map(made.fd, RANKS, made.bytes, &made.control));
    assert_ok(hy_stat_open_fd(made.fd, &stat));
    return 0;
}

static int drop_segment(void **state)
{
    (void)state;
    hy_stat_close(stat);
    munmap(made.control, made.bytes);
    close(made.fd);
    return 0;
}

static hy_counters *counters_of(int rank)
{
    uint8_t *parts = (uint8_t *)made.control + made.control->control_bytes;
    return (void *)(parts + (uint64_t)rank * made.control->part_bytes);
}

static void join(int rank, int pid)
{
    hy_store_relaxed(&hy_control_live_of(made.control)->ranks[rank].pid, pid);
    hy_store_release(&hy_control_live_of(made.control)->ranks[rank].state, HY_RANK_JOINED);
}

TEST_WITH(should_find_the_job_of_a_process, make_segment, drop_segment)
{
    hy_view *another = NULL;
    assert_ok(hy_stat_open(getpid(), &another));
    assert_int_equal(another->header.size, RANKS);
    assert_int_equal(another->header.heap_bytes, HEAP);
    hy_stat_close(another);
}

TEST_WITH(should_prefer_a_job_that_goes_on, make_segment, drop_segment)
{
    hy_view *another = NULL;
    uint64_t bytes;
    int second;
    assert_ok(hy_segment_create(RANKS + 1, HEAP, &second, &bytes));
    assert_ok(hy_stat_open(getpid(), &another));
    assert_int_equal(another->header.size, RANKS);
    hy_stat_close(another);
    for (int i = 0; i < RANKS; i++) hy_control_publish(made.control, i, HY_RANK_LEFT, 0);
    assert_ok(hy_stat_open(getpid(), &another));
    assert_int_equal(another->header.size, RANKS + 1);
    hy_stat_close(another);
    close(second);
    assert_ok(hy_stat_open(getpid(), &another));
    assert_int_equal(another->header.size, RANKS);
    hy_stat_close(another);
}

TEST_WITH(should_read_what_each_rank_counts, make_segment, drop_segment)
{
    join(1, 4711);
    hy_store_relaxed(&counters_of(1)->stripe[0][HY_COUNT_SENT], 5);
    hy_store_relaxed(&counters_of(1)->stripe[HY_STRIPES - 1][HY_COUNT_SENT], 7);
    assert_ok(hy_stat_read(stat, 1, &rank));
    assert_int_equal(rank.state, HY_RANK_JOINED);
    assert_int_equal(rank.pid, 4711);
    assert_int_equal(rank.counters[HY_COUNT_SENT], 12);
    assert_int_equal(rank.counters[HY_COUNT_RECEIVED], 0);
    hy_store_relaxed(&counters_of(1)->stripe[0][HY_COUNT_SENT], 6);
    assert_ok(hy_stat_read(stat, 1, &rank));
    assert_int_equal(rank.counters[HY_COUNT_SENT], 13);
}

TEST_WITH(should_say_what_became_of_a_rank, make_segment, drop_segment)
{
    hy_control_publish(made.control, 2, HY_RANK_DEAD, 256 + SIGKILL);
    assert_ok(hy_stat_read(stat, 2, &rank));
    assert_string_equal(hy_stat_state_name(rank.state), "dead");
    assert_int_equal(rank.why, 256 + SIGKILL);
    assert_string_equal(hy_stat_state_name(77), "damaged");
}

TEST_WITH(should_not_take_memory_by_looking, make_segment, drop_segment)
{
    unsigned char resident = 1;
    for (int i = 0; i < RANKS; i++) assert_ok(hy_stat_read(stat, i, &rank));
    assert_int_equal(mincore(counters_of(0), 1, &resident), 0);
    if (!made.control->huge) assert_int_equal(resident & 1, 0);
}

TEST_WITH(should_refuse_a_rank_out_of_range, make_segment, drop_segment)
{
    assert_code(hy_stat_read(stat, -1, &rank), HAYATE_ERR_ARGUMENT);
    assert_code(hy_stat_read(stat, RANKS, &rank), HAYATE_ERR_ARGUMENT);
}

/* What a faulty rank writes over the header: other processes have checked copies of it. */
static void damage(const hy_control *header)
{
    assert_int_equal(pwrite(made.fd, header, sizeof *header, 0), sizeof *header);
}

/* The mapping keeps its bounds, whatever the job writes over its own header later. */
TEST_WITH(should_not_believe_a_header_that_changes_later, make_segment, drop_segment)
{
    join(2, 1);
    hy_control header = *made.control;
    header.size = HY_MAX_RANKS;
    header.part_bytes = header.control_bytes = UINT64_MAX;
    damage(&header);
    assert_ok(hy_stat_read(stat, 2, &rank));
    assert_code(hy_stat_read(stat, RANKS, &rank), HAYATE_ERR_ARGUMENT);
}

TEST_WITH(should_refuse_a_damaged_header, make_segment, drop_segment)
{
    hy_view *another = NULL;
    hy_control header = *made.control;
    header.part_bytes *= 2;
    damage(&header);
    assert_code(hy_stat_open_fd(made.fd, &another), HAYATE_ERR_CORRUPT);
    header = *made.control;
    header.size = 0;
    damage(&header);
    assert_code(hy_stat_open_fd(made.fd, &another), HAYATE_ERR_CORRUPT);
    header = *made.control;
    header.heap_bytes = header.part_bytes;
    damage(&header);
    assert_refused(hy_stat_open_fd(made.fd, &another), HAYATE_ERR_CORRUPT, "counters");
    header = *made.control;
    header.abi++;
    damage(&header);
    assert_code(hy_stat_open_fd(made.fd, &another), HAYATE_ERR_LAUNCH);
}

TEST(should_refuse_a_file_that_can_shrink)
{
    hy_view *another = NULL;
    int fd = memfd_create("hayate", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(fd, 1 << 20), 0);
    assert_refused(hy_stat_open_fd(fd, &another), HAYATE_ERR_CORRUPT, "sealed");
    close(fd);
}

/* A child that lives until it is killed and has no descriptors: 255, the one it closes last, is the
 * write end of a pipe. */
static pid_t start_child(void)
{
    int ends[2];
    char end;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 255);
        for (int fd = 0; fd < 256; fd++) close(fd);
        pause();
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &end, 1), 0);
    close(ends[0]);
    return child;
}

TEST_WITH(should_tell_a_process_without_a_job, make_segment, drop_segment)
{
    hy_view *another = NULL;
    pid_t child = start_child();
    assert_refused(hy_stat_open(child, &another), HAYATE_ERR_ARGUMENT, "in no Hayate job");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    assert_refused(hy_stat_open(child, &another), HAYATE_ERR_ARGUMENT, "no process");
}

TEST(should_refuse_what_is_no_process_of_this_user)
{
    hy_view *another = NULL;
    assert_code(hy_stat_open(0, &another), HAYATE_ERR_ARGUMENT);
    assert_code(hy_stat_open(-5, &another), HAYATE_ERR_ARGUMENT);
    uid_t other = geteuid() == 0 ? 65534 : 0; /* not root: process 1 is somebody else's */
    if (other && seteuid(other) != 0) skip();
    int rc = hy_stat_open(1, &another);
    if (other) assert_int_equal(seteuid(0), 0);
    assert_refused(rc, HAYATE_ERR_ARGUMENT, "belongs to user");
}

TEST(should_say_that_a_rank_counts_elsewhere)
{
    static const int32_t node_of[] = {0, 1, 0};
    const hy_segment_nodes nodes = {.size = RANKS, .nodes = 2, .node = 0, .node_of = node_of};
    hy_control *control;
    hy_view *another;
    hy_stat_rank seen;
    uint64_t bytes;
    int fd;
    assert_ok(hy_segment_create_among(&nodes, HEAP, &fd, &bytes));
    assert_ok(hy_segment_map(fd, RANKS, bytes, &control));
    assert_int_equal(bytes, control->control_bytes + 2 * control->part_bytes);
    assert_null(hy_control_part(control, 1));
    assert_ptr_equal(hy_control_part(control, 2),
                     hy_control_part(control, 0) + control->part_bytes);
    for (int i = 0; i < RANKS; i++) hy_control_record(control, i)->state = HY_RANK_JOINED;
    hy_count((hy_counters *)(void *)hy_control_part(control, 2), HY_COUNT_SLEEPS, 7);
    assert_ok(hy_stat_open_fd(fd, &another));
    assert_ok(hy_stat_read(another, 1, &seen));
    assert_string_equal(hy_stat_state_name(seen.state), "elsewhere");
    assert_ok(hy_stat_read(another, 2, &seen));
    assert_int_equal(seen.counters[HY_COUNT_SLEEPS], 7);
    hy_stat_close(another);
    munmap(control, bytes);
    close(fd);
}

/* The node of rank 1, of three, with a delegatee: part 0. */
TEST(should_read_what_a_delegatee_counts)
{
    static const int32_t node_of[] = {0, 1, 0};
    uint64_t area = hy_round_up(hy_delegation_bytes(1, 2), HY_LINE), bytes;
    const hy_segment_nodes nodes = {
        .size = RANKS, .nodes = 2, .node = 1, .node_of = node_of, .delegation_bytes = area};
    hy_control *control;
    hy_view *another;
    hy_stat_rank seen;
    hy_delegation_view view;
    int fd;
    assert_ok(hy_segment_create_among(&nodes, HEAP, &fd, &bytes));
    assert_ok(hy_segment_map(fd, RANKS, bytes, &control));
    assert_ok(hy_stat_open_fd(fd, &another));
    assert_false(hy_stat_delegatee(another, &view)); /* nobody has initialised the area yet */
    hy_delegation *delegation = hy_control_delegation(control);
    hy_delegation_init(delegation, 1, 2);
    hy_store_relaxed(&delegation->pid, 815);
    hy_store_relaxed(&delegation->sleeps, 3);
    hy_store_relaxed(&delegation->waiting, HY_DELEGATE_INTERRUPT);
    memset(delegation->network, 'n', sizeof delegation->network); /* it does not end */
    hy_delegation_count(&hy_delegation_rank_of(delegation, 1, 2, 0)->taken, 100);
    hy_delegation_count(&hy_delegation_rank_of(delegation, 1, 2, 0)->taken, 11);
    for (int i = 0; i < RANKS; i++) hy_control_record(control, i)->state = HY_RANK_JOINED;
    assert_true(hy_stat_delegatee(another, &view));
    assert_int_equal(view.pid, 815);
    assert_int_equal(view.sleeps, 3);
    assert_int_equal(view.waiting, HY_DELEGATE_INTERRUPT);
    assert_int_equal(view.commands, 2);
    assert_int_equal(view.bytes, 111);
    assert_int_equal(strlen(view.network), sizeof view.network - 1);
    assert_ok(hy_stat_read(another, 1, &seen));
    assert_int_equal(seen.commands, 2);
    assert_int_equal(seen.command_bytes, 111);
    assert_ok(hy_stat_read(another, 0, &seen));
    assert_int_equal(seen.commands, 0);
    delegation->parts = 1u << 20; /* a later lie is not believed */
    assert_false(hy_stat_delegatee(another, &view));
    hy_stat_close(another);
    munmap(control, bytes);
    close(fd);
}

int main(void)
{
    return tests_run();
}
