/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lanes of all grids share one lane of `msg` to each rank of the job. A packet is a head, with
 * the number of its grid and its length, and the data. What arrives for other grids is put aside.
 *
 * Locking: one lock protects everything here; it is not held during a wait.
 */
#include "blacs/lanes.h"

#include <sched.h>
#include <stdlib.h>

#include "coll/collective.h"
#include "job/progress.h"
#include "job/setup.h"
#include "msg/msg.h"

typedef struct packet_head {
    uint64_t grid, bytes;
} packet_head;

typedef struct packet {
    struct packet *next;
    packet_head head;
    uint8_t data[];
} packet;

/* One direction of a lane: what waits, and the part of a packet that is under way. */
typedef struct direction {
    packet *first, **last;
    bool data, busy; /* the part is the data, not the head; its operation has begun */
    uint64_t request;
} direction;

typedef struct peer {
    direction out, in;
    packet_head head; /* arriving */
    packet *arriving;
} peer;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hy_msg *msg;
static peer *peers;
static uint32_t made; /* lanes by this process */

struct hy_lanes {
    uint64_t grid; /* the same number on all members, and in no other grid of a member */
    int32_t ranks[];
};

static void append(direction *d, packet *p)
{
    p->next = NULL;
    *d->last = p;
    d->last = &p->next;
}

static packet *lanes_take_out(direction *d, packet **link)
{
    packet *p = *link;
    *link = p->next;
    if (!p->next) d->last = link;
    return p;
}

static packet *new_packet(packet_head head)
{
    packet *p = head.bytes < SIZE_MAX / 2 ? malloc(sizeof *p + head.bytes) : NULL;
    if (p) p->head = head;
    else
        hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to buffer a message of %llu bytes",
                (unsigned long long)head.bytes);
    return p;
}

/* ---- progress ---- */

static int tested(direction *d, int rc)
{
    d->busy = true;
    if (!rc && d->request) rc = hy_request_test(msg, d->request, NULL);
    if (rc == HAYATE_IN_PROGRESS) return rc;
    d->busy = false;
    d->request = 0;
    return rc;
}

/* HAYATE_OK: nothing waits any more. */
static int lanes_push(peer *p, int rank)
{
    direction *d = &p->out;
    while (d->first) {
        packet *it = d->first;
        int rc = HAYATE_OK;
        if (!d->busy && d->data)
            rc = hy_msg_isend(msg, (hy_buffer){.address = it->data}, (int64_t)it->head.bytes, rank,
                              0, &d->request);
        else if (!d->busy)
            rc = hy_msg_isend(msg, (hy_buffer){.address = (uint8_t *)&it->head}, sizeof it->head,
                              rank, 0, &d->request);
        rc = tested(d, rc);
        if (rc) return rc;
        d->data = !d->data && it->head.bytes;
        if (!d->data) free(lanes_take_out(d, &d->first));
    }
    return HAYATE_OK;
}

static int arrived(peer *p)
{
    direction *d = &p->in;
    if (!d->data && !(p->arriving = new_packet(p->head))) return HAYATE_ERR_NO_MEMORY;
    d->data = !d->data && p->head.bytes;
    if (!d->data) append(d, p->arriving);
    return HAYATE_OK;
}

/* HAYATE_IN_PROGRESS: everything that has come is in the queue. */
static int lanes_pull(peer *p, int rank)
{
    direction *d = &p->in;
    int rc = HAYATE_OK;
    while (!rc) {
        if (!d->busy && d->data)
            rc = hy_msg_irecv(msg, (hy_buffer){.address = p->arriving->data},
                              (int64_t)p->head.bytes, rank, 0, &d->request);
        else if (!d->busy)
            rc = hy_msg_irecv(msg, (hy_buffer){.address = (uint8_t *)&p->head}, sizeof p->head,
                              rank, 0, &d->request);
        rc = tested(d, rc);
        if (!rc) rc = arrived(p);
    }
    return rc;
}

/* HAYATE_IN_PROGRESS: something still waits. */
static int lanes_push_all(void)
{
    int waits = HAYATE_OK;
    for (int rank = 0; rank < msg->size; rank++) {
        int rc = lanes_push(&peers[rank], rank);
        if (rc < 0) return rc;
        if (rc) waits = rc;
    }
    return waits;
}

static bool lanes_progress(void *context)
{
    (void)context;
    if (pthread_mutex_trylock(&lock)) return true;
    int rc = lanes_push_all();
    pthread_mutex_unlock(&lock);
    return rc == HAYATE_IN_PROGRESS;
}

