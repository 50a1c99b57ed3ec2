/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* What goes wrong over libfabric: peers that die, stop or only compute, settings that do not fit,
 * addresses that are none. Nothing hangs, and nothing is written to stdout. */
#include "net/outage_tests.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "base/library_fixture.h"
#include "net/ofi/ofi_net.h"
#include "path/seccomp_fixture.h"

static void expect_no_network(member *me, int code, const char *text)
{
    CHECK(hy_net_ofi.open(&me->attr, &me->net) == code);
    if (!strstr(hayate_error(), text)) fprintf(stderr, "said: %s\n", hayate_error());
    CHECK(strstr(hayate_error(), text));
}

static void want_an_unknown_provider(member *me)
{
    setenv("HAYATE_OFI_PROVIDER", "carrier pigeon", 1);
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "carrier pigeon");
    CHECK(strstr(hayate_error(), "tcp;ofi_rxm") && strstr(hayate_error(), "HAYATE_OFI_PROVIDER"));
    CHECK(hy_net_ofi.row->probe() == HAYATE_ERR_UNSUPPORTED);
}

static void want_an_unknown_device(member *me)
{
    me->attr.device = "eth77";
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "on eth77");
    CHECK(strstr(hayate_error(), "lo") && strstr(hayate_error(), "HAYATE_NET_DEVICE"));
}

STORY_TEST(should_say_that_the_library_is_missing_or_another_one, 1)
{
    library_folder folder;
    setenv("HAYATE_LIBRARIES", "/nowhere", 1);
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "/nowhere is not a directory");
    CHECK(strstr(hayate_error(), "name its directory in HAYATE_LIBRARIES"));
    CHECK(library_folder_make(&folder, "libfabric.so.1", "libm.so.6"));
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "1.17 or newer");
    library_folder_remove(&folder);
    join(me); /* a failure is not remembered */
    leave(me);
}

static void lack_threads(member *me)
{
    join(me);
    leave(me);
    CHECK(seccomp_forbid_threads());
    expect_no_network(me, HAYATE_ERR_SYSTEM, "ulimit -u");
}

TEST(should_say_that_no_thread_can_be_started)
{
    if (!seccomp_is_possible()) skip();
    run_stories(1, lack_threads);
}

TEST(should_list_what_there_is_instead_of_a_provider_or_device)
{
    run_stories(1, want_an_unknown_provider);
    run_stories(1, want_an_unknown_device);
}

TEST(should_read_the_attr_of_the_environment)
{
    hy_net_attr attr = {0};
    assert_ok(hy_net_read_attr(&attr));
    assert_null(attr.device);
    assert_int_equal(attr.silence_ms, HY_NET_SILENCE_MS);
    setenv("HAYATE_NET_DEVICE", "eth3", 1);
    setenv("HAYATE_NET_SILENCE", "3", 1);
    assert_ok(hy_net_read_attr(&attr));
    assert_string_equal(attr.device, "eth3");
    assert_int_equal(attr.silence_ms, 3000);
    setenv("HAYATE_NET_SILENCE", "0", 1);
    assert_int_equal(hy_net_read_attr(&attr), HAYATE_ERR_ARGUMENT);
    unsetenv("HAYATE_NET_DEVICE");
    unsetenv("HAYATE_NET_SILENCE");
}

STORY_TEST(should_leave_the_signal_handlers_as_they_were, 1)
{
    struct sigaction before[NSIG], after;
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);
    join(me);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &after) == 0) CHECK(after.sa_handler == before[i].sa_handler);
    leave(me);
}

/* Addresses that no peer of this job published. */
static int twist;
static int look_up_twisted(void *context, int rank, void *address, size_t *len)
{
    uint8_t *bytes = address;
    int rc = look_up(context, rank, address, len);
    if (twist == 0) bytes[0] ^= 1;
    if (twist == 1) *len = 20;
    if (twist == 2) *len = 0;
    if (twist == 3) *len -= 1;
    if (twist == 4) *len = HY_NET_ADDRESS + 1;
    if (twist == 5) memset(bytes + 40, 'x', 32); /* the provider */
    if (twist == 6) bytes[72] ^= 1;              /* the rank */
    if (twist == 7) memcpy(bytes + 40, "shm", 4);
    if (twist == 8) return hy_fail(HAYATE_ERR_LAUNCH, "nobody has published that");
    return rc;
}

STORY_TEST(should_refuse_a_blob_that_is_none, 1)
{
    me->attr.lookup = look_up_twisted;
    join(me);
    uint64_t word = 0;
    hy_ep *ep = &me->eps[0];
    twist = 8;
    CHECK_OK(ep->ops->flush(ep)); /* who was never used is not asked for */
    for (twist = 0; twist <= 8; twist++) {
        int expected = twist < 7 ? HAYATE_ERR_CORRUPT : HAYATE_ERR_LAUNCH;
        CHECK(ep->ops->put(ep, 0, &word, 8) == expected);
    }
    ep->ops->signal(ep, 0, 1, NULL, 0);
    CHECK_OK(ep->ops->put(ep, 0, &word, 8)); /* nothing was spoiled */
    leave(me);
}

/* A rank that is stopped, given up, and goes on. Notes: [2] it is stopped, [3] it may go on. */
static story of_stopped, of_other;

