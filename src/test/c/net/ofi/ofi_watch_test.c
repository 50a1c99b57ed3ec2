/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks that sleep over libfabric, and providers that cannot wake them. */
#include "net/watch_tests.h"

static void find_none(member *me)
{
    if (me->rank == 0) CHECK(!me->net->ops->watches(me->net));
}

TEST(should_say_where_a_provider_has_no_descriptors)
{
    setenv("HAYATE_OFI_PROVIDER", "shm", 1);
    run_lives(2, find_none);
    unsetenv("HAYATE_OFI_PROVIDER");
}

int main(void)
{
    tested = &hy_net_ofi;
    hy_net_progress_ms = -1;
    need_network();
    return tests_run();
}
