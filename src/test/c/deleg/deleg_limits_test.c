/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Rings that are full, ranks that die with commands under way, a delegatee whose turns take long,
 * one that has nothing to do, and one that may not read the memory of processes. */
#include "deleg/deleg_fixture.h"
#include "base/log.h"
#include "base/scarce_fixture.h"
#include "net/delegated/offload.h"
#include "path/seccomp_fixture.h"

#include <pthread.h>

#define SECOND UINT64_C(1000000000)

static hy_delegation *area_of_this_node(void)
{
    return hy_control_delegation(deleg_node.control);
}

static hy_delegation_rank *slot_of_this_rank(void)
{
    return hy_delegation_rank_of(area_of_this_node(), (uint32_t)deleg_parts,
                                 (uint32_t)deleg_node.control->nodes, 0);
}

/* The highest number that was posted in a ring. */
static uint64_t last_posted(uint32_t part, int ring)
{
    const hy_ring *shared = deleg_ring_at(part, ring);
    uint64_t last = 0;
    for (int i = 0; i < HY_RING_DEPTH; i++) {
        uint64_t number = hy_load_acquire(&shared->commands[i].posted);
        if (number > last) last = number;
    }
    return last;
}

static bool all_are_done(uint32_t part, int ring)
{
    const hy_ring *shared = deleg_ring_at(part, ring);
    for (int i = 0; i < HY_RING_DEPTH; i++) {
        const hy_command *slot = &shared->commands[i];
        if (hy_done_number(hy_load_acquire(&slot->done)) != hy_load_acquire(&slot->posted))
            return false;
    }
    return true;
}

/* ---- rings that are full ---- */

#define FLAGS (3 * HY_RING_DEPTH)
#define WORDS_AT 65536 /* what is put before each flag */
#define LANE 9

static void *post_many(void *context)
{
    member *me = context;
    hy_ep ep = me->eps[1];
    ep.lane = LANE;
    for (uint64_t i = 0; i < FLAGS; i++) {
        uint64_t word = UINT64_C(0x1234567) * (i + 1);
        CHECK_OK(ep.ops->put(&ep, WORDS_AT + 8 * i, &word, sizeof word));
        put_flag(&ep, 32 * i, i + 1);
    }
    return NULL;
}

static void stop_delegatee(void)
{
    int status;
    kill(deleg_node.child, SIGSTOP);
    CHECK(waitpid(deleg_node.child, &status, WUNTRACED) == deleg_node.child && WIFSTOPPED(status));
}

/* Until the ring is full: from then on the thread cannot get on. */
static void fill_ring(member *me, pthread_t *thread)
{
    const int ring = hy_ring_of_lane(LANE);
    stop_delegatee();
    CHECK(pthread_create(thread, NULL, post_many, me) == 0);
    while (last_posted(0, ring) < HY_RING_DEPTH) sched_yield();
}

STORY_TEST(should_go_on_with_a_ring_that_was_full_while_the_delegatee_was_stopped, 2)
{
    const int ring = hy_ring_of_lane(LANE);
    me->attr.silence_ms = 20000;
    join(me);
    meet(me);
    if (me->rank == 0) {
        pthread_t thread;
        fill_ring(me, &thread);
        for (uint64_t end = hy_now_ns() + SECOND / 2; hy_now_ns() < end; sched_yield())
            CHECK(last_posted(0, ring) == HY_RING_DEPTH);
        kill(deleg_node.child, SIGCONT);
        pthread_join(thread, NULL);
    } else {
        const _Atomic uint64_t *words = (const _Atomic uint64_t *)(void *)(me->part + WORDS_AT);
        for (uint64_t i = 0; i < FLAGS; i++) {
            await(me, 32 * i, i + 1);
            CHECK(hy_load_relaxed(&words[i]) == UINT64_C(0x1234567) * (i + 1));
        }
    }
    meet(me);
    leave(me);
}

/* It stays stopped: the thread in the full ring is told so, too. */
static void *post_until_told(void *context)
{
    member *me = context;
    const hy_flag flag = {1, {0, 0, 0}};
    int rc;
    while ((rc = me->eps[1].ops->put_flag(&me->eps[1], 0, &flag)) == HAYATE_OK) continue;
    CHECK(rc == HAYATE_ERR_PEER_FAILED && strstr(hayate_error(), "did nothing for 1.0 s"));
    return NULL;
}

