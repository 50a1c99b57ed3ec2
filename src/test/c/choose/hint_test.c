/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
#include <pthread.h>
#include <string.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "base/file_fixture.h"
#include "base/status.h"
#include "choose/hint.h"

#define THREADS 8

static const hy_shape allreduce = {
    .coll = HY_COLL_ALLREDUCE, .size = 6, .bytes = 4096, .unit = 8, .wired = true};
static const hy_shape bcast = {
    .coll = HY_COLL_BCAST, .size = 6, .bytes = 4096, .unit = 1, .wired = true};

static hy_hint hint_of(const char *text)
{
    hy_hint hint;
    assert_ok(hy_hint_parse(text, "here", &hint));
    return hint;
}

static void assert_hint(const hy_hint *hint, const char *text)
{
    hy_hint expected = hint_of(text);
    assert_string_equal(hint->algorithm, expected.algorithm);
    assert_int_equal(hint->way.transfer, expected.way.transfer);
    assert_int_equal(hint->way.buffers, expected.way.buffers);
    assert_int_equal(hint->way.sync, expected.way.sync);
    assert_int_equal(hint->way.arity, expected.way.arity);
    assert_int_equal(hint->way.segment, expected.way.segment);
    assert_int_equal(hint->progress, expected.progress);
}

static int clear_environment(void **state)
{
    (void)state;
    unsetenv("HAYATE_COLL");
    unsetenv("HAYATE_COLL_ALLREDUCE");
    unsetenv("HAYATE_COLL_REDUCE_SCATTER");
    unsetenv("HAYATE_COLL_RULES");
    unsetenv("HAYATE_LOG");
    return 0;
}

/* ---- text ---- */

TEST(should_understand_every_word)
{
    hy_hint w = hint_of(" algorithm=ring,transfer=get buffers=prepared\tsync=counters ,, "
                        "segment=32K arity=64 progress=thread\n");
    assert_string_equal(w.algorithm, "ring");
    assert_int_equal(w.way.transfer, HY_TRANSFER_GET);
    assert_int_equal(w.way.buffers, HY_BUFFERS_PREPARED);
    assert_int_equal(w.way.sync, HY_SYNC_COUNTERS);
    assert_int_equal(w.way.segment, 32768);
    assert_int_equal(w.way.arity, 64);
    assert_int_equal(w.progress, HY_PROGRESS_THREAD);
    w = hint_of("transfer=put buffers=straight sync=barrier segment=none arity=2 progress=caller");
    assert_int_equal(w.way.transfer, HY_TRANSFER_PUT);
    assert_int_equal(w.way.buffers, HY_BUFFERS_STRAIGHT);
    assert_int_equal(w.way.sync, HY_SYNC_BARRIER);
    assert_true(w.way.segment == HY_SEGMENT_NONE);
    assert_int_equal(w.way.arity, 2);
    assert_int_equal(w.progress, HY_PROGRESS_CALLER);
    assert_int_equal(hint_of("progress=calls").progress, HY_PROGRESS_CALLS);
    assert_int_equal(hint_of("segment=9223372036854775807").way.segment, INT64_MAX);
    w = hint_of("algorithm=abcdefghijklmnopqrstuvwxyz_0123");
    assert_string_equal(w.algorithm, "abcdefghijklmnopqrstuvwxyz_0123");
}

TEST(should_leave_open_what_is_auto_or_not_named)
{
    static const hy_hint open;
    static const char *const texts[] = {
        "", " ", ",",
        "algorithm=auto transfer=auto buffers=auto sync=auto segment=auto arity=auto "
        "progress=auto"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        hy_hint hint = hint_of(texts[i]);
        assert_memory_equal(&hint, &open, sizeof open);
    }
}

