/* SPDX-License-Identifier: Apache-2.0 */
/* hydra makes several nodes of this machine: its own word for it is all there is to a node. */
#include "fmpl/ranks_fixture.h"

#include <stdbool.h>
#include <unistd.h>

/* hydra may kill the other processes of a node all the same, but not their children. */
#define SHIELD "sh -c 'setsid \"$0\" \"$@\"; exit $?' "

static ranks_result run(const char *settings, const char *hosts, int n, const char *what)
{
    static ranks_result result;
    char line[1024];
    if (!getenv("HAYATE_TEST_BIN") || system("command -v mpiexec.hydra >/dev/null") != 0) skip();
    snprintf(
        line, sizeof line,
        "exec env LSAN_OPTIONS=detect_leaks=0 HAYATE_HEAP=1M %s timeout -k 5 100 mpiexec.hydra "
        "-disable-auto-cleanup -launcher fork -hosts %s -n %d " SHIELD
        "$HAYATE_TEST_BIN/job/meeting_program %s 2>&1 </dev/null",
        settings, hosts, n, what);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t used = fread(result.output, 1, sizeof result.output - 1, pipe);
    result.output[used] = '\0';
    int status = pclose(pipe);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

static void all_meet(const char *hosts, int n)
{
    ranks_result result = run("", hosts, n, "cards 60");
    if (result.status != 0) fail_msg("%s: exit %d\n%s", hosts, result.status, result.output);
    for (int rank = 0; rank < n; rank++) {
        char text[64];
        snprintf(text, sizeof text, "rank %d of %d has met\n", rank, n);
        if (!strstr(result.output, text))
            fail_msg("%s: no \"%s\" in:\n%s", hosts, text, result.output);
    }
}

static void should_bring_every_card_to_every_rank(void **state)
{
    (void)state;
    all_meet("a:1,b:3", 4);
    all_meet("a,b,c,d,e", 5);
    all_meet("a,b,c", 8); /* ranks 0, 3, 6 and 1, 4, 7 and 2, 5 */
}

/* Waits for ranks that outlive their launcher. */
static void await_text(const char *path, const char *text)
{
    char all[4096];
    for (int i = 0; i < 200; i++) {
        FILE *file = fopen(path, "r");
        size_t used = file ? fread(all, 1, sizeof all - 1, file) : 0;
        all[used] = '\0';
        if (file) fclose(file);
        if (strstr(all, text)) return;
        usleep(50000);
    }
    fail_msg("no \"%s\" in:\n%s", text, all);
}

static void tell_all_of(const char *how, const char *hosts, int n, int victim)
{
    char path[] = "/tmp/meeting-XXXXXX", settings[64], what[32], text[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    snprintf(settings, sizeof settings, "MEETING_OUTPUT=%s", path);
    snprintf(what, sizeof what, "%s 3 %d", how, victim);
    run(settings, hosts, n, what);
    for (int rank = 0; rank < n; rank++) {
        snprintf(text, sizeof text, "rank %d: code -5, peer ", rank);
        if (rank != victim) await_text(path, text);
    }
    unlink(path);
}

/* First ranks of their nodes and others, the node's only one among them. */
static void should_tell_all_ranks_that_one_is_lost(void **state)
{
    (void)state;
    for (int victim = 0; victim < 4; victim += 3) tell_all_of("die", "a:2,b:2", 4, victim);
    tell_all_of("die", "a,b,c,d,e", 5, 2);
    tell_all_of("die", "a,b,c", 8, 3);
}

/* Those of its node, and those that have never talked to it. */
static void should_tell_all_ranks_that_wait_for_nobody_in_particular(void **state)
{
    (void)state;
    for (int victim = 0; victim < 4; victim += 3) tell_all_of("news", "a:2,b:2", 4, victim);
    tell_all_of("news", "a:2,b:2,c:2,d:1", 7, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_bring_every_card_to_every_rank),
        cmocka_unit_test(should_tell_all_ranks_that_one_is_lost),
        cmocka_unit_test(should_tell_all_ranks_that_wait_for_nobody_in_particular),
    };
    ranks_setup();
    return ranks_main(cmocka_run_group_tests(tests, NULL, NULL));
}
