/* SPDX-License-Identifier: Apache-2.0 */
/* What looks in vain cost: `check_program`, two ranks or more. Rank 0 tests what cannot be over,
 * over and over, and counts the system calls of that; the last rank waits in a receive until it is
 * told to end it. CHECK_TIMES: prints what one look took. */
#include "fmpl/scenario.h"

#include "base/syscalls_fixture.h"
#include "coll/collective.h"
#include "init/join.h"
#include "ompl/ompl.h"

#include <hayate/pcoll.h>

#define TESTS 10000
#define MANY 16 /* requests */

static int word = 5;

/* ---- the other rank ---- */

static void await_go(void)
{
    int ier = 1, go;
    CALL_OK(fmpl_recv(&go, sizeof go, 0, 0, &ier));
}

static void say_go(void)
{
    int ier = 1;
    CALL_OK(fmpl_send(&word, sizeof word, size - 1, 0, &ier));
}

static bool is_other(void)
{
    return rank == size - 1;
}

/* ---- counting ---- */

/* A look at who died may cost a system call at each tick of the kernel's clock, of which there are
 * at most 1000 a second; and a few are others'. */
static void must_be_few(const char *what, uint64_t count, uint64_t ns)
{
    uint64_t most = 10 + ns / 1000000;
    if (count > most) {
        fprintf(stderr, "%s: %lu system calls in %lu us, expected at most %lu:", what, count,
                ns / 1000, most);
        for (int i = 0; i < SYSCALLS_NUMBERS; i++)
            if (syscalls_of[i]) fprintf(stderr, " %lu of number %d", syscalls_of[i], i);
        fprintf(stderr, "\n");
    }
    CHECK(count <= most);
}

static void must_be_cheap(const char *what, void (*look)(void))
{
    if (getenv("CHECK_TIMES")) {
        uint64_t best = UINT64_MAX;
        for (int run = 0; run < 20; run++) {
            uint64_t begun = hy_now_ns();
            for (int i = 0; i < TESTS; i++) look();
            uint64_t ns = hy_now_ns() - begun;
            if (ns < best) best = ns;
        }
        fprintf(stderr, "%-28s %7.1f ns\n", what, (double)best / TESTS);
    }
    CHECK(syscalls_begin());
    uint64_t begun = hy_now_ns();
    for (int i = 0; i < TESTS; i++) look();
    uint64_t ns = hy_now_ns() - begun, count = syscalls_end();
    if (getenv("CHECK_TIMES")) printf("%-28s %7lu system calls in %d\n", what, count, TESTS);
    must_be_few(what, count, ns);
}

/* ---- what is looked at ---- */

static fmpl_request_t requests[MANY];
static int received[MANY];

static void look_at_request(void)
{
    int flag = 1, ier = 1;
    CALL_OK(fmpl_test(&requests[0], &flag, &ier));
    CHECK(!flag);
}

static void begin_receives(int count)
{
    int ier = 1;
    for (int i = 0; i < count; i++)
        CALL_OK(fmpl_irecv(&received[i], sizeof word, size - 1, 1 + i, &requests[i], &ier));
}

static void end_receives(int count)
{
    int ier = 1;
    for (int i = 0; i < count; i++) {
        CALL_OK(fmpl_wait(&requests[i], &ier));
        CHECK(received[i] == word);
    }
}

static void send_all(int count)
{
    int ier = 1;
    for (int i = 0; i < count; i++) CALL_OK(fmpl_send(&word, sizeof word, 0, 1 + i, &ier));
}

SCENARIO_AS("request", should_test_a_request_without_system_calls)
{
    if (rank == 0) {
        begin_receives(1);
        must_be_cheap("test of a request", look_at_request);
        say_go();
        end_receives(1);
    } else if (is_other()) {
        await_go();
        send_all(1);
    }
}

SCENARIO_AS("requests", should_test_one_of_many_requests_without_system_calls)
{
    if (rank == 0) {
        begin_receives(MANY);
        must_be_cheap("test of one of 16 requests", look_at_request);
        say_go();
        end_receives(MANY);
    } else if (is_other()) {
        await_go();
        send_all(MANY);
    }
}

