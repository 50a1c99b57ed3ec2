/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong over libfabric: peers that die, stop or only compute, settings that do not fit,
 * addresses that are none. Nothing hangs, and nothing is written to stdout. */
#include "path/ofi/ofi_fixture.h"

#include <fcntl.h>
#include <sys/resource.h>

#define SECOND UINT64_C(1000000000)

enum { DYING = 1, ALIVE = 0 }; /* ranks */
enum { SEEN = 0, PID = 1 };    /* notes */

static int (*operation)(hy_ep *ep);
static int do_get(hy_ep *ep)
{
    static uint8_t data[100000];
    return ep->ops->get(ep, 0, data, sizeof data);
}

static int do_long_put(hy_ep *ep)
{
    static uint8_t data[16 << 20];
    int rc = ep->ops->put(ep, 0, data, sizeof data);
    return rc ? rc : ep->ops->flush(ep);
}

static int do_put_and_flush(hy_ep *ep)
{
    uint64_t word = 1;
    int rc = ep->ops->put(ep, 0, &word, sizeof word);
    return rc ? rc : ep->ops->flush(ep);
}

static int do_atomic(hy_ep *ep)
{
    uint64_t before;
    return ep->ops->atomic(ep, 0, HY_ATOMIC_ADD, 1, 0, &before);
}

static int do_flags(hy_ep *ep)
{
    const hy_flag flag = {1, {0, 0, 0}};
    return ep->ops->put_flag(ep, 0, &flag);
}

static int do_check(hy_ep *ep)
{
    return ep->net->ops->check(ep);
}

/* Until it fails: how long that took since the death. */
static void outlive(member *me)
{
    hy_ep *ep = &me->eps[DYING];
    CHECK_OK(do_put_and_flush(ep));
    kill((pid_t)me->w->note[PID], SIGKILL);
    uint64_t start = hy_now_ns();
    int rc = HAYATE_OK;
    while (!rc) {
        rc = operation(ep);
        CHECK(hy_now_ns() - start < 5 * SECOND);
        sched_yield();
    }
    if (getenv("SHOW"))
        fprintf(stderr, "%.3f s: %s\n", (double)(hy_now_ns() - start) / 1e9, hayate_error());
    CHECK(rc == HAYATE_ERR_PEER_FAILED && hayate_error_peer() == DYING);
    CHECK(hy_now_ns() - start < SECOND);
    CHECK(operation(ep) == HAYATE_ERR_PEER_FAILED); /* it remains so */
    leave(me);
    CHECK(hy_now_ns() - start < 3 * SECOND);
}

static void live_or_die(member *me)
{
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    if (me->rank == ALIVE) outlive(me);
    else
        for (;;) me->net->ops->progress(me->net), sched_yield();
}

static void kill_during(int (*what)(hy_ep *))
{
    operation = what;
    world *w = make_world(2);
    pid_t dying = start_rank(w, DYING, live_or_die), alive = start_rank(w, ALIVE, live_or_die);
    int status;
    waitpid(dying, &status, 0);
    assert_ended_well(alive);
    munmap(w, sizeof *w);
}

