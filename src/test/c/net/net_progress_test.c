/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* The progress thread of a network that is an eventfd. */
#include "base/test.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/status.h"
#include "net/net_progress.h"

#ifdef __SANITIZE_THREAD__
#define ROUNDS 2000u
#else
#define ROUNDS 5000u
#endif

/* What was sent to it, and what it has brought; arm() looks at the queue first, as networks do. */
typedef struct fake {
    hy_bell bell;
    int descriptor;
    bool refuses, lies; /* arm() says "not now"; the descriptor is readable for nothing */
    _Atomic uint32_t sent, brought, armed, worked, looked;
} fake;

static fake net;
static hy_net_progress *progress;

static uint64_t look(void *context, uint64_t seen)
{
    fake *f = context;
    atomic_fetch_add(&f->looked, 1);
    return seen;
}

static int work(void *context)
{
    fake *f = context;
    uint32_t sent = hy_load_acquire(&f->sent), events = sent - hy_load_relaxed(&f->brought);
    atomic_fetch_add(&f->worked, 1);
    if (events == 0) return 0;
    hy_store_release(&f->brought, sent);
    hy_bell_ring(&f->bell);
    return (int)events;
}

static int arm(void *context, struct pollfd *descriptors)
{
    fake *f = context;
    uint64_t count;
    atomic_fetch_add(&f->armed, 1);
    if (f->refuses) return -1;
    if (!f->lies && read(f->descriptor, &count, sizeof count) < 0) count = 0;
    descriptors[0] = (struct pollfd){.fd = f->descriptor, .events = POLLIN};
    return hy_load_acquire(&f->sent) == hy_load_relaxed(&f->brought) ? 1 : -1;
}

static void set_up(int ms, bool has_descriptors)
{
    const hy_net_duties duties = {.net = &net,
                                  .bell = &net.bell,
                                  .look = look,
                                  .work = work,
                                  .arm = has_descriptors ? arm : NULL};
    net.descriptor = eventfd(0, EFD_NONBLOCK);
    assert_true(net.descriptor >= 0);
    hy_net_progress_ms = ms;
    assert_ok(hy_net_progress_start(&progress, &duties));
}

static void tear_down(void)
{
    hy_net_progress_stop(progress);
    close(net.descriptor);
    memset(&net, 0, sizeof net);
}

static void send_one(void)
{
    const uint64_t one = 1;
    atomic_fetch_add(&net.sent, 1);
    assert_true(write(net.descriptor, &one, sizeof one) == sizeof one);
}

static void lie_down(void)
{
    atomic_fetch_add(&net.bell.sleepers, 1);
    atomic_thread_fence(memory_order_seq_cst);
}

static void get_up(void)
{
    atomic_fetch_sub(&net.bell.sleepers, 1);
}

/* The progress thread looks at nothing by itself, and nobody else lets the network work: what is
 * lost ends in a time-out of the test. */
TEST(should_bring_all_that_comes_while_somebody_sleeps)
{
    unsigned seed = 5;
    set_up(-1, true);
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        bool before = rand_r(&seed) % 2;
        if (before) send_one();
        lie_down();
        assert_true(hy_net_progress_watches(progress));
        for (int i = rand_r(&seed) % 512; i > 0; i--) hy_pause();
        if (!before) send_one();
        while (hy_load_acquire(&net.brought) != round) sched_yield();
        get_up();
    }
    tear_down();
}

TEST(should_leave_the_descriptors_alone_while_nobody_sleeps)
{
    set_up(1, true);
    send_one();
    while (hy_load_acquire(&net.looked) < 5) sched_yield();
    assert_int_equal(net.armed, 0);
    assert_int_equal(net.worked, 0);
    lie_down();
    assert_true(hy_net_progress_watches(progress));
    while (hy_load_acquire(&net.brought) != 1) sched_yield();
    get_up();
    tear_down();
}

TEST(should_look_again_soon_when_it_is_no_time_to_sleep)
{
    net.refuses = true;
    set_up(-1, true);
    lie_down();
    assert_true(hy_net_progress_watches(progress));
    while (hy_load_acquire(&net.worked) < 5) sched_yield();
    get_up();
    tear_down();
}

TEST(should_not_believe_a_descriptor_that_calls_in_vain)
{
    uint32_t armed = 0, worked;
    net.lies = true;
    set_up(-1, true);
    lie_down();
    assert_true(hy_net_progress_watches(progress));
    assert_true(write(net.descriptor, &(uint64_t){1}, 8) == 8);
    do {
        armed = hy_load_acquire(&net.armed);
        worked = hy_load_acquire(&net.worked);
        while (hy_load_acquire(&net.worked) < worked + 3) sched_yield();
    } while (hy_load_acquire(&net.armed) != armed);
    atomic_fetch_add(&net.sent, 1); /* with no word from the descriptor */
    while (hy_load_acquire(&net.brought) != 1) sched_yield();
    while (hy_load_acquire(&net.armed) == armed) sched_yield(); /* it is trusted again */
    get_up();
    tear_down();
}

TEST(should_not_watch_a_network_without_descriptors)
{
    set_up(1, false);
    lie_down();
    assert_false(hy_net_progress_watches(progress));
    while (hy_load_acquire(&net.looked) < 3) sched_yield();
    assert_int_equal(net.worked, 0);
    assert_false(hy_net_progress_watches(NULL));
    get_up();
    tear_down();
}

int main(void)
{
    alarm(300);
    return tests_run();
}
