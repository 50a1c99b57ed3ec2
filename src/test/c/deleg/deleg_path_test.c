/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* The row of the delegated network: what each network must do, between ranks whose delegatees carry
 * it out over tcp. */
#include "deleg/deleg_fixture.h"
#include "net/row_tests.h"

int main(void)
{
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
    tested = &hy_net_ofi;
    need_network();
    deleg_use();
    return tests_run();
}