TEST(should_refuse_what_it_does_not_understand_and_say_what_it_would)
{
#define KEYS "expected one of algorithm, transfer, buffers, sync, segment, arity, progress, choice"
#define SEGMENT "expected a size of at least 1 byte such as 32K, or none, or auto"
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"ring", "here: \"ring\": expected key=value, such as algorithm=ring"},
        {"segment =32K", "here: \"segment\": expected key=value, such as algorithm=ring"},
        {"=", "here: \"\" is unknown: " KEYS},
        {"colour=red", "here: \"colour\" is unknown: " KEYS},
        {"Algorithm=ring", "here: \"Algorithm\" is unknown: " KEYS},
        {"algorithm=", "here: algorithm=: expected a name such as ring, or auto"},
        {"algorithm=Ring", "here: algorithm=Ring: expected a name such as ring, or auto"},
        {"algorithm=a;b", "here: algorithm=a;b: expected a name such as ring, or auto"},
        {"algorithm=ring\x1b[0m",
         "here: algorithm=ring?[0m: expected a name such as ring, or auto"},
        {"algorithm=abcdefghijklmnopqrstuvwxyz_01234",
         "here: algorithm=abcdefghijklmnopqrstuvwxyz_01234: expected a name such as ring, or auto"},
        {"arity=4 transfer=push", "here: transfer=push: expected one of auto, put, get"},
        {"transfer=", "here: transfer=: expected one of auto, put, get"},
        {"buffers=1", "here: buffers=1: expected one of auto, straight, prepared"},
        {"sync=counter", "here: sync=counter: expected one of auto, counters, barrier"},
        {"progress=Thread",
         "here: progress=Thread: expected one of auto, caller, calls, thread, delegated"},
        {"segment=0", "here: segment=0: " SEGMENT},
        {"segment=-1", "here: segment=-1: " SEGMENT},
        {"segment=32KB", "here: segment=32KB: " SEGMENT},
        {"segment=9223372036854775808", "here: segment=9223372036854775808: " SEGMENT},
        {"segment=18446744073709551615", "here: segment=18446744073709551615: " SEGMENT},
        {"arity=1", "here: arity=1: expected a number from 2 to 64, or auto"},
        {"arity=65", "here: arity=65: expected a number from 2 to 64, or auto"},
        {"arity=", "here: arity=: expected a number from 2 to 64, or auto"},
        {"arity=+4", "here: arity=+4: expected a number from 2 to 64, or auto"},
        {"arity=4294967298", "here: arity=4294967298: expected a number from 2 to 64, or auto"},
        {"arity=2,arity=4", "here: arity is given twice, expected once"},
        {"arity=auto arity=auto", "here: arity is given twice, expected once"},
    };
    static const hy_hint open;
    for (size_t i = 0; i < COUNT(bad); i++) {
        hy_hint hint = {.progress = 77};
        if (hy_hint_parse(bad[i].text, "here", &hint) != HAYATE_ERR_ARGUMENT)
            fail_msg("was taken: %s", bad[i].text);
        assert_string_equal(hayate_error(), bad[i].reason);
        assert_memory_equal(&hint, &open, sizeof open);
    }
}

TEST(should_survive_text_of_any_length)
{
    static char text[100000];
    static const char *const heads[] = {"", "algorithm=", "segment=", "arity=", "progress="};
    for (size_t i = 0; i < COUNT(heads); i++) {
        hy_hint hint;
        memset(text, '1', sizeof text - 1);
        memcpy(text, heads[i], strlen(heads[i]));
        assert_code(hy_hint_parse(text, "here", &hint), HAYATE_ERR_ARGUMENT);
    }
}

TEST(should_name_the_ways_of_progress)
{
    assert_string_equal(hy_progress_name(HY_PROGRESS_AUTO), "auto");
    assert_string_equal(hy_progress_name(HY_PROGRESS_CALLER), "caller");
    assert_string_equal(hy_progress_name(HY_PROGRESS_CALLS), "calls");
    assert_string_equal(hy_progress_name(HY_PROGRESS_THREAD), "thread");
    assert_string_equal(hy_progress_name(HY_PROGRESS_DELEGATED), "delegated");
    assert_string_equal(hy_progress_name(HY_PROGRESS_DELEGATED + 1), "unknown");
    assert_string_equal(hy_progress_name(-1), "unknown");
}

/* ---- strength ---- */

