/* SPDX-License-Identifier: Apache-2.0 */
/* Ranks that sleep over verbs. */
#include "net/watch_tests.h"

int main(void)
{
    tested = &hy_net_verbs;
    hy_net_progress_ms = -1;
    need_network();
    return tests_run();
}
