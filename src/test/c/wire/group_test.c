/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
#include "base/test.h"
#include "fmpl/ranks_fixture.h"
#include "init/join.h"
#include "wire/group.h"

#define CANDIDATES 64

TEST(should_open_every_group_that_ranks_can_form)
{
    for (int n = 1; n <= 5; n++) {
        char command[128];
        snprintf(command, sizeof command, "-n %d $HAYATE_TEST_BIN/wire/group_program", n);
        for (int large = 0; large < 2; large++) {
            ranks_result result = ranks_run(
                large ? "HAYATE_HEAP=1M HAYATE_TEST_LARGE_GROUPS=1" : "HAYATE_HEAP=1M", command);
            if (result.status != 0)
                fail_msg("%d ranks: exit %d\n%s", n, result.status, result.output);
        }
    }
}

/* Records that say something else each time. */
typedef struct changing {
    int colors[2]; /* of the others: in the first look at all records, and after it */
    int own, reads;
} changing;

static void read_changing(void *context, int candidate, int *rank, hy_group_record *record)
{
    changing *c = context;
    bool first = c->reads++ < CANDIDATES;
    *rank = 0;
    *record = (hy_group_record){.color = candidate ? c->colors[!first] : c->own};
}

static int connect_changing(changing *c, hy_group *group)
{
    hy_job *job;
    assert_ok(hy_job_open(&job));
    *group = (hy_group){.job = job};
    const hy_candidates candidates = {CANDIDATES, 0, read_changing, c};
    int rc = hy_group_connect(group, 0, &candidates), size = group->size;
    hy_group_close(group);
    hy_job_close(job);
    hy_job_free(job);
    group->size = size;
    return rc;
}

TEST(should_believe_the_first_look_at_records_that_change)
{
    changing c = {.colors = {-1, 0}};
    hy_group group;
    assert_ok(connect_changing(&c, &group));
    assert_int_equal(group.size, 1);
    assert_int_equal(c.reads, CANDIDATES + 1); /* once more for where the areas are */
}

TEST(should_refuse_a_group_without_this_rank)
{
    changing c = {.colors = {-1, -1}, .own = -1};
    hy_group group;
    assert_int_equal(connect_changing(&c, &group), HAYATE_ERR_CORRUPT);
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
