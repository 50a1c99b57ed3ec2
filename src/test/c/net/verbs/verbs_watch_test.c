/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that sleep over verbs. */
#include "net/watch_tests.h"

int main(void)
{
    const struct CMUnitTest tests[] = {NET_WATCH_TESTS};
    tested = &hy_net_verbs;
    hy_net_progress_ms = -1;
    need_network();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
