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
    int failures = tests_run_as("tcp", over_tcp, NULL);
    return failures + tests_run_as("shm", over_shm, NULL);
}