STORY_TEST(should_tell_whoever_waits_for_room_that_the_delegatee_is_silent, 2)
{
    me->attr.silence_ms = 1000;
    join(me);
    meet(me);
    if (me->rank == 0) {
        pthread_t thread;
        kill(deleg_node.child, SIGSTOP);
        uint64_t start = hy_now_ns();
        CHECK(pthread_create(&thread, NULL, post_until_told, me) == 0);
        pthread_join(thread, NULL);
        CHECK(last_posted(0, 0) >= HY_RING_DEPTH && hy_now_ns() - start < 9 * SECOND);
        kill(deleg_node.child, SIGCONT);
    }
    meet(me);
    leave(me);
}

/* ---- a delegatee that is stopped while operations begin ---- */

#define MOVE_BYTES (5 * HY_STAGING_BYTES / 2 + 1000)

/* What lies outside of the part is got, and short puts are put, through the staging buffer. */
static hy_path_op move_outside(hy_op_kind kind, uint64_t remote, size_t len, uint8_t seed)
{
    hy_path_op op = {.kind = kind, .remote = remote, .local = malloc(len), .len = len};
    CHECK(op.local);
    if (kind == HY_OP_PUT) fill(op.local, len, seed);
    return op;
}

static int end_op(hy_ep *ep, hy_path_op *op)
{
    int rc;
    uint64_t end = hy_now_ns() + 60 * SECOND;
    while ((rc = hy_op_test(ep->ops, ep, op)) == HAYATE_IN_PROGRESS) CHECK(hy_now_ns() < end);
    return rc;
}

/* The second one is tested before the first, and a blocking one goes between them. */
STORY_TEST(should_not_wait_for_a_stopped_delegatee_where_an_operation_begins, 2)
{
    me->attr.silence_ms = 20000;
    join(me);
    fill(me->part + DATA_AT, MOVE_BYTES, 9);
    meet(me);
    if (me->rank == 0) {
        hy_ep *ep = &me->eps[1];
        hy_path_op get = move_outside(HY_OP_GET, DATA_AT, MOVE_BYTES, 0);
        hy_path_op put = move_outside(HY_OP_PUT, DATA_AT + MOVE_BYTES, 1000, 5);
        uint8_t back[1000];
        stop_delegatee();
        CHECK(hy_op_begin(ep->ops, ep, &get) == HAYATE_IN_PROGRESS);
        CHECK(hy_op_begin(ep->ops, ep, &put) == HAYATE_IN_PROGRESS);
        CHECK(hy_op_test(ep->ops, ep, &put) == HAYATE_IN_PROGRESS && !put.ordered);
        CHECK(hy_op_test(ep->ops, ep, &get) == HAYATE_IN_PROGRESS);
        kill(deleg_node.child, SIGCONT);
        CHECK_OK(end_op(ep, &put));
        CHECK(put.ordered);
        CHECK_OK(ep->ops->flush(ep));
        CHECK_OK(ep->ops->get(ep, DATA_AT + MOVE_BYTES, back, sizeof back));
        CHECK(holds(back, sizeof back, 5));
        CHECK_OK(end_op(ep, &get));
        CHECK(holds(get.local, MOVE_BYTES, 9));
        free(get.local);
        free(put.local);
    }
    meet(me);
    leave(me);
}

/* Both are told, in whatever order they are tested, and so is what begins later. */
STORY_TEST(should_end_operations_begun_while_the_delegatee_is_silent_for_good, 2)
{
    me->attr.silence_ms = 1000;
    join(me);
    meet(me);
    if (me->rank == 0) {
        hy_ep *ep = &me->eps[1];
        hy_path_op gets[2];
        for (int i = 0; i < 2; i++) gets[i] = move_outside(HY_OP_GET, DATA_AT, MOVE_BYTES, 0);
        stop_delegatee();
        for (int i = 0; i < 2; i++) CHECK(hy_op_begin(ep->ops, ep, &gets[i]) == HAYATE_IN_PROGRESS);
        for (int i = 1; i >= 0; i--) {
            CHECK(end_op(ep, &gets[i]) == HAYATE_ERR_PEER_FAILED);
            CHECK(strstr(hayate_error(), "did nothing for 1.0 s"));
        }
        CHECK(hy_op_begin(ep->ops, ep, &gets[0]) == HAYATE_ERR_PEER_FAILED);
        kill(deleg_node.child, SIGCONT);
        for (int i = 0; i < 2; i++) free(gets[i].local);
    }
    meet(me);
    leave(me);
}

