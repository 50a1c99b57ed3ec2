/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Ranks whose peers are far: nothing of them is mapped, and what is written to them comes late and
 * out of order, as far as path.h allows it (net/fault). */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

static void conform(const char *program, int n, const char *plan, const char *settings)
{
    const char *all = text_of(
        "HAYATE_HEAP=128M HAYATE_TUNING=none HAYATE_NET_LOCAL=fault HAYATE_TEST_FAULT=%s %s", plan,
        settings);
    ranks_must_pass(all, n, program);
}

#define LIGHT "HAYATE_TEST_LIGHT=1" /* of each kind something: for settings beyond the first */

/* What a build with a sanitizer leaves to the plain one. */
static void conform_too(const char *program, int n, const char *plan, const char *settings)
{
    if (!LEVEL_SANITIZED) conform(program, n, plan, settings);
}

TEST(should_carry_messages_to_far_peers)
{
    static const char program[] = "fmpl/conformance_program";
    conform_too(program, 2, "seed=1,delay=0", "");
    conform(program, 2, "seed=2,delay=60", LIGHT " HAYATE_EAGER_LIMIT=56");
    conform(program, 2, "seed=3,delay=80", LIGHT " HAYATE_RENDEZVOUS=pipeline");
    conform_too(program, 3, "seed=4,delay=30", LIGHT " HAYATE_RENDEZVOUS=heap HAYATE_WAIT=block");
    conform_too(program, 4, "seed=5,delay=60", LIGHT " HAYATE_EAGER_LIMIT=65536");
}

TEST(should_carry_messages_to_near_and_far_peers_at_once)
{
    static const char program[] = "fmpl/conformance_program";
    conform_too(program, 3, "seed=6,delay=50,nodes=2", "");
    conform(program, 4, "seed=7,delay=50,nodes=2", LIGHT " HAYATE_RENDEZVOUS=pipeline");
    conform_too(program, 4, "seed=8,delay=50,nodes=3", LIGHT " HAYATE_WAIT=block");
}

TEST(should_put_into_the_heap_of_a_far_receiver_that_waits)
{
    conform("fmpl/push_program", 2, "seed=1,delay=60", "");
    conform_too("fmpl/push_program", 2, "seed=2,delay=0", "HAYATE_WAIT=block");
    conform("fmpl/push_program", 2, "seed=3,delay=30", "HAYATE_TEST_INBOXES=1");
}

TEST(should_put_aside_what_a_far_peer_does_not_receive)
{
    conform("fmpl/sendbuffer_program", 2, "seed=1,delay=50", "HAYATE_HEAP=8M");
    conform("fmpl/sendbuffer_program", 2, "seed=2,delay=50",
            "HAYATE_HEAP=8M HAYATE_RENDEZVOUS=pipeline HAYATE_WAIT=block");
}

TEST(should_let_many_threads_talk_to_far_peers)
{
    conform("fmpl/threads_program", 2, "seed=1,delay=50", "");
    conform("fmpl/threads_program", 3, "seed=2,delay=50,nodes=2", "HAYATE_WAIT=block");
}

TEST(should_run_collectives_of_far_peers)
{
    static const char program[] = "fmpl/collectives_program";
    conform_too(program, 2, "seed=1,delay=50", "");
    conform(program, 3, "seed=2,delay=80", "HAYATE_WAIT=block");
    conform_too(program, 4, "seed=3,delay=50,nodes=2", "HAYATE_EAGER_LIMIT=56");
    conform_too(program, 5, "seed=4,delay=50", "HAYATE_RENDEZVOUS=pipeline");
}

TEST(should_run_persistent_collectives_of_far_peers)
{
    conform_too("pcoll/pcoll_program", 2, "seed=1,delay=30", "");
    conform("pcoll/pcoll_program", 3, "seed=2,delay=30,nodes=2", LIGHT);
    conform_too("pcoll/pcoll_life_program", 2, "seed=3,delay=50", "HAYATE_WAIT=block");
    conform("pcoll/pcoll_life_program", 3, "seed=4,delay=50,nodes=2", "");
}

/* Data go from the root to a member, but the news of them by way of others. */
TEST(should_not_let_a_barrier_overtake_the_data_before_it)
{
    conform("pcoll/pcoll_program bcast", 4, "seed=1,delay=90", LEVEL_SANITIZED ? LIGHT : "");
}

/* By any operation, early ones and late ones. */
TEST(should_end_on_all_sides_when_a_connection_breaks)
{
    for (int i = 0; i < 24; i += LEVEL_SANITIZED ? 5 : 1) {
        const char *plan = text_of("seed=%d,delay=%d,fail=%d,rank=%d", i, i * 11 % 90,
                                   i < 12 ? i + 1 : i * i * 3, i % 2);
        conform("fmpl/far_program", 2 + i % 3 / 2, plan, i % 4 ? "" : "HAYATE_WAIT=block");
    }
}

/* What was sent before is lost as well, and nobody is told but by silence. */
TEST(should_end_on_all_sides_when_a_connection_is_cut)
{
    for (int i = 0; i < 12; i += LEVEL_SANITIZED ? 5 : 1) {
        const char *plan = text_of("seed=%d,delay=%d,drop=%d,rank=%d", i, i * 11 % 90,
                                   i < 6 ? i + 1 : i * i * 5, i % 2);
        conform("fmpl/far_program", 2 + i % 3 / 2, plan, i % 4 ? "" : "HAYATE_WAIT=block");
    }
}

/* As in jobs in which areas for all ranks would not fit: slots are taken at the first message. */
TEST(should_carry_messages_through_inboxes)
{
    static const char program[] = "fmpl/conformance_program";
    conform_too(program, 2, "seed=21,delay=60", "HAYATE_TEST_INBOXES=1");
    conform_too(program, 3, "seed=22,delay=30",
                LIGHT " HAYATE_TEST_INBOXES=1 HAYATE_RENDEZVOUS=pipeline");
    conform(program, 4, "seed=23,delay=50,nodes=2",
            LIGHT " HAYATE_TEST_INBOXES=1 HAYATE_EAGER_LIMIT=56 HAYATE_WAIT=block");
}

/* As in groups of very many members: channels are made when they are used. */
TEST(should_run_collectives_of_large_groups)
{
    static const char program[] = "fmpl/collectives_program";
    conform_too(program, 3, "seed=13,delay=20", "HAYATE_TEST_LARGE_GROUPS=1");
    conform(program, 4, "seed=14,delay=20,nodes=2", "HAYATE_TEST_LARGE_GROUPS=1 HAYATE_WAIT=block");
}

int main(void)
{
    return ranks_tests_run();
}