static void stop_in_between(member *me)
{
    me->attr.silence_ms = 1000;
    join(me);
    fill(me->part, 200000, 5);
    meet(me);
    if (me->rank == DYING) {
        while (!me->w->note[SEEN]) usleep(1000);
        raise(SIGSTOP);
        of_stopped(me);
    } else {
        CHECK_OK(do_put_and_flush(&me->eps[DYING]));
        me->w->note[SEEN] = 1;
        while (!me->w->note[2]) usleep(1000);
        of_other(me);
    }
    meet(me);
    leave(me);
}

static void run_stopped(story stopped, story other)
{
    int status;
    of_stopped = stopped;
    of_other = other;
    world *w = make_world(2);
    pid_t stopping = start_rank(w, DYING, stop_in_between);
    pid_t alive = start_rank(w, ALIVE, stop_in_between);
    assert_int_equal(waitpid(stopping, &status, WUNTRACED), stopping);
    assert_true(WIFSTOPPED(status));
    w->note[2] = 1;
    while (!w->note[3] && waitpid(alive, &status, WNOHANG) == 0) usleep(1000);
    kill(stopping, SIGCONT);
    assert_ended_well(stopping);
    assert_ended_well(alive);
    munmap(w, sizeof *w);
}

static uint32_t pending_to(member *me, int rank)
{
    hy_net_endpoint *endpoint = ofi_of(me->net)->base.endpoints[0];
    pthread_mutex_lock(&endpoint->lock);
    const ofi_peer *peer = hy_net_table_look(&endpoint->peers, rank);
    uint32_t pending = peer->pending;
    pthread_mutex_unlock(&endpoint->lock);
    return pending;
}

/* What was asked for comes all the same, when the memory is another's. */
static void give_a_read_up(member *me)
{
    static uint8_t data[100000], untouched[sizeof data];
    hy_ep *ep = &me->eps[DYING];
    CHECK(ep->ops->get(ep, 0, data, sizeof data) == HAYATE_ERR_PEER_FAILED);
    CHECK(pending_to(me, DYING) > 0);
    me->w->note[3] = 1;
    for (uint64_t end = hy_now_ns() + 30 * SECOND; pending_to(me, DYING) > 0; usleep(1000)) {
        me->net->ops->progress(me->net);
        CHECK(hy_now_ns() < end);
    }
    CHECK(memcmp(data, untouched, sizeof data) == 0);
}

static void serve(member *me)
{
    (void)me; /* who meets lets its network work */
}

TEST(should_write_to_nobodys_memory_after_a_get_was_given_up)
{
    run_stopped(serve, give_a_read_up);
}

static void give_up_on_all_lanes(member *me)
{
    hy_ep end;
    CHECK(do_atomic(&me->eps[DYING]) == HAYATE_ERR_PEER_FAILED);
    me->net->ops->attach(me->net, &end, DYING, 2);
    CHECK(do_atomic(&end) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), "another connection to it has failed"));
    CHECK(!me->net->ops->has_left(&end));
    me->w->note[3] = 1;
}

static void find_oneself_given_up(member *me)
{
    int rc;
    uint64_t end = hy_now_ns() + 30 * SECOND;
    while ((rc = do_check(&me->eps[ALIVE])) == HAYATE_OK) CHECK(hy_now_ns() < end);
    CHECK(rc == HAYATE_ERR_PEER_FAILED && strstr(hayate_error(), "declared this rank failed"));
}

TEST(should_tell_all_lanes_and_the_peer_that_it_was_given_up)
{
    run_stopped(find_oneself_given_up, give_up_on_all_lanes);
}

/* The lane's own endpoint has never met the peer, and could only tell by its silence. */
static void outlive_on_a_new_lane(member *me)
{
    hy_ep lane;
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    for (; me->rank == DYING; sched_yield()) me->net->ops->progress(me->net);
    CHECK_OK(do_put_and_flush(&me->eps[DYING]));
    me->net->ops->attach(me->net, &lane, DYING, 2);
    kill((pid_t)me->w->note[PID], SIGKILL);
    uint64_t start = hy_now_ns();
    CHECK(do_atomic(&lane) == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == DYING);
    CHECK(hy_now_ns() - start < told_within);
    leave(me);
}

TEST(should_tell_of_a_death_on_a_lane_that_was_never_used)
{
    kill_one_of(outlive_on_a_new_lane);
}

/* Others have told this rank's job of it, and no connection says so. */
static bool is_told_of(void *context, int rank)
{
    const world *w = context;
    return rank == DYING && w->note[3];
}

static void believe_others(member *me)
{
    me->attr.is_lost = is_told_of;
    join(me);
    meet(me);
    if (me->rank == DYING) {
        while (!me->w->note[SEEN]) usleep(1000);
        raise(SIGSTOP);
        return;
    }
    CHECK_OK(do_put_and_flush(&me->eps[DYING]));
    me->w->note[SEEN] = 1;
    while (!me->w->note[2]) usleep(1000); /* the parent has seen it stop */
    me->w->note[3] = 1;
    uint64_t start = hy_now_ns();
    CHECK(do_atomic(&me->eps[DYING]) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), HY_NET_TOLD) && hy_now_ns() - start < told_within);
    leave(me);
}

TEST(should_end_a_wait_for_who_has_failed_as_others_say)
{
    stop_one_of(believe_others);
}

int main(void)
{
    tested = &hy_net_ofi;
    noisy[0] = "FI_LOG_LEVEL", noisy[1] = "debug";
    return tests_run();
}
