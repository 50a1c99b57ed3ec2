/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks that sleep over libfabric, and providers that cannot wake them. */
#include "net/watch_tests.h"

static void find_none(member *me)
{
    if (me->rank == 0) CHECK(!me->net->ops->watches(me->net));
}

static void should_say_where_a_provider_has_no_descriptors(void **state)
{
    (void)state;
    setenv("HAYATE_OFI_PROVIDER", "shm", 1);
    run_lives(2, find_none);
    unsetenv("HAYATE_OFI_PROVIDER");
}

int main(void)
{
    tested = &hy_net_ofi;
    hy_net_progress_ms = -1;
    need_network();
    const struct CMUnitTest tests[] = {
        NET_WATCH_TESTS cmocka_unit_test(should_say_where_a_provider_has_no_descriptors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
