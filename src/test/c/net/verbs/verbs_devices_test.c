/* SPDX-License-Identifier: Apache-2.0 */
/* The row over verbs between two devices. */
#include "net/row_tests.h"

int main(int argc, char **argv)
{
    tested = &hy_net_verbs;
    rounds = 40; /* a round takes as long as hundreds elsewhere */
    devices[0] = "rxe0", devices[1] = "rxe1:1";
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    if (access("/sys/class/infiniband/rxe0", F_OK) || access("/sys/class/infiniband/rxe1", F_OK)) {
        fputs("SKIPPED verbs between two devices: no rxe0 and rxe1\n", stderr);
        return 77;
    }
    need_network();
    return tests_run();
}
