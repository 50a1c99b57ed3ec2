/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replays a fuzz target (src/test/fuzz) without libFuzzer, so that it compiles and holds with every
 * change: its seeds, and changes of them that are the same each time. A target that finds something
 * aborts.
 */
#ifndef HY_TEST_FUZZ_REPLAY_H
#define HY_TEST_FUZZ_REPLAY_H

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random_fixture.h"

#define REPLAY_MOST 4096
#define REPLAY_CHANGED 300 /* of each seed */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct replay_input {
    uint8_t bytes[REPLAY_MOST];
    size_t size;
} replay_input;

/* A target may include a file of which another copy is linked. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_odr_violation=0";
}

static const char *replay_folder;
static uint64_t replay_random = 88172645463325252u;

static uint64_t replay_draw(uint64_t below)
{
    return random_below(&replay_random, below);
}

/* In memory of its own size, so that a sanitizer sees a read behind its end. */
static void replay_run(const replay_input *input)
{
    uint8_t *copy = malloc(input->size + (input->size == 0));
    assert_non_null(copy);
    memcpy(copy, input->bytes, input->size);
    assert_int_equal(LLVMFuzzerTestOneInput(copy, input->size), 0);
    free(copy);
}

static void replay_change(replay_input *input)
{
    static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0xff, '\n', '"', '0'};
    size_t at = input->size ? replay_draw(input->size) : 0;
    switch (replay_draw(5)) {
    case 0: input->bytes[at] ^= (uint8_t)(1u << replay_draw(8)); break;
    case 1: input->bytes[at] = odd[replay_draw(sizeof odd)]; break;
    case 2: input->size = at; break;
    case 3: /* a byte less */
        if (input->size) memmove(input->bytes + at, input->bytes + at + 1, --input->size - at);
        break;
    default: { /* a piece twice */
        size_t more = replay_draw(16), room = REPLAY_MOST - input->size;
        if (more > input->size - at) more = input->size - at;
        if (more > room) more = room;
        memmove(input->bytes + at + more, input->bytes + at, input->size - at);
        input->size += more;
    }
    }
}

static bool replay_read(const char *name, replay_input *input)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", replay_folder, name);
    FILE *file = *name == '.' ? NULL : fopen(path, "rb");
    if (!file) return false;
    input->size = fread(input->bytes, 1, sizeof input->bytes, file);
    fclose(file);
    return true;
}

static void replay_changed(const replay_input *seed)
{
    for (int i = 0; i < REPLAY_CHANGED; i++) {
        replay_input input = *seed;
        for (uint64_t n = 1 + replay_draw(8); n > 0; n--) replay_change(&input);
        replay_run(&input);
    }
}

static void should_hold_for_its_seeds_and_changes_of_them(void **state)
{
    (void)state;
    const struct dirent *entry;
    replay_input seed;
    int seeds = 0;
    DIR *folder = opendir(replay_folder);
    if (!folder) fail_msg("no folder %s", replay_folder);
    while ((entry = readdir(folder))) {
        if (!replay_read(entry->d_name, &seed)) continue;
        seeds++;
        replay_run(&seed);
        replay_changed(&seed);
    }
    closedir(folder);
    assert_true(seeds > 0);
}

/* The targets look at settings as a process would that has none. */
static int replay_main(const char *folder)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_hold_for_its_seeds_and_changes_of_them),
    };
    replay_folder = folder;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
