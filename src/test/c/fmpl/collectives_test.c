/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives under every way of long messages and way of waiting. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

static void run_all(const char *settings, int n)
{
    ranks_must_pass(settings, n, "fmpl/collectives_program");
}

/* What a build with a sanitizer leaves to the plain one. */
static void run_too(const char *settings, int n)
{
    if (!LEVEL_SANITIZED) run_all(settings, n);
}

TEST(should_conform_alone)
{
    run_all("HAYATE_WAIT=block", 1);
}

TEST(should_conform_on_two_ranks)
{
    run_all("HAYATE_WAIT=adaptive", 2);
    run_too("HAYATE_WAIT=block HAYATE_RENDEZVOUS=pipeline", 2);
    run_too("HAYATE_RENDEZVOUS=cma HAYATE_EAGER_LIMIT=56", 2);
    run_too("HAYATE_RENDEZVOUS=heap HAYATE_EAGER_LIMIT=65536", 2);
}

TEST(should_conform_on_three_to_five_ranks)
{
    run_all("HAYATE_WAIT=block", 3);
    run_all("HAYATE_WAIT=block HAYATE_RENDEZVOUS=cma", 4);
    run_too("HAYATE_RENDEZVOUS=pipeline HAYATE_WAIT=block", 4);
    run_too("HAYATE_WAIT=block", 5);
}

TEST(should_tell_of_lengths_by_messages_gets_and_puts)
{
    static const char *const ways[] = {"transfer=put,buffers=prepared",
                                       "transfer=get,buffers=straight",
                                       "transfer=put,buffers=straight"};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        ranks_must_pass(text_of("HAYATE_COLL=%s", ways[i]), 2,
                        "fmpl/collectives_program should_name_the_bytes_of_blocks_that_differ");
    }
}

/* As in groups of very many members: channels are made when they are used. */
TEST(should_conform_in_large_groups)
{
    run_all("HAYATE_TEST_LARGE_GROUPS=1 HAYATE_WAIT=block", 4);
}

TEST(should_conform_as_tasks_of_one_address_space)
{
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 2, "fmpl/collectives_program");
    ranks_must_pass_as_tasks("HAYATE_RENDEZVOUS=direct", 3, "fmpl/collectives_program");
    ranks_must_pass_as_tasks("HAYATE_WAIT=block", 4, "fmpl/collectives_program");
}

int main(void)
{
    return ranks_tests_run();
}
