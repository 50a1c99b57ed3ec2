/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Opens every group that its ranks can form and lets each pair of members exchange a message. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "wire/group.h"
#include "init/join.h"

static int fail(const char *what, unsigned members)
{
    printf("%s, members %x: %s\n", what, members, hayate_error());
    fflush(stdout);
    return 3;
}

static int exchange(hy_group *group, unsigned members)
{
    for (int i = 0; i < group->size; i++) {
        uint64_t value = members * 1000 + (unsigned)group->rank;
        hy_channel_post(hy_group_known_channel(group, i), HY_KIND_INLINE, &value, sizeof value);
    }
    for (int i = 0; i < group->size; i++) {
        uint64_t head, value;
        const hy_slot *slot;
        hy_wait wait = hy_job_wait(group->job);
        bool gone = false; /* what a member sent before it left is here by then */
        while (!(slot = hy_channel_peek(hy_group_known_channel(group, i), &head))) {
            if (gone) return fail("check", members);
            gone = hy_wait_once(&wait) && hy_job_check(group->job, hy_group_member(group, i));
        }
        hy_wait_end(&wait);
        memcpy(&value, slot->payload, sizeof value);
        hy_channel_take(hy_group_known_channel(group, i), head);
        if (value != members * 1000 + (unsigned)i) return fail("a wrong message", members);
    }
    return 0;
}

static int form(hy_job *job, unsigned members)
{
    hy_group group;
    bool join = members >> job->rank & 1;
    if (hy_group_open(&group, job, join, NULL)) return fail("open", members);
    int before = __builtin_popcount(members & ((1u << job->rank) - 1));
    if (group.size != (join ? __builtin_popcount(members) : 0)) return fail("size", members);
    if (join && group.rank != before) return fail("rank", members);
    for (int i = 0; i < group.size; i++) {
        if (!(members >> hy_group_member(&group, i) & 1) ||
            (i && hy_group_member(&group, i) <= hy_group_member(&group, i - 1)))
            return fail("members", members);
    }
    int rc = exchange(&group, members);
    hy_group_close(&group);
    return rc;
}

int main(void)
{
    hy_job *job;
    alarm(420);
    if (getenv("HAYATE_TEST_LARGE_GROUPS")) hy_group_opened_most = 1;
    int rc = hy_job_open(&job);
    if (rc) return fail("job", 0);
    uint64_t used = job->system.used;
    for (unsigned members = 0; members < 1u << job->size && !rc; members++) rc = form(job, members);
    hy_wait wait = hy_job_wait(job);
    while (!rc && job->system.used != used) { /* until all have closed their groups */
        hy_wait_once(&wait);
        hy_groups_reap(job);
    }
    hy_wait_end(&wait);
    hy_job_close(job);
    hy_job_free(job);
    return rc;
}
