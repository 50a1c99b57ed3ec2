/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Threads of a rank move memory that the delegatee cannot reach: they share a ring, its lock and
 * its staging buffer. The delegatee is a thread that carries out commands on a peer's part in
 * memory. */
#include "base/test.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/level_fixture.h"
#include "base/status.h"
#include "net/delegated/delegated_net.h"

#define THREADS 4
#define ROUNDS (LEVEL_SANITIZED ? 150 : 600)
#define MOST (3 * HY_STAGING_BYTES + 100)
#define PART (UINT64_C(1) << 22)

static struct {
    hy_delegation *area;
    uint8_t *part, *peer;
    hy_bell bell;
    hy_net *net;
    _Atomic uint64_t commands, last; /* carried out; the one after which the delegatee ends */
    pthread_t thread;
    _Atomic bool stop;
} node;

static int node_of(void *context, int rank)
{
    (void)context;
    return rank;
}

/* ---- the delegatee ---- */

static void carry_out(const hy_command *command, hy_ring *ring, hy_command *slot)
{
    uint8_t *here = command->where == HY_LOCAL_STAGING ? ring->staging + command->local
                    : command->where == HY_LOCAL_PART  ? node.part + command->local
                                                       : slot->payload;
    if (command->kind == HY_OP_PUT) memcpy(node.peer + command->remote, here, command->len);
    if (command->kind == HY_OP_GET) memcpy(here, node.peer + command->remote, command->len);
    if (command->kind == HY_OP_ATOMIC) {
        uint64_t *word = (uint64_t *)(void *)(node.peer + command->remote), before = *word;
        *word += command->operand;
        memcpy(slot->payload, &before, sizeof before);
    }
}

/* The next command of a ring, if it is there. */
static bool serve(int number, uint64_t *next)
{
    hy_ring *ring = hy_delegation_ring(node.area, 1, 2, 0, number);
    hy_command *slot = &ring->commands[(*next - 1) % HY_RING_DEPTH], command;
    if (hy_load_acquire(&slot->posted) != *next) return false;
    memcpy(&command.kind, &slot->kind, offsetof(hy_command, payload) - offsetof(hy_command, kind));
    carry_out(&command, ring, slot);
    hy_store_release(&slot->done, hy_command_done((*next)++, HAYATE_OK));
    hy_bell_ring(&node.bell);
    return true;
}

static void *live(void *context)
{
    uint64_t next[HY_RINGS];
    for (int i = 0; i < HY_RINGS; i++) next[i] = 1;
    while (!hy_load_relaxed(&node.stop)) {
        bool any = false;
        hy_store_relaxed(&node.area->beat, hy_now_ns());
        for (int i = 0; i < HY_RINGS; i++) {
            if (!serve(i, &next[i])) continue;
            any = true;
            if (++node.commands != node.last) continue;
            hy_delegation_end(node.area, 0);
            hy_bell_ring_slow(&node.bell);
            return context;
        }
        if (!any) sched_yield();
    }
    return context;
}

static void begin(uint64_t last)
{
    uint64_t bytes = hy_round_up(hy_delegation_bytes(1, 2), HY_LINE);
    node.area = aligned_alloc(HY_LINE, bytes);
    node.part = aligned_alloc(HY_LINE, PART);
    node.peer = aligned_alloc(HY_LINE, PART);
    assert_true(node.area && node.part && node.peer);
    memset(node.area, 0, bytes);
    memset(node.peer, 0, PART);
    hy_delegation_init(node.area, 1, 2);
    hy_store_relaxed(&node.area->state, HY_DELEGATEE_SERVES);
    hy_store_relaxed(&node.area->beat, hy_now_ns());
    node.commands = 0;
    node.last = last;
    node.stop = false;
    const hy_net_attr attr = {.ranks = 2,
                              .part = node.part,
                              .part_bytes = PART,
                              .bell = &node.bell,
                              .delegation = node.area,
                              .parts = 1,
                              .nodes = 2,
                              .cpus = 1,
                              .silence_ms = 60000,
                              .node_of = node_of};
    hy_wait_setup();
    assert_ok(hy_net_delegated.open(&attr, &node.net));
    assert_int_equal(pthread_create(&node.thread, NULL, live, NULL), 0);
}

