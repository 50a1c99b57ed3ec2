/* SPDX-License-Identifier: Apache-2.0 */
/* Which of several ranks of other nodes is named as the one that failed. */
#include "base/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nodes/far.h"
#include "nodes/membership.h"
#include "nodes/membership_flags.h"
#include "nodes/node_map.h"
#include "net/net.h"

/* ---- rank 0 of three, each of which is a node ---- */

enum { RANKS = 3 };

static bool gone[RANKS], left[RANKS]; /* what the network knows */

static int made_up_check(hy_ep *ep)
{
    return gone[ep->rank] ? hy_fail_peer(HAYATE_ERR_PEER_FAILED, ep->rank, "it is silent")
                          : HAYATE_OK;
}

static bool made_up_has_left(hy_ep *ep)
{
    return left[ep->rank];
}

static void made_up_close(hy_net *net)
{
    (void)net;
}

static int begun, tested, progressed; /* calls */
static int begun_before;              /* the rank left */
static int answer = HAYATE_IN_PROGRESS;

static int made_up_progress(hy_net *net)
{
    (void)net;
    progressed++;
    return 0;
}

/* Nobody answers, in most tests. */
static int made_up_begin(hy_ep *ep, hy_path_op *op)
{
    (void)ep, (void)op;
    begun++;
    return answer;
}

static int made_up_test(hy_ep *ep, hy_path_op *op)
{
    (void)ep, (void)op;
    tested++;
    return HAYATE_IN_PROGRESS;
}

static const hy_path_ops row = {.begin = made_up_begin, .test = made_up_test};
static const hy_net_ops ops = {.progress = made_up_progress,
                               .check = made_up_check,
                               .has_left = made_up_has_left,
                               .close = made_up_close};
static hy_net net = {.ops = &ops};
static hy_ep eps[RANKS];
static hy_job *job;

static int set_up(void **state)
{
    (void)state;
    size_t part = hy_control_size(RANKS, 1, 4096), bytes = part + 65536;
    hy_control *control = aligned_alloc(4096, bytes);
    job = aligned_alloc(HY_LINE, hy_round_up(sizeof *job, HY_LINE));
    memset(control, 0, bytes);
    control->size = control->nodes = RANKS;
    control->parts = 1;
    control->control_bytes = part;
    control->part_bytes = 65536; /* what is told to this rank is at its beginning */
    control->layout.by_node = hy_deal_make(RANKS, RANKS, 1, 0);
    for (int i = 0; i < RANKS; i++) {
        eps[i] = (hy_ep){.ops = &row, .rank = i, .net = i > 0 ? &net : NULL};
        gone[i] = left[i] = false;
    }
    *job = (hy_job){.size = RANKS,
                    .boot = {.control = control, .size = RANKS},
                    .eps = eps,
                    .eps_count = RANKS,
                    .net = &net};
    pthread_mutex_init(&job->lock, NULL);
    job->opener = getpid();
    if (hy_node_map_open(job) || hy_far_open(job)) return -1;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hy_far_close(job);
    pthread_mutex_destroy(&job->lock);
    free(job->boot.control);
    free(job);
    return 0;
}

static void assert_named(int rank, const char *reason)
{
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hy_job_check_all(job), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(hayate_error_peer(), rank);
        assert_non_null(strstr(hayate_error(), reason));
    }
}

/* ---- tests ---- */

TEST(should_name_a_rank_that_is_silent)
{
    assert_ok(hy_job_check_all(job));
    gone[1] = true;
    assert_int_equal(hy_far_check(job, 1), HAYATE_ERR_PEER_FAILED);
    assert_named(1, "it is silent");
}

/* The second one has ended because it had seen the first one fail. */
TEST(should_name_the_rank_that_failed_first_however_it_is_learned)
{
    hy_far_lost(job, 2, HY_RANK_DEAD);
    assert_named(2, "on another node, has ended");
    gone[1] = true;
    assert_int_equal(hy_far_check(job, 1), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 1);
    assert_named(2, "on another node, has ended");
}

TEST(should_name_the_rank_seen_first_if_others_fail_after_it)
{
    gone[2] = true;
    assert_int_equal(hy_far_check(job, 2), HAYATE_ERR_PEER_FAILED);
    hy_far_lost(job, 1, HY_RANK_DEAD);
    assert_named(2, "it is silent");
}

TEST(should_not_take_leaving_for_a_failure)
{
    gone[1] = left[1] = true;
    assert_int_equal(hy_far_check(job, 1), HAYATE_ERR_PEER_FAILED);
    assert_ok(hy_job_check_all(job));
    hy_far_lost(job, 2, HY_RANK_DEAD);
    assert_named(2, "on another node, has ended");
}

/* Both may have arrived since this rank has looked. */
TEST(should_believe_a_rank_that_told_of_its_end_before_it_left)
{
    uint8_t *part = hy_control_part(job->boot.control, 0);
    hy_membership_digest *digest = (void *)(part + hy_membership_digest_at(job, 0));
    ((hy_flag *)(void *)(part + hy_membership_flag_at(job, 1)))->value = HY_RANK_DEAD;
    digest->told.value = 1;
    gone[1] = left[1] = true;
    assert_int_equal(hy_far_check(job, 1), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hy_control_state(job->boot.control, 1), HY_RANK_DEAD);
    assert_named(1, "it is silent");
}

static void made_up_leave(hy_net *it)
{
    (void)it;
    begun_before = begun;
}

TEST(should_tell_other_nodes_that_it_has_aborted_before_it_leaves)
{
    const hy_net_ops leaving = {.progress = made_up_progress, .leave = made_up_leave};
    hy_net mine = {.ops = &leaving};
    begun = begun_before = 0;
    answer = HAYATE_OK;
    hy_control_end(job->boot.control, 0, HY_RANK_DEAD, 7);
    job->far.nets[0] = &mine;
    hy_far_leave(job);
    answer = HAYATE_IN_PROGRESS;
    job->far.nets[0] = &net;
    assert_int_equal(begun_before, 4); /* a flag and its digest, to each of two nodes */
}

/* A test of an operation tells other nodes, too, and must not wait for them. */
TEST(should_not_wait_for_notices_that_nobody_answers)
{
    begun = tested = progressed = 0;
    hy_far_lost(job, 2, HY_RANK_DEAD);
    for (int i = 0; i < 3; i++) {
        hy_membership_tell(job);
        assert_int_equal(begun, 1);
        assert_int_equal(tested, i);
        assert_true(hy_membership_left(job));
    }
    assert_int_equal(progressed, 0);
}

int main(void)
{
    tests_each(set_up, tear_down);
    return tests_run();
}