#define KILL(name) \
    static void should_tell_of_a_death_in_##name(void **state) \
    { \
        (void)state; \
        kill_during(do_##name); \
    }
KILL(get)
KILL(long_put)
KILL(put_and_flush)
KILL(atomic)
KILL(flags)
KILL(check)

/* A rank that computes lets nobody wait for it long; one that is stopped has failed. */
static void ask_a_silent_rank(member *me)
{
    me->wish.silence_ms = 1000;
    join(me);
    if (me->rank == DYING) me->w->note[PID] = (uint64_t)getpid();
    meet(me);
    if (me->rank == DYING) {
        while (!me->w->note[SEEN]) usleep(1000); /* computes */
        raise(SIGSTOP);
        return;
    }
    hy_ep *ep = &me->eps[DYING];
    for (uint64_t start = hy_now_ns(); hy_now_ns() - start < 3 * SECOND;) {
        CHECK_OK(do_check(ep));
        CHECK_OK(do_put_and_flush(ep));
        CHECK_OK(do_atomic(ep));
        CHECK_OK(do_get(ep));
    }
    me->w->note[SEEN] = 1;
    while (!me->w->note[2]) usleep(1000); /* the parent has seen it stop */
    uint64_t start = hy_now_ns();
    CHECK(do_put_and_flush(ep) == HAYATE_ERR_PEER_FAILED);
    CHECK(strstr(hayate_error(), "no answer for 1.0 s"));
    CHECK(hy_now_ns() - start > SECOND / 2 && hy_now_ns() - start < 3 * SECOND);
    leave(me);
}

static void should_wait_for_who_computes_but_not_for_who_is_stopped(void **state)
{
    (void)state;
    world *w = make_world(2);
    pid_t stopping = start_rank(w, DYING, ask_a_silent_rank);
    pid_t alive = start_rank(w, ALIVE, ask_a_silent_rank);
    int status;
    assert_int_equal(waitpid(stopping, &status, WUNTRACED), stopping);
    assert_true(WIFSTOPPED(status));
    w->note[2] = 1;
    assert_ended_well(alive);
    kill(stopping, SIGKILL);
    waitpid(stopping, &status, 0);
    munmap(w, sizeof *w);
}

static void wait_for_a_leaver(member *me)
{
    join(me);
    put_flag(&me->eps[1 - me->rank], 64, 1);
    await(me, 64, 1);
    meet(me);
    if (me->rank == DYING) {
        leave(me);
        return;
    }
    uint64_t start = hy_now_ns();
    int rc;
    while ((rc = do_check(&me->eps[DYING])) == HAYATE_OK) CHECK(hy_now_ns() - start < 5 * SECOND);
    CHECK(rc == HAYATE_ERR_PEER_FAILED && strstr(hayate_error(), "has left"));
    start = hy_now_ns();
    leave(me);
    CHECK(hy_now_ns() - start < SECOND / 2);
}

static void should_tell_that_a_peer_has_left(void **state)
{
    (void)state;
    run_stories(2, wait_for_a_leaver);
}

static void expect_no_network(member *me, int code, const char *text)
{
    CHECK(hy_net_ofi.open(&me->wish, &me->net) == code);
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
    me->wish.device = "eth77";
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "on eth77");
    CHECK(strstr(hayate_error(), "lo") && strstr(hayate_error(), "HAYATE_NET_DEVICE"));
}

static void want_a_missing_library(member *me)
{
    setenv("HAYATE_OFI_LIBRARY", "/nowhere/libfabric.so.1", 1);
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "/nowhere/libfabric.so.1");
    CHECK(strstr(hayate_error(), "HAYATE_OFI_LIBRARY"));
    setenv("HAYATE_OFI_LIBRARY", "libm.so.6", 1);
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "1.17 or newer");
    unsetenv("HAYATE_OFI_LIBRARY");
    join(me); /* a failure is not remembered */
    leave(me);
}

static void should_list_what_there_is_instead_of_a_provider_or_device(void **state)
{
    (void)state;
    run_stories(1, want_an_unknown_provider);
    run_stories(1, want_an_unknown_device);
}

static void should_say_that_the_library_is_missing_or_another_one(void **state)
{
    (void)state;
    run_stories(1, want_a_missing_library);
}

static void should_read_the_wish_of_the_environment(void **state)
{
    (void)state;
    hy_net_wish wish = {0};
    assert_int_equal(hy_net_read_wish(&wish), HAYATE_OK);
    assert_null(wish.device);
    assert_int_equal(wish.silence_ms, HY_NET_SILENCE_MS);
    setenv("HAYATE_NET_DEVICE", "eth3", 1);
    setenv("HAYATE_NET_SILENCE", "3", 1);
    assert_int_equal(hy_net_read_wish(&wish), HAYATE_OK);
    assert_string_equal(wish.device, "eth3");
    assert_int_equal(wish.silence_ms, 3000);
    setenv("HAYATE_NET_SILENCE", "0", 1);
    assert_int_equal(hy_net_read_wish(&wish), HAYATE_ERR_ARGUMENT);
    unsetenv("HAYATE_NET_DEVICE");
    unsetenv("HAYATE_NET_SILENCE");
}

static void run_out_of_descriptors(member *me)
{
    for (rlim_t most = 4; most < 40; most++) {
        const struct rlimit limit = {most, 64};
        CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
        int rc = hy_net_ofi.open(&me->wish, &me->net);
        if (rc) CHECK(strlen(hayate_error()) > 10);
        else leave(me);
    }
    join(me);
    leave(me);
}