/* ---- a delegatee without memory for commands that nobody waits for ---- */

/* Its next command finds no memory. It is the first one, which needs some. */
static void make_scarce(hy_deleg *deleg)
{
    (void)deleg;
    scarce = 1;
}

static int send_signal(member *me)
{
    me->eps[1].ops->signal(&me->eps[1], 0, 1, NULL, 0);
    return HAYATE_OK;
}

static int send_flag(member *me)
{
    const hy_flag flag = {1, {0, 0, 0}};
    return me->eps[1].ops->put_flag(&me->eps[1], 0, &flag);
}

static int send_start(member *me)
{
    return hy_offload_start(me->net, 0);
}

static int (*sending)(member *me);

/* As in the slow turns of a wait. */
static int await_error(int (*look)(hy_net *), hy_net *net)
{
    int rc;
    for (uint64_t end = hy_now_ns() + 10 * SECOND; !(rc = look(net)); sched_yield())
        CHECK(hy_now_ns() < end);
    return rc;
}

static void lose_command(member *me)
{
    join(me);
    meet(me);
    if (me->rank == 0) {
        hy_ep *ep = &me->eps[1];
        const char *why = "could not carry out a command to rank";
        CHECK_OK(sending(me));
        CHECK(await_error(hy_offload_lost, me->net) == HAYATE_ERR_NO_MEMORY);
        CHECK(strstr(hayate_error(), why));
        CHECK(hayate_error_peer() == (sending == send_start ? 0 : 1));
        CHECK(hy_offload_check(me->net) == HAYATE_ERR_NO_MEMORY);
        CHECK(me->net->ops->check(ep) == HAYATE_ERR_NO_MEMORY && strstr(hayate_error(), why));
        CHECK(send_flag(me) == HAYATE_ERR_NO_MEMORY);
    } else {
        CHECK_OK(hy_offload_lost(me->net)); /* it is no concern of others */
        CHECK_OK(me->net->ops->check(&me->eps[0]));
    }
    meet(me);
    leave(me);
}

TEST(should_end_waits_when_a_command_was_lost_that_nobody_waits_for)
{
    static int (*const all[])(member *) = {send_signal, send_flag, send_start};
    deleg_adjust = make_scarce;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        sending = all[i];
        run_stories(2, lose_command);
    }
    deleg_adjust = NULL;
}

/* ---- a rank that dies with commands under way ---- */

#define VICTIMS 12
#define LONG_BYTES (UINT64_C(4) << 20)

static uint8_t *outside; /* of the part */

/* The second rank of node 0, whose peer is the second rank of node 1: all kinds of operations on
 * several lanes, with data in its part and outside of it. */
static void *work_on_a_lane(void *context)
{
    hy_ep ep = *(const hy_ep *)context;
    for (uint64_t turn = 0;; turn++) {
        uint64_t before;
        uint8_t *local = turn % 2 ? outside
                                  : (uint8_t *)deleg_node.control +
                                        deleg_node.control->control_bytes + PART;
        CHECK_OK(ep.ops->put(&ep, LONG_BYTES, local, LONG_BYTES));
        CHECK_OK(ep.ops->get(&ep, LONG_BYTES, local + LONG_BYTES, LONG_BYTES / 4));
        put_flag(&ep, 64 * (uint64_t)ep.lane, turn);
        CHECK_OK(ep.ops->atomic(&ep, 8, HY_ATOMIC_ADD, 1, 0, &before));
        CHECK_OK(ep.ops->flush(&ep));
    }
    return NULL;
}