TEST(should_fill_only_what_is_open)
{
    hy_hint hint = hint_of("transfer=get segment=8K"), weaker = hint_of("transfer=put arity=8");
    hy_hint weakest = hint_of("algorithm=ring segment=1K arity=2 sync=barrier progress=calls");
    hy_hint_weaken(&hint, &weaker);
    assert_hint(&hint, "transfer=get segment=8K arity=8");
    hy_hint_weaken(&hint, &weakest);
    assert_hint(&hint, "algorithm=ring transfer=get segment=8K arity=8 sync=barrier "
                       "progress=calls");
}

TEST(should_not_mix_an_algorithm_with_what_was_hinted_for_another)
{
    hy_hint hint = hint_of("algorithm=binomial");
    hy_hint weaker = hint_of("algorithm=ring transfer=get segment=8K progress=thread");
    hy_hint_weaken(&hint, &weaker);
    assert_hint(&hint, "algorithm=binomial progress=thread");
}

static hy_hint gather(const char *property, const char *rules, const char *api)
{
    hy_hint hint, from_api;
    if (api) from_api = hint_of(api);
    assert_ok(hy_hint_gather(&allreduce, property, rules, api ? &from_api : NULL, &hint));
    return hint;
}

/* Takes away the strongest place each time; the next one must show. */
TEST_WITH(should_take_the_places_in_the_order_of_their_strength, clear_environment, NULL)
{
    write_text("order.conf", "* = arity=5 segment=4K sync=barrier\n");
    setenv("HAYATE_COLL_ALLREDUCE", "arity=2", 1);
    setenv("HAYATE_COLL", "arity=3 transfer=put", 1);
    const char *property = "arity=4,transfer=get,buffers=straight";
    const char *api = "arity=6 segment=8K progress=calls algorithm=auto";
    hy_hint hint = gather(property, "order.conf", api);
    assert_hint(&hint, "arity=2 transfer=put buffers=straight segment=4K sync=barrier "
                       "progress=calls");
    unsetenv("HAYATE_COLL_ALLREDUCE");
    hint = gather(property, "order.conf", api);
    assert_hint(&hint, "arity=3 transfer=put buffers=straight segment=4K sync=barrier "
                       "progress=calls");
    setenv("HAYATE_COLL", "", 1); /* as good as unset */
    hint = gather(property, "order.conf", api);
    assert_hint(&hint, "arity=4 transfer=get buffers=straight segment=4K sync=barrier "
                       "progress=calls");
    hint = gather(NULL, "order.conf", api);
    assert_hint(&hint, "arity=5 segment=4K sync=barrier progress=calls");
    hint = gather(NULL, NULL, api);
    assert_hint(&hint, "arity=6 segment=8K progress=calls");
    hint = gather(NULL, NULL, NULL);
    assert_hint(&hint, "");
}

TEST_WITH(should_read_the_variable_of_its_own_collective_only, clear_environment, NULL)
{
    hy_shape shape = allreduce;
    hy_hint hint;
    setenv("HAYATE_COLL_REDUCE_SCATTER", "arity=9", 1);
    hint = gather(NULL, NULL, NULL);
    assert_hint(&hint, "");
    shape.coll = HY_COLL_REDUCE_SCATTER;
    assert_ok(hy_hint_gather(&shape, NULL, NULL, NULL, &hint));
    assert_hint(&hint, "arity=9");
}

TEST_WITH(should_prefer_the_environment_rules_file, clear_environment, NULL)
{
    write_text("env.conf", "* = arity=7\n");
    write_text("property.conf", "* = arity=8\n");
    hy_hint hint = gather(NULL, "property.conf", NULL);
    assert_hint(&hint, "arity=8");
    setenv("HAYATE_COLL_RULES", "env.conf", 1);
    hint = gather(NULL, "property.conf", NULL);
    assert_hint(&hint, "arity=7");
}

