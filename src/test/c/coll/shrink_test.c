/* SPDX-License-Identifier: Apache-2.0 */
/* Deaths of processes at chosen moments, after which the others shrink their communicator and go
 * on: nobody hangs, and nobody who lives is left out. */
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

static int count_of(const char *text, const char *word)
{
    int count = 0;
    while ((text = strstr(text, word))) count++, text++;
    return count;
}

/* Every rank was killed by the program's plan, or went on until the end of its work. */
static void must_go_on(const char *settings, int n, uint64_t seed)
{
    ranks_result result = ranks_run(
        settings, text_of("--survive -n %d $HAYATE_TEST_BIN/coll/shrink_program %llu", n,
                          (unsigned long long)seed));
    int dead = count_of(result.output, ") was killed by signal"),
        alive = count_of(result.output, " went on with ");
    if (result.status != 0 || dead + alive != n || strstr(result.output, "FAILED"))
        fail_msg("%s, %d ranks, seed %llu: exit %d, %d dead, %d alive\n%s", settings, n,
                 (unsigned long long)seed, result.status, dead, alive, result.output);
}

static uint64_t runs(void)
{
    return level_is_long() ? 1000 : LEVEL_SANITIZED ? 5 : 20;
}

TEST(should_go_on_after_deaths_at_any_moment)
{
    for (uint64_t seed = 1; seed <= runs(); seed++)
        must_go_on(text_of("HAYATE_HEAP=16M HAYATE_TUNING=none HAYATE_WAIT=%s",
                           seed % 3 ? "adaptive" : "block"),
                   2 + (int)(seed % 7), seed);
}

TEST(should_go_on_among_ranks_that_are_far)
{
    for (uint64_t seed = 1; seed <= runs() / 4; seed++)
        must_go_on(text_of("HAYATE_HEAP=16M HAYATE_TUNING=none HAYATE_NET_LOCAL=fault "
                           "HAYATE_TEST_FAULT=seed=%llu,delay=30%s",
                           (unsigned long long)seed, seed % 2 ? "" : ",nodes=2"),
                   3 + (int)(seed % 4), 1000 + seed);
}

int main(void)
{
    return ranks_tests_run();
}
