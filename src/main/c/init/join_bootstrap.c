/* SPDX-License-Identifier: Apache-2.0 */
/* The first failure of this rank is kept until the other ranks have been told. */
#include "init/join_bootstrap.h"

#include <stdlib.h>

#include "base/status.h"
#include "init/joining.h"
#include "nodes/network.h"

struct hy_bootstrap_join {
    hy_joining joining;
    hy_bootstrap *bootstrap;
};

int hy_join_offer(hy_bootstrap_join **result, int rank, int size,
                  const uint8_t machine[HY_MACHINE_BYTES], uint8_t record[HY_OFFER_BYTES],
                  size_t *bytes)
{
    char networks[HY_BOOT_TEXT] = "";
    hy_bootstrap_join *join = calloc(1, sizeof *join);
    if (!join) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to join a job");
    int rc = hy_bootstrap_create(&join->bootstrap, rank, size, machine);
    if (rc) {
        free(join);
        return rc;
    }
    rc = hy_joining_begin(&join->joining);
    if (!rc && size > 1) rc = hy_network_offer(networks);
    *bytes = hy_bootstrap_offer(join->bootstrap, rc, networks, record);
    *result = join;
    return HAYATE_OK;
}

static int begin_alone(hy_bootstrap_join *join, const hy_records *offers)
{
    hy_joining *j = &join->joining;
    int rc = hy_bootstrap_offers(join->bootstrap, offers);
    if (!rc) rc = hy_boot_open_as(&j->job->boot, join->bootstrap);
    if (!rc) rc = hy_joining_boot(j);
    return rc ? rc : hy_joining_run(j, HY_JOIN_ALONE);
}

size_t hy_join_begin(hy_bootstrap_join *join, const hy_records *offers,
                     uint8_t record[HY_OFFER_BYTES])
{
    return hy_bootstrap_address(join->bootstrap, begin_alone(join, offers), record);
}

static int end_join(hy_bootstrap_join *join, int rc, hy_job **job)
{
    const hy_failure failure = hy_failure_of(rc);
    if (rc) hy_bootstrap_abandon(join->bootstrap);
    hy_fail_again(&failure);
    rc = hy_joining_end(&join->joining, rc, job);
    free(join);
    return rc;
}

int hy_join_finish(hy_bootstrap_join *join, const hy_records *addresses, hy_job **job)
{
    int rc = hy_bootstrap_addresses(join->bootstrap, addresses);
    if (!rc) rc = hy_joining_run(&join->joining, HY_JOIN_TOGETHER);
    return end_join(join, rc, job);
}

int hy_join_drop(hy_bootstrap_join *join)
{
    hy_job *none = NULL;
    const hy_failure failure = hy_failure_of(hy_bootstrap_failure(join->bootstrap));
    end_join(join, hy_fail(HAYATE_ERR_CLOSED, "the job was not joined"), &none);
    return hy_fail_again(&failure);
}