TEST_WITH(should_name_the_place_of_a_wrong_hint, clear_environment, NULL)
{
    hy_hint hint, api = {.way.transfer = 3};
    static const hy_hint open;
    setenv("HAYATE_COLL", "arity=x", 1);
    assert_refused(hy_hint_gather(&allreduce, NULL, NULL, NULL, &hint), HAYATE_ERR_ARGUMENT,
                   "HAYATE_COLL: arity=x: expected a number from 2 to 64, or auto");
    setenv("HAYATE_COLL_ALLREDUCE", "arity=y", 1);
    assert_refused(hy_hint_gather(&allreduce, NULL, NULL, NULL, &hint), HAYATE_ERR_ARGUMENT,
                   "HAYATE_COLL_ALLREDUCE: arity=y: expected a number from 2 to 64, or auto");
    clear_environment(NULL);
    setenv("HAYATE_COLL_ALLREDUCE", "arity=3", 1);
    assert_refused(hy_hint_gather(&allreduce, "arity=z", NULL, NULL, &hint), HAYATE_ERR_ARGUMENT,
                   "system property hayate.coll or one below it: arity=z: expected a number");
    assert_code(hy_hint_gather(&allreduce, NULL, NULL, &api, &hint), HAYATE_ERR_ARGUMENT);
    assert_memory_equal(&hint, &open, sizeof open);
}

TEST_WITH(should_refuse_a_hint_of_the_program_that_no_text_could_make, clear_environment, NULL)
{
    hy_hint bad[] = {{.way.transfer = 3},  {.way.buffers = 3}, {.way.sync = 3},
                     {.way.arity = 1},     {.way.arity = 65},  {.way.segment = UINT64_MAX - 1},
                     {.progress = 5},      {.choice = 3},      {.algorithm = "Ring"},
                     {.algorithm = "a b"}, {.algorithm = "a"}};
    memset(bad[COUNT(bad) - 1].algorithm, 'a', sizeof bad->algorithm); /* without an end */
    for (size_t i = 0; i < COUNT(bad); i++) {
        hy_hint hint;
        assert_code(hy_hint_gather(&allreduce, NULL, NULL, &bad[i], &hint), HAYATE_ERR_ARGUMENT);
    }
}

/* ---- the rules file ---- */

TEST_WITH(should_read_a_rules_file_once, clear_environment, NULL)
{
    write_text("once.conf", "* = arity=7\n");
    hy_hint hint = gather(NULL, "once.conf", NULL);
    assert_hint(&hint, "arity=7");
    write_text("once.conf", "* = arity=8\n");
    hint = gather(NULL, "once.conf", NULL);
    assert_hint(&hint, "arity=7");
    assert_int_equal(unlink("once.conf"), 0);
    hint = gather(NULL, "once.conf", NULL);
    assert_hint(&hint, "arity=7");
}

TEST_WITH(should_log_a_damaged_rules_file_once_and_take_it_for_empty, clear_environment, NULL)
{
    write_text("damaged.conf", "\n* = arity=x\n");
    log_begin();
    hy_hint first = gather(NULL, "damaged.conf", "arity=6");
    hy_hint second = gather(NULL, "damaged.conf", "arity=6");
    gather(NULL, "absent.conf", NULL);
    const char *log = log_end();
    assert_hint(&first, "arity=6");
    assert_hint(&second, "arity=6");
    assert_int_equal(occurrences(log, "damaged.conf:2: \"*\": arity=x: expected a number from 2 "
                                      "to 64, or auto; this rules file is not used\n"),
                     1);
    assert_int_equal(occurrences(log, "absent.conf: cannot be opened: No such file"), 1);
    assert_int_equal(occurrences(log, "\n"), 2);
}

static void *gather_all(void *argument)
{
    for (int i = 0; i < 20; i++) {
        hy_hint hint;
        if (hy_hint_gather(&allreduce, NULL, i % 2 ? "bad.conf" : "good.conf", NULL, &hint) != 0 ||
            hint.way.arity != (i % 2 ? 0 : 9))
            return argument;
    }
    return NULL;
}

