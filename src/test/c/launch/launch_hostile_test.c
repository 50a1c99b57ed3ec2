/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* A rank, or another process, writes hostile words into the segment: nobody crashes, and the
 * launcher ends. */
#include "base/test.h"
#include "base/level_fixture.h"
#include "fmpl/ranks_fixture.h"

#define SEEDS (LEVEL_SANITIZED ? 12 : 48)
#define STORMS (LEVEL_SANITIZED ? 16 : 64)
#define AT_ONCE 4

/* Signals of crashes, of a rank or of the delegatee, as the launcher reports them. */
static bool tells_of_a_crash(const char *output)
{
    static const char *const signals[] = {"signal 4",         "signal 5",     "signal 6",
                                          "signal 7",         "signal 8",     "signal 11",
                                          "AddressSanitizer", "runtime error"};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (strstr(output, signals[i])) return true;
    return false;
}

static void run_all(const char *program, int seeds, const char *options)
{
    char command[400];
    FILE *jobs[AT_ONCE];
    if (!getenv("HAYATE_RUN") || !getenv("HAYATE_TEST_BIN")) skip();
    for (int seed = 0; seed < level_seeds(seeds); seed += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++) {
            snprintf(command, sizeof command,
                     "exec </dev/null env LSAN_OPTIONS=detect_leaks=0 HAYATE_HEAP=16M "
                     "timeout -s INT -k 5 120 $HAYATE_RUN %s -n 2 -- "
                     "$HAYATE_TEST_BIN/launch/%s %d 2>&1",
                     options, program, seed + i);
            jobs[i] = ranks_start(command);
        }
        for (int i = 0; i < AT_ONCE; i++) {
            ranks_result result = ranks_finish(jobs[i]);
            if (result.status >= 124 || result.status == 99 || tells_of_a_crash(result.output))
                fail_msg("seed %d%s: status %d: %s", seed + i, options, result.status,
                         result.output);
        }
    }
}

TEST(should_survive_a_hostile_word)
{
    run_all("hostile_program", SEEDS, "");
}

TEST(should_survive_a_hostile_word_with_a_delegatee)
{
    run_all("hostile_program", SEEDS, "--delegate");
}

TEST(should_survive_a_storm_of_hostile_words)
{
    run_all("storm_program", STORMS, "");
}

int main(void)
{
    return tests_run();
}
