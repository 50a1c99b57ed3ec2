/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The row over libfabric: over tcp on loopback, which keeps order, and over libfabric's shm, which
 * does not. */
#include "net/piggyback_tests.h"
#include "net/row_tests.h"

static int over_tcp(void **state)
{
    (void)state;
    return setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
}

static int over_shm(void **state)
{
    (void)state;
    return setenv("HAYATE_OFI_PROVIDER", "shm", 1);
}

int main(void)
{
    tested = &hy_net_ofi;
    int failures = cmocka_run_group_tests_name("tcp", path_tests, over_tcp, NULL);
    failures += cmocka_run_group_tests_name("tcp piggybacks", piggyback_tests, over_tcp, NULL);
    failures += cmocka_run_group_tests_name("shm", path_tests, over_shm, NULL);
    return failures +
           cmocka_run_group_tests_name("shm piggybacks", piggyback_tests, over_shm, NULL);
}