/* Pure spinning: whoever yields or sleeps makes system calls for that. */
SCENARIO_AS("any", should_spin_for_any_request_without_system_calls)
{
    int ier = 1, index = -1;
    if (rank == 0) {
        begin_receives(MANY);
        hy_process_job()->policy = hy_wait_brief;
        say_go();
        CHECK(syscalls_begin());
        uint64_t begun = hy_now_ns();
        fmpl_wait_any(MANY, requests, &index, &ier);
        uint64_t ns = hy_now_ns() - begun, count = syscalls_end();
        CHECK_OK(ier);
        CHECK(index == 0 && received[0] == word);
        if (getenv("CHECK_TIMES"))
            printf("%-28s %7lu system calls in %lu us\n", "wait for any of 16", count, ns / 1000);
        must_be_few("wait for any", count, ns);
        say_go();
        end_receives(MANY);
    } else if (is_other()) {
        await_go();
        usleep(20000);
        send_all(1);
        await_go();
        for (int i = 1; i < MANY; i++) CALL_OK(fmpl_send(&word, sizeof word, 0, 1 + i, &ier));
    }
}

static void look_at_collective(void)
{
    CHECK(hy_collective_test(hy_process_comms(), FMPL_COMM_WORLD, false) == HAYATE_IN_PROGRESS);
}

SCENARIO_AS("collective", should_test_a_collective_without_system_calls)
{
    const hy_collective_call call = {.coll = HY_COLL_BARRIER};
    if (rank == 0) {
        int rc = hy_collective(hy_process_comms(), FMPL_COMM_WORLD, &call, true);
        CHECK(rc == HAYATE_IN_PROGRESS);
        must_be_cheap("test of a collective", look_at_collective);
        say_go();
        while (rc == HAYATE_IN_PROGRESS)
            rc = hy_collective_test(hy_process_comms(), FMPL_COMM_WORLD, false);
        CHECK_OK(rc);
        return;
    }
    if (is_other()) await_go();
    barrier();
}

static pcoll_t operation;

static void look_at_operation(void)
{
    int done = 1;
    CHECK_OK(pcoll_test(operation, &done));
    CHECK(!done);
}

SCENARIO_AS("persistent", should_test_a_persistent_operation_without_system_calls)
{
    CHECK_OK(pcoll_barrier_init(FMPL_COMM_WORLD, NULL, &operation));
    if (rank == 0) {
        CHECK_OK(pcoll_start(operation));
        must_be_cheap("test of a persistent one", look_at_operation);
        say_go();
    } else {
        if (is_other()) await_go();
        CHECK_OK(pcoll_start(operation));
    }
    CHECK_OK(pcoll_wait(operation));
    barrier();
    CHECK_OK(pcoll_free(&operation));
}

static hy_ompl *ompl;

static void watch_in_vain(const hy_watch *watch)
{
    uint64_t seen;
    CHECK(hy_ompl_watch(ompl, watch, &seen) == HAYATE_IN_PROGRESS);
}

static void look_at_flag(void)
{
    watch_in_vain(&(hy_watch){.comparison = OMPL_NE});
}

/* As a virtual thread waits: a few polls at a time. */
static void look_at_flag_bounded(void)
{
    watch_in_vain(&(hy_watch){.comparison = OMPL_NE, .timeout_us = -1, .polls = 1});
}

SCENARIO_AS("flag", should_look_at_a_flag_without_system_calls)
{
    uint64_t seen;
    CHECK_OK(hy_ompl_open(&ompl, hy_process_job(), 4096, 0));
    if (rank == 0) {
        must_be_cheap("poll of a flag", look_at_flag);
        must_be_cheap("bounded wait for a flag", look_at_flag_bounded);
        say_go();
        CHECK_OK(hy_ompl_watch(ompl, &(hy_watch){.comparison = OMPL_NE, .timeout_us = -1}, &seen));
    } else if (is_other()) {
        await_go();
        CHECK_OK(hy_ompl_put_flag(ompl, 0, 0, &(hy_flag){.value = 1}));
    }
    barrier();
    hy_ompl_close(ompl);
    hy_ompl_free(ompl);
}

int main(int argc, char **argv)
{
    if (!syscalls_begin()) return 77;
    syscalls_end();
    start_ranks(1 + MANY);
    CHECK(size > 1);
    int rc = scenarios_run(argc, argv);
    end_ranks();
    return rc;
}