static void be_victim(const member *me)
{
    hy_net_attr attr = me->attr;
    hy_net *net;
    hy_ep eps[3];
    pthread_t thread;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    attr.delegation = area_of_this_node();
    attr.parts = (uint32_t)deleg_parts;
    attr.nodes = (uint32_t)deleg_node.control->nodes;
    attr.cpus = hy_cpus();
    attr.member = 1;
    attr.node_of = deleg_node_of;
    CHECK_OK(hy_net_delegated.open(&attr, &net));
    outside = calloc(2, LONG_BYTES);
    CHECK(outside);
    for (int lane = 0; lane < 3; lane++) {
        eps[lane] = (hy_ep){0};
        net->ops->attach(net, &eps[lane], 3, lane);
        if (lane) CHECK(pthread_create(&thread, NULL, work_on_a_lane, &eps[lane]) == 0);
    }
    work_on_a_lane(&eps[0]);
}

static bool has_commands_under_way(void)
{
    return !all_are_done(1, 0) && !all_are_done(1, 1) && !all_are_done(1, 2);
}

/* A new process has new rings: the numbers begin again. As long as the delegatee expects the next
 * ones, another victim cannot use them; so each node has one victim. */
static void kill_victim(member *me, unsigned delay)
{
    hy_ep ep = {0};
    uint64_t before, word = 0, back = 0;
    me->net->ops->attach(me->net, &ep, 2, 0);
    pid_t victim = fork();
    CHECK(victim >= 0);
    if (victim == 0) be_victim(me);
    for (unsigned turn = 0; turn < delay || !has_commands_under_way(); turn++)
        CHECK_OK(ep.ops->atomic(&ep, 8, HY_ATOMIC_ADD, 1, 0, &before));
    kill(victim, SIGKILL);
    CHECK(waitpid(victim, NULL, 0) == victim);
    uint64_t start = hy_now_ns(), slowest = 0;
    bool ended = false;
    while (!ended || hy_now_ns() - start < SECOND / 5) {
        uint64_t then = hy_now_ns();
        word++;
        CHECK_OK(ep.ops->put(&ep, 64, &word, sizeof word));
        CHECK_OK(ep.ops->get(&ep, 64, &back, sizeof back));
        CHECK(back == word);
        if (hy_now_ns() - then > slowest) slowest = hy_now_ns() - then;
        ended = true;
        for (int ring = 0; ring < HY_RINGS; ring++) ended &= all_are_done(1, ring);
        CHECK(hy_now_ns() - start < 30 * SECOND);
    }
    CHECK(slowest < 5 * SECOND); /* half of the silence after which somebody is given up */
    CHECK(hy_load_acquire(&area_of_this_node()->state) == HY_DELEGATEE_SERVES);
    CHECK_OK(me->net->ops->check(&ep));
}

static unsigned victim_delay;

static void lose_a_rank(member *me)
{
    join(me);
    meet(me);
    if (me->rank == 0) kill_victim(me, victim_delay);
    meet(me);
    leave(me);
}

TEST(should_end_the_commands_of_a_rank_that_was_killed_and_serve_the_others)
{
    deleg_parts = 2;
    for (unsigned seed = 0; seed < VICTIMS; seed++) {
        victim_delay = 10 + seed * 37 % 101;
        run_stories(2, lose_a_rank);
    }
    deleg_parts = 1;
}

/* ---- a delegatee whose turns take long ---- */

static int work_long(hy_net *net)
{
    usleep(10000);
    hy_net_ofi.progress(net);
    return 1; /* each turn did something */
}

static void make_slow(hy_deleg *deleg)
{
    static hy_net_ops slow;
    slow = *deleg->job.net->ops;
    slow.progress = work_long;
    deleg->job.net->ops = &slow;
}

static void see_beats(member *me)
{
    const _Atomic uint64_t *beat = &area_of_this_node()->beat;
    join(me);
    meet(me);
    uint64_t end = hy_now_ns() + 20 * SECOND, last = hy_load_relaxed(beat);
    for (int beats = 0; beats < 5;) {
        uint64_t now = hy_load_relaxed(beat);
        beats += now != last;
        last = now;
        CHECK(hy_now_ns() < end);
        sched_yield();
    }
    meet(me);
    leave(me);
}

TEST(should_not_be_silent_while_its_turns_take_long)
{
    deleg_adjust = make_slow;
    run_stories(2, see_beats);
    deleg_adjust = NULL;
}

/* ---- a delegatee that has nothing to do ---- */

#define IDLE_SECONDS 2
#define IDLE_TRIES 4 /* where others keep the processors busy, clocks tell more than was used */