TEST_WITH(should_load_a_rules_file_once_for_many_threads, clear_environment, NULL)
{
    pthread_t threads[THREADS];
    write_text("good.conf", "* = arity=9\n");
    write_text("bad.conf", "rules\n");
    log_begin();
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, gather_all, &threads), 0);
    int wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        wrong += result != NULL;
    }
    assert_int_equal(occurrences(log_end(), "\n"), 1);
    assert_int_equal(wrong, 0);
}

/* ---- algorithms ---- */

TEST(should_find_the_algorithm_of_its_collective)
{
    const hy_algorithm *ring, *other = (const hy_algorithm *)&bcast;
    hy_hint hint = hint_of("algorithm=ring");
    assert_ok(hy_hint_algorithm(&hint, &allreduce, &ring));
    assert_int_equal(ring->coll, HY_COLL_ALLREDUCE);
    assert_string_equal(ring->name, "ring");
    assert_ok(hy_hint_algorithm(&hint, &bcast, &other));
    assert_int_equal(other->coll, HY_COLL_BCAST);
    hint = hint_of("segment=1K");
    assert_ok(hy_hint_algorithm(&hint, &bcast, &other));
    assert_null(other);
}

TEST(should_name_the_algorithms_there_are)
{
    const hy_algorithm *algorithm;
    hy_hint hint = hint_of("algorithm=rnig");
    assert_code(hy_hint_algorithm(&hint, &bcast, &algorithm), HAYATE_ERR_ARGUMENT);
    assert_null(algorithm);
    static const char *const parts[] = {
        "bcast has no algorithm \"rnig\"; expected, for 6 ranks, one of ", "linear", "binomial",
        "ring"};
    for (size_t i = 0; i < COUNT(parts); i++) assert_non_null(strstr(hayate_error(), parts[i]));
    assert_null(strstr(hayate_error(), "recursive_doubling"));
    hint = hint_of("algorithm=recursive_doubling");
    assert_ok(hy_hint_algorithm(&hint, &allreduce, &algorithm));
    assert_code(hy_hint_algorithm(&hint, &bcast, &algorithm), HAYATE_ERR_ARGUMENT);
}

/* Whichever algorithms have needs: they are named for what fits, and never offered otherwise. */
TEST(should_refuse_every_algorithm_that_does_not_fit)
{
    int refused = 0;
    for (const hy_algorithm *const *a = hy_algorithms; *a; a++) {
        hy_shape shape = {.coll = (*a)->coll, .size = 6, .bytes = 48, .unit = 8, .wired = true};
        for (int uneven = 0; uneven < 2; uneven++) {
            const hy_algorithm *algorithm;
            char able[256];
            bool fits = (*a)->applies(&shape) && !(uneven && !((*a)->traits & HY_TRAIT_UNEVEN));
            shape.uneven = uneven;
            hy_hint hint = hint_of(text_of("algorithm=%s", (*a)->name));
            int rc = hy_hint_algorithm(&hint, &shape, &algorithm);
            assert_int_equal(rc, fits ? HAYATE_OK : HAYATE_ERR_ARGUMENT);
            assert_true(algorithm == (fits ? *a : NULL));
            if (fits) continue;
            refused++;
            hy_hint_algorithms((*a)->coll, &shape, able, sizeof able);
            assert_non_null(strstr(hayate_error(), (*a)->name));
            assert_non_null(strstr(hayate_error(), able));
            assert_non_null(strstr(
                hayate_error(), !(*a)->applies(&shape) ? (*a)->needs : "blocks of equal length"));
        }
    }
    assert_true(refused > 0);
}

TEST(should_list_algorithms_in_any_room)
{
    char whole[256], text[256];
    hy_hint_algorithms(HY_COLL_BCAST, NULL, whole, sizeof whole);
    for (size_t size = 1; size < strlen(whole) + 1; size++) {
        memset(text, 'x', sizeof text);
        hy_hint_algorithms(HY_COLL_BCAST, NULL, text, size);
        assert_int_equal(strlen(text), size - 1);
        assert_int_equal(strncmp(text, whole, size - 1), 0);
    }
}

int main(void)
{
    return tests_run_in(enter_directory, leave_directory);
}
