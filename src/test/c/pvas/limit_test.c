/* SPDX-License-Identifier: Apache-2.0 */
/* Spawns where the kernel gives no more memory: errors that say so, and nothing is left of them. */
#include <sys/mman.h>

#include "pvas/maps_fixture.h"

#define FILLER_BYTES (UINT64_C(2) << 30)

/* Takes mappings until the kernel gives no more: pages that are accessible and not, in turn. */
static char *fill_up(size_t *pages)
{
    char *filler = mmap(NULL, FILLER_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                        -1, 0);
    assert_ptr_not_equal(filler, MAP_FAILED);
    for (*pages = 0; *pages < FILLER_BYTES / 8192; ++*pages)
        if (mprotect(filler + 8192 * *pages, 4096, PROT_READ) != 0) return filler;
    munmap(filler, FILLER_BYTES);
    skip_because("vm.max_map_count is so high that it is no limit here");
}

/* Two mappings for each. */
static void give_back(char *filler, size_t *pages, size_t count)
{
    *pages -= count;
    assert_int_equal(mprotect(filler + 8192 * *pages, 8192 * count, PROT_NONE), 0);
}

static bool has_run(int code)
{
    return code == 5 || code == RECLAIMED;
}

TEST(should_say_that_there_are_no_mappings_left)
{
    size_t pages, spawned = 0, refused = 0;
    if (SANITIZED) skip_because("a sanitizer needs mappings itself");
    new_space(2, GIGA);
    const char *name = program("static/life");
    assert_true(has_run(run_once(space, name, "_exit", "5", nowhere)));
    footprint before = footprint_now();
    char *filler = fill_up(&pages);
    for (int i = 0; i < 60; i++) {
        int code = run_once(space, name, "_exit", "5", nowhere);
        if (has_run(code)) spawned++;
        else if (code == HAYATE_ERR_NO_MEMORY && strstr(hayate_error(), "max_map_count")) refused++;
        /* A program that finds no memory later ends as it likes. */
        else if (code < 0 && code > -1000) fail_msg("round %d: %d, %s", i, code, hayate_error());
        give_back(filler, &pages, 1);
    }
    munmap(filler, FILLER_BYTES);
    assert_true(spawned > 0 && refused > 0);
    assert_true(has_run(run_once(space, name, "_exit", "5", nowhere)));
    assert_same_footprint(before, footprint_now());
}

/* Little address space left to the spawner. */
TEST(should_say_that_the_spawner_is_limited)
{
    int fits = 0, refused = 0;
    if (SANITIZED) skip_because("a sanitizer wants all of the address space");
    new_space(1, GIGA); /* or skip */
    for (int megabytes = 20; megabytes <= 6000; megabytes += 230) {
        const char *command = text_of(
            "ulimit -v %d; exec %s/pvas/pvas_spawner_program return 3 %s exit 0 "
            ">/dev/null </dev/null",
            megabytes * 1000, getenv("HAYATE_TEST_BIN"), program("dynamic/life"));
        int status = system(command);
        assert_true(WIFEXITED(status));
        /* 4: NO_MEMORY */
        if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 4)
            fail_msg("%d MB: exit %d", megabytes, WEXITSTATUS(status));
        fits += WEXITSTATUS(status) == 0;
        refused += WEXITSTATUS(status) == 4;
    }
    assert_true(refused > 0); /* the first ones */
    assert_true(fits > 0);    /* the last ones */
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