static void should_survive_every_lack_of_descriptors(void **state)
{
    (void)state;
    run_stories(1, run_out_of_descriptors);
}

static void look_at_handlers(member *me)
{
    struct sigaction before[NSIG], after;
    for (int i = 1; i < NSIG; i++) sigaction(i, NULL, &before[i]);
    join(me);
    for (int i = 1; i < NSIG; i++)
        if (sigaction(i, NULL, &after) == 0) CHECK(after.sa_handler == before[i].sa_handler);
    leave(me);
}

static void should_leave_the_signal_handlers_as_they_were(void **state)
{
    (void)state;
    run_stories(1, look_at_handlers);
}

static void work_noisily(member *me)
{
    int quiet = memfd_create("stdout", 0);
    setenv("FI_LOG_LEVEL", "debug", 1);
    CHECK(quiet >= 0 && dup2(quiet, STDOUT_FILENO) >= 0);
    CHECK(dup2(open("/dev/null", O_WRONLY), STDERR_FILENO) >= 0);
    join(me);
    meet(me);
    put_flag(&me->eps[1 - me->rank], 64, 1);
    await(me, 64, 1);
    leave(me);
    fflush(stdout);
    if (lseek(quiet, 0, SEEK_END) != 0) _exit(1);
}

static void should_keep_all_noise_off_stdout(void **state)
{
    (void)state;
    run_stories(2, work_noisily);
}

/* Blobs that no peer of this job published. */
static int twist;
static int look_up_twisted(void *context, int rank, void *blob, size_t *len)
{
    uint8_t *bytes = blob;
    int rc = look_up(context, rank, blob, len);
    if (twist == 0) bytes[0] ^= 1;
    if (twist == 1) *len = 20;
    if (twist == 2) *len = 0;
    if (twist == 3) *len -= 1;
    if (twist == 4) *len = HY_NET_BLOB + 1;
    if (twist == 5) memset(bytes + 40, 'x', 32); /* the provider */
    if (twist == 6) bytes[72] ^= 1;              /* the rank */
    if (twist == 7) memcpy(bytes + 40, "shm", 4);
    if (twist == 8) return hy_fail(HAYATE_ERR_LAUNCH, "nobody has published that");
    return rc;
}

static void meet_wrong_blobs(member *me)
{
    me->wish.lookup = look_up_twisted;
    join(me);
    uint64_t word = 0;
    hy_ep *ep = &me->eps[0];
    for (twist = 0; twist <= 8; twist++) {
        int expected = twist < 7 ? HAYATE_ERR_CORRUPT : HAYATE_ERR_LAUNCH;
        CHECK(ep->ops->put(ep, 0, &word, 8) == expected);
    }
    ep->ops->signal(ep, 0, 1, NULL, 0);
    CHECK_OK(ep->ops->put(ep, 0, &word, 8)); /* nothing was spoiled */
    leave(me);
}

static void should_refuse_a_blob_that_is_none(void **state)
{
    (void)state;
    run_stories(1, meet_wrong_blobs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_tell_of_a_death_in_get),
        cmocka_unit_test(should_tell_of_a_death_in_long_put),
        cmocka_unit_test(should_tell_of_a_death_in_put_and_flush),
        cmocka_unit_test(should_tell_of_a_death_in_atomic),
        cmocka_unit_test(should_tell_of_a_death_in_flags),
        cmocka_unit_test(should_tell_of_a_death_in_check),
        cmocka_unit_test(should_wait_for_who_computes_but_not_for_who_is_stopped),
        cmocka_unit_test(should_tell_that_a_peer_has_left),
        cmocka_unit_test(should_list_what_there_is_instead_of_a_provider_or_device),
        cmocka_unit_test(should_say_that_the_library_is_missing_or_another_one),
        cmocka_unit_test(should_read_the_wish_of_the_environment),
        cmocka_unit_test(should_survive_every_lack_of_descriptors),
        cmocka_unit_test(should_leave_the_signal_handlers_as_they_were),
        cmocka_unit_test(should_keep_all_noise_off_stdout),
        cmocka_unit_test(should_refuse_a_blob_that_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