/* ---- begin and end ---- */

int hy_lanes_begin(hy_comms *comms)
{
    hy_job *job = comms->job;
    msg = aligned_alloc(HY_LINE, hy_round_up(sizeof *msg, HY_LINE));
    peers = calloc((size_t)job->size, sizeof *peers);
    if (!msg || !peers) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the BLACS");
    for (int i = 0; i < job->size; i++) {
        peers[i].out.last = &peers[i].out.first;
        peers[i].in.last = &peers[i].in.first;
    }
    int rc = hy_msg_open(msg, job, 1);
    if (!rc) rc = hy_setup_enter(job, NULL);
    if (rc) return rc;
    rc = hy_msg_meet(msg, NULL, NULL);
    hy_setup_leave(job);
    if (!rc) rc = hy_msg_start(msg);
    return rc ? rc : hy_progress_add(job, lanes_progress, peers);
}

void hy_lanes_end(void)
{
    int rc = HAYATE_IN_PROGRESS;
    while (rc == HAYATE_IN_PROGRESS) {
        pthread_mutex_lock(&lock);
        rc = lanes_push_all();
        pthread_mutex_unlock(&lock);
        if (rc == HAYATE_IN_PROGRESS && hy_msg_idle(msg, -1)) break;
        sched_yield();
    }
    hy_progress_remove(msg->job, peers);
    hy_msg_refuse(msg);
    hy_msg_close(msg);
}

int hy_lanes_open(hy_comms *comms, int number, hy_lanes **result)
{
    const hy_comm *comm = hy_comm_find(comms, number);
    size_t size = (size_t)comm->group.size;
    hy_lanes *lanes = malloc(sizeof *lanes + size * sizeof lanes->ranks[0]);
    if (!lanes) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a grid");
    for (size_t i = 0; i < size; i++) lanes->ranks[i] = comm->group.members[i];
    pthread_mutex_lock(&lock);
    lanes->grid = (uint64_t)comms->job->rank << 32 | ++made;
    pthread_mutex_unlock(&lock);
    const hy_collective_call call = {.coll = HY_COLL_BCAST,
                                     .buffer = {.address = (uint8_t *)&lanes->grid},
                                     .count = sizeof lanes->grid};
    *result = lanes;
    return hy_collective(comms, number, &call, false);
}

/* What was sent in the grid and not received stays: no other grid has its number. */
void hy_lanes_close(hy_lanes *lanes)
{
    free(lanes);
}

/* ---- messages ---- */

int hy_lanes_send(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes)
{
    int rank = lanes->ranks[member];
    packet *p = new_packet((packet_head){lanes->grid, bytes});
    if (!p) return HAYATE_ERR_NO_MEMORY;
    hy_buffer_read(&buffer, 0, p->data, bytes);
    pthread_mutex_lock(&lock);
    append(&peers[rank].out, p);
    int rc = lanes_push(&peers[rank], rank);
    pthread_mutex_unlock(&lock);
    if (rc == HAYATE_IN_PROGRESS) hy_background(msg->job);
    return rc == HAYATE_IN_PROGRESS ? HAYATE_OK : rc;
}

/* The next message of the grid from a rank, if it has come. */
static int find_message(const hy_lanes *lanes, int rank, packet **found)
{
    peer *from = &peers[rank];
    packet **link = &from->in.first;
    pthread_mutex_lock(&lock);
    int rc = lanes_push_all();
    if (rc >= 0) rc = lanes_pull(from, rank);
    while (*link && (*link)->head.grid != lanes->grid) link = &(*link)->next;
    *found = *link ? lanes_take_out(&from->in, link) : NULL;
    pthread_mutex_unlock(&lock);
    return *found ? HAYATE_OK : rc;
}

int hy_lanes_receive(hy_lanes *lanes, int member, hy_buffer buffer, uint64_t bytes,
                     uint64_t *received)
{
    int rank = lanes->ranks[member], rc;
    packet *found;
    while ((rc = find_message(lanes, rank, &found)) == HAYATE_IN_PROGRESS) {
        rc = hy_msg_idle(msg, rank);
        if (rc) return rc;
        sched_yield();
    }
    if (rc) return rc;
    *received = found->head.bytes;
    if (*received <= bytes) hy_buffer_write(&buffer, 0, found->data, *received);
    free(found);
    return *received > bytes ? HAYATE_ERR_TRUNCATE : HAYATE_OK;
}
