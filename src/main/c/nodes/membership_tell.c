/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notices of ends of ranks to the leaders of other nodes. A leader may be gone without this rank
 * knowing it, and all other ranks of its node with it; each is found out only when the network has
 * waited for it until its limit. So no notice waits for another: all are under way at once, and the
 * waits of this rank advance them.
 */
#include <stdlib.h>

#include "base/busy.h"
#include "base/clock.h"
#include "base/log.h"
#include "job/await.h"
#include "nodes/far.h"
#include "nodes/membership_flags.h"
#include "net/net.h"

#define MOST_NOTICES 1024 /* under way at once */

/* For so long, a rank that leaves waits for its notices: it makes no further call. */
#define NOTICE_NS UINT64_C(1000000000)

typedef struct hy_notice {
    struct hy_notice *next;
    int node, rank, leader;
    bool begun;      /* op is under way */
    bool flag_there; /* the flag is sent, and its digest is next */
    uint64_t since;
    hy_flag flag, told;
    hy_path_op op;
} hy_notice;

uint64_t hy_membership_bytes(const hy_job *job)
{
    return (uint64_t)hy_membership_blocks(job) * sizeof(hy_membership_digest) +
           (uint64_t)job->size * sizeof(hy_flag);
}

bool hy_membership_left(const hy_job *job)
{
    if (!job->net) return false;
    return hy_load_relaxed(&job->notice_count) ||
           hy_load_relaxed(&hy_control_live_of(job->boot.control)->failures) !=
               hy_load_relaxed(&job->news_told);
}

/* ---- one notice ---- */

static int notice_begin(hy_job *job, hy_notice *n, hy_ep *ep)
{
    uint64_t digest_at = hy_membership_digest_at(job, n->rank / HY_MEMBERSHIP_BLOCK);
    hy_flag *flag = n->flag_there ? &n->told : &n->flag;
    if (n->flag_there) {
        uint64_t number = atomic_fetch_add(&job->news_sent, 1) + 1;
        n->told.value = (uint64_t)(job->rank + 1) << 32 | number;
    }
    n->op.kind = HY_OP_FLAG;
    n->op.remote = n->flag_there ? digest_at : hy_membership_flag_at(job, n->rank);
    n->op.operand = flag->value;
    n->op.local = flag->data;
    return hy_op_begin(ep->ops, ep, &n->op);
}

/* Goes to the next rank of the node if the leader is gone. Any other error concerns the leader (its
 * address cannot be had from a launcher that has ended); waits for it will report it. True: nothing
 * is left to do. */
static bool notice_fail(hy_job *job, hy_notice *n)
{
    int gone = n->leader;
    if (!hy_far_check(job, gone)) return true;
    n->leader = hy_membership_leader(job, n->node);
    n->flag_there = false;
    return n->leader == gone || !hy_membership_is_there(job, n->leader);
}

/* Advances it as far as possible. True: it is over. */
static bool notice_step(hy_job *job, hy_notice *n)
{
    for (bool over = false; !over;) {
        hy_ep *ep = hy_job_ep(job, n->leader);
        int rc = n->begun ? hy_op_test(ep->ops, ep, &n->op) : notice_begin(job, n, ep);
        n->begun = rc == HAYATE_IN_PROGRESS;
        if (n->begun) return false;
        over = rc ? notice_fail(job, n) : n->flag_there;
        if (!rc) n->flag_there = true;
    }
    return true;
}

/* ---- all notices ---- */

/* The caller is the one that tells. */
static void notice_add(hy_job *job, int node, int rank, uint32_t state)
{
    int leader = hy_membership_leader(job, node);
    if (!hy_membership_is_there(job, leader)) return;
    hy_notice *n = calloc(1, sizeof *n);
    if (!n) {
        hy_log(HY_LOG_WARN, "no memory to tell node %d that rank %d has ended", node, rank);
        return;
    }
    n->node = node, n->rank = rank, n->leader = leader;
    n->flag.value = state;
    n->since = hy_now_ns();
    n->next = job->notices;
    job->notices = n;
    hy_store_relaxed(&job->notice_count, hy_load_relaxed(&job->notice_count) + 1);
}

/* Whether one of them is not over that was begun less than NOTICE_NS ago. */
static bool advance_all(hy_job *job)
{
    bool young = false;
    uint32_t count = 0;
    for (hy_notice **at = &job->notices; *at;) {
        hy_notice *n = *at;
        if (!notice_step(job, n)) {
            young |= hy_now_ns() < n->since + NOTICE_NS;
            count++;
            at = &n->next;
            continue;
        }
        *at = n->next;
        free(n);
    }
    hy_store_relaxed(&job->notice_count, count);
    return young;
}

/* ---- what is to be told ---- */

/* A rank that has left is told to one more node in each call; a failure to all nodes. Not to its
 * own, which knows. True: all nodes know, or will. */
static bool membership_tell(hy_job *job, int rank)
{
    hy_control *control = job->boot.control;
    uint32_t state = hy_control_state(control, rank);
    if (state < HY_RANK_LEFT) return true;
    hy_control_rank *entry = hy_control_record(control, rank);
    uint32_t node = hy_load_relaxed(&entry->told), nodes = (uint32_t)control->nodes;
    int home = hy_job_node_of(job, rank);
    for (int count = 0; node < nodes && (count == 0 || state > HY_RANK_LEFT); count++) {
        if (hy_load_relaxed(&job->notice_count) == MOST_NOTICES) return false;
        if (!atomic_compare_exchange_strong(&entry->told, &node, node + 1)) continue;
        if ((int)node != control->node && (int)node != home)
            notice_add(job, (int)node, rank, state);
        node++;
    }
    return node >= nodes;
}

static void begin_notices(hy_job *job)
{
    uint32_t failures = hy_load_acquire(&hy_control_live_of(job->boot.control)->failures);
    bool all = true;
    if (failures == hy_load_relaxed(&job->news_told)) return;
    for (int rank = 0; rank < job->size; rank++) all &= membership_tell(job, rank);
    if (all) hy_store_relaxed(&job->news_told, failures);
}

void hy_membership_tell(hy_job *job)
{
    if (!hy_membership_left(job) || !hy_busy_take(&job->telling)) return;
    begin_notices(job);
    advance_all(job);
    hy_busy_leave(&job->telling);
}

static int step_notices(void *job)
{
    return advance_all(job) ? HAYATE_IN_PROGRESS : HAYATE_OK;
}

static void poll_net(hy_job *job)
{
    job->net->ops->progress(job->net);
}

/* The job is being closed: only its network is still polled. */
void hy_membership_finish(hy_job *job)
{
    if (!hy_load_relaxed(&job->notice_count) || !hy_busy_take(&job->telling)) return;
    hy_job_await(&(hy_await){.job = job, .step = step_notices, .context = job, .poll = poll_net});
    hy_busy_leave(&job->telling);
}

void hy_membership_close(hy_job *job)
{
    for (hy_notice *n; (n = job->notices);) {
        job->notices = n->next;
        free(n);
    }
}