static void end(void)
{
    hy_store_relaxed(&node.stop, true);
    pthread_join(node.thread, NULL);
    hy_store_release(&node.area->state, HY_DELEGATEE_ENDED);
    node.net->ops->close(node.net);
    free(node.area);
    free(node.part);
    free(node.peer);
}

/* ---- the rank ---- */

typedef struct mover {
    pthread_t thread;
    hy_ep ep;
    int number;
    uint64_t seed;
    int rc;     /* of the first move that failed */
    bool wrong; /* other bytes came back */
} mover;

static uint64_t next_of(mover *m)
{
    m->seed = m->seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return m->seed >> 33;
}

static int move(mover *m, hy_op_kind kind, uint64_t remote, uint8_t *local, size_t len)
{
    hy_path_op op = {.kind = kind, .remote = remote, .local = local, .len = len};
    if (next_of(m) % 2 == 0)
        return kind == HY_OP_PUT ? m->ep.ops->put(&m->ep, remote, local, len)
                                 : m->ep.ops->get(&m->ep, remote, local, len);
    int rc = hy_op_begin(m->ep.ops, &m->ep, &op);
    while (rc == HAYATE_IN_PROGRESS) {
        sched_yield();
        rc = hy_op_test(m->ep.ops, &m->ep, &op);
    }
    return rc;
}

/* A put and a get of the same bytes, with an atomic between the other moves of the ring. */
static int there_and_back(mover *m)
{
    size_t len = 1 + next_of(m) % MOST;
    uint64_t at = HY_LINE + (uint64_t)m->number * (PART / THREADS), before;
    uint8_t *out = malloc(len), *in = malloc(len);
    if (!out || !in) return HAYATE_ERR_NO_MEMORY;
    memset(out, (int)next_of(m), len);
    out[len / 2] ^= 0x55;
    int rc = move(m, HY_OP_PUT, at, out, len);
    if (!rc) rc = m->ep.ops->atomic(&m->ep, 0, HY_ATOMIC_ADD, 1, 0, &before);
    if (!rc) rc = move(m, HY_OP_GET, at, in, len);
    m->wrong |= !rc && memcmp(out, in, len) != 0;
    free(out); /* nobody may use it any more, whatever has happened */
    free(in);
    return rc;
}

static void *move_all(void *context)
{
    mover *m = context;
    for (int i = 0; i < ROUNDS && !m->rc && !m->wrong; i++) m->rc = there_and_back(m);
    return NULL;
}

/* Lanes 1 and 8 have the same ring. */
static void run(mover *movers, uint64_t seed)
{
    static const int lanes[THREADS] = {1, 8, 1, 0};
    for (int i = 0; i < THREADS; i++) {
        movers[i] = (mover){.number = i, .seed = seed * THREADS + (uint64_t)i};
        node.net->ops->attach(node.net, &movers[i].ep, 1, lanes[i]);
        assert_int_equal(pthread_create(&movers[i].thread, NULL, move_all, &movers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(movers[i].thread, NULL);
}

TEST(should_let_threads_share_the_staging_buffer_of_a_ring)
{
    mover movers[THREADS];
    uint64_t sum;
    begin(0);
    run(movers, 1);
    memcpy(&sum, node.peer, sizeof sum);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(movers[i].rc, HAYATE_OK);
        assert_false(movers[i].wrong);
    }
    assert_true(sum == THREADS * (uint64_t)ROUNDS);
    end();
}

/* All of them end, and use no memory of a move that was given up. */
TEST(should_give_up_the_moves_of_all_threads_when_the_delegatee_ends)
{
    for (int seed = 0; seed < level_seeds(5); seed++) {
        mover movers[THREADS];
        begin(20 + 13 * (uint64_t)seed);
        run(movers, (uint64_t)seed);
        for (int i = 0; i < THREADS; i++) {
            assert_int_equal(movers[i].rc, HAYATE_ERR_PEER_FAILED);
            assert_false(movers[i].wrong);
        }
        end();
    }
}

int main(void)
{
    return tests_run();
}