/* The processor time of all its threads, in ns. */
static uint64_t time_of_delegatee(void)
{
    clockid_t clock;
    CHECK(clock_getcpuclockid(deleg_node.child, &clock) == 0);
    return hy_clock_ns(clock);
}

/* It has a connection and has just worked. */
static void be_idle(member *me)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    uint64_t word = 1;
    join(me);
    CHECK_OK(ep->ops->put(ep, 64, &word, sizeof word));
    CHECK_OK(ep->ops->flush(ep));
    meet(me);
    usleep(200000);
    uint64_t used = UINT64_MAX;
    for (int try = 0; try < IDLE_TRIES && used > IDLE_SECONDS * SECOND / 200; try++) {
        uint64_t before = time_of_delegatee();
        sleep(IDLE_SECONDS);
        used = time_of_delegatee() - before;
    }
    CHECK(used <= IDLE_SECONDS * SECOND / 200);
    meet(me);
    leave(me);
}

TEST(should_take_half_a_percent_of_a_core_at_most_while_idle)
{
    run_stories(2, be_idle);
    setenv("HAYATE_DELEGATE_WAIT", "interrupt", 1);
    run_stories(2, be_idle);
    unsetenv("HAYATE_DELEGATE_WAIT");
}

/* ---- a delegatee that may not read the memory of processes ---- */

static int said; /* what delegatees log */

static void forbid(void)
{
    CHECK(dup2(said, STDERR_FILENO) == STDERR_FILENO);
    setenv("HAYATE_LOG", "info", 1);
    hy_log_setup();
    CHECK(seccomp_forbid_single_copy());
}

static bool has_said(const char *text)
{
    char lines[4096] = "";
    return pread(said, lines, sizeof lines - 1, 0) > 0 && strstr(lines, text);
}

static uint64_t taken(void)
{
    return hy_load_relaxed(&slot_of_this_rank()->taken.commands);
}

/* Longer than a staging buffer, and not in the part. */
static void put_from_outside(member *me, uint64_t commands)
{
    const size_t bytes = 5 * HY_STAGING_BYTES + 1000;
    uint8_t *data = malloc(bytes), *back = malloc(bytes);
    hy_ep *ep = &me->eps[1];
    CHECK(data && back);
    fill(data, bytes, 7);
    uint64_t before = taken();
    CHECK_OK(ep->ops->put(ep, DATA_AT, data, bytes));
    CHECK_OK(ep->ops->flush(ep));
    CHECK(taken() - before == commands + 1);
    CHECK_OK(ep->ops->get(ep, DATA_AT, back, bytes));
    CHECK(holds(back, bytes, 7));
    free(data);
    free(back);
}

/* The delegatee finds out by itself, 20 times a second while it works. */
static void put_without_rights(member *me)
{
    join(me);
    meet(me);
    if (me->rank == 0) {
        const hy_delegation_rank *slot = slot_of_this_rank();
        bool forbidden = deleg_prepare != NULL;
        uint64_t end = hy_now_ns() + (forbidden ? SECOND / 2 : 10 * SECOND);
        while (hy_now_ns() < end && !hy_load_acquire(&slot->reachable)) {
            uint64_t before;
            CHECK_OK(me->eps[1].ops->atomic(&me->eps[1], 8, HY_ATOMIC_ADD, 1, 0, &before));
        }
        CHECK(hy_load_acquire(&slot->reachable) == !forbidden);
        /* by halves of the staging buffer, or one command for all of it */
        put_from_outside(me, forbidden ? 11 : 1);
        CHECK(has_said("data of rank 0 outside of the symmetric heap are copied through a buffer: "
                       "process_vm_readv") == forbidden);
    }
    meet(me);
    leave(me);
}

TEST(should_copy_data_through_the_ring_where_the_delegatee_may_not_read_them)
{
    if (!seccomp_is_possible()) skip();
    said = memfd_create("log", MFD_CLOEXEC);
    deleg_prepare = forbid;
    run_stories(2, put_without_rights);
    deleg_prepare = NULL;
    close(said);
}

TEST(should_read_data_of_processes_where_it_may)
{
    run_stories(2, put_without_rights);
}

int main(void)
{
    setenv("HAYATE_OFI_PROVIDER", "tcp;ofi_rxm", 1);
    tested = &hy_net_ofi;
    need_network();
    deleg_use();
    return tests_run();
}
