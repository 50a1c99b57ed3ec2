/* SPDX-License-Identifier: Apache-2.0 */
/* Broadcasts rank 0's cost model and network as one record, and takes it over on the other
 * nodes. */
#include "coll/agree.h"

#include "choose/tuning.h"
#include "coll/collective.h"
#include "net/net.h"

#define COOKIE (HY_COOKIE_SETUP | 0x6f6465)

/* The record that rank 0 sends. Values that are not numbers are sent as integers: no byte of
 * another process becomes a bool here. */
typedef struct notice {
    hy_model model;
    uint32_t measured;
} notice;

_Static_assert(sizeof(notice) <= HY_SCHED_PAYLOAD, "fits into one message");

static notice pack(const hy_model *model)
{
    notice n;
    memset(&n, 0, sizeof n);
    n.model = *model;
    n.measured = model->measured;
    return n;
}

static int unpack(notice *n, hy_model *model)
{
    memset(&n->model.measured, 0, sizeof n->model.measured);
    if (n->model.cpus < 1 || (unsigned)n->model.net >= HY_NETS ||
        hy_tuning_check(&n->model) != HAYATE_OK)
        return hy_fail_peer(HAYATE_ERR_CORRUPT, 0, "rank 0 sent an invalid cost model");
    *model = n->model;
    model->measured = n->measured != 0;
    return HAYATE_OK;
}

/* Nothing can be chosen before the ranks agree, so this is always the same broadcast. */
static int agree_tell(hy_comms *comms, hy_comm *comm, notice *n)
{
    const hy_shape shape = {.coll = HY_COLL_BCAST,
                            .rank = comm->group.rank,
                            .size = comm->group.size,
                            .bytes = sizeof *n,
                            .unit = 1};
    const hy_way way = {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_PREPARED};
    hy_schedule schedule;
    int rc = hy_schedule_build(&schedule, hy_algorithm_find(HY_COLL_BCAST, "binomial"), &shape,
                               &way);
    if (rc) return rc;
    rc = hy_comm_acquire(comms, comm, FMPL_COMM_WORLD);
    if (rc) {
        hy_schedule_release(&schedule);
        return rc;
    }
    comm->running = (hy_running){0};
    comm->exec.base[HY_OUT] = (uint8_t *)n;
    comm->exec.bytes[HY_OUT] = sizeof *n;
    hy_exec_start(&comm->exec, &schedule, COOKIE);
    rc = hy_collective_drive(comms, comm, 0);
    hy_schedule_release(&schedule);
    return rc;
}

int hy_comms_agree(hy_comms *comms, int world)
{
    if (hy_job_nodes(comms->job) == 1) return HAYATE_OK;
    if (comms->job->net) comms->model.net = comms->job->net->class;
    notice n = pack(&comms->model);
    int rc = agree_tell(comms, hy_comm_find(comms, world), &n);
    return rc ? rc : unpack(&n, &comms->model);
}
