/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* Memory by name: who exports, who finds it and when, and plain loads and stores of it. */
#include <pthread.h>

#include "pvas/pvas_fixture.h"

#define BYTES (1 << 20) /* of an export of sharing_task.c */

static unsigned char own[4096];

static unsigned char *import(task *t, const char *name)
{
    void *memory = NULL;
    size_t bytes = 0;
    assert_ok(pvas_import(space, t->number, name, PATIENCE_MS, &memory, &bytes));
    assert_int_equal(bytes, BYTES);
    return memory;
}

static int look(task *t, const char *name)
{
    void *memory;
    size_t bytes;
    return pvas_import(space, t->number, name, 0, &memory, &bytes);
}

static int look_until_it_ends(task *t, const char *name)
{
    void *memory;
    size_t bytes;
    return pvas_import(space, t->number, name, PATIENCE_MS, &memory, &bytes);
}

static void assert_filled(const unsigned char *memory, size_t bytes, int fill)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != fill) fail_msg("byte %zu is %d, not %d", i, memory[i], fill);
}

TEST(should_read_and_write_the_memory_of_a_task)
{
    new_space(4, GIGA);
    task *t = START("dynamic/sharing", "export", "x", "55");
    unsigned char *memory = import(t, "x");
    assert_filled(memory, BYTES, 55);
    memory[0] = 56; /* the task exits with what it finds there */
    assert_exit(t, 56);
    assert_filled(memory + 1, BYTES - 1, 55); /* and leaves its memory until the reclaim */
    reclaim(t);
}

TEST(should_wait_for_an_export)
{
    void *memory;
    size_t bytes;
    new_space(1, GIGA);
    task *t = START("dynamic/sharing", "export", "x", "7", "late");
    task_await(t, "ready");
    assert_code(look(t, "x"), HAYATE_IN_PROGRESS);
    int64_t start = now_ms();
    assert_code(pvas_import(space, t->number, "x", 60, &memory, &bytes), HAYATE_IN_PROGRESS);
    assert_in_range(now_ms() - start, 59, 59 + 5000);
    task_tell(t, "\n");
    assert_filled(import(t, "x"), BYTES, 7);
    assert_code(look(t, "y"), HAYATE_IN_PROGRESS);
    assert_code(look(t, "x "), HAYATE_IN_PROGRESS);
    assert_exit(t, 0);
}

static task *importee;

static void *import_in_a_thread(void *argument)
{
    (void)argument;
    void *memory;
    size_t bytes;
    return (void *)(intptr_t)pvas_import(space, importee->number, "x", PATIENCE_MS, &memory,
                                         &bytes);
}

/* Threads that already wait hear of the export, and of the death. */
TEST(should_wake_those_who_wait_for_an_export)
{
    pthread_t threads[4];
    void *code;
    new_space(1, GIGA);
    for (int dies = 0; dies < 2; dies++) {
        importee = START("dynamic/sharing", "export", "x", "7", "late");
        task_await(importee, "ready");
        for (int i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, import_in_a_thread, NULL), 0);
        int64_t start = now_ms();
        if (dies) assert_ok(pvas_kill(space, importee->number, SIGKILL));
        else task_tell(importee, "\n");
        for (int i = 0; i < 4; i++) {
            assert_int_equal(pthread_join(threads[i], &code), 0);
            assert_int_equal((intptr_t)code, dies ? HAYATE_ERR_PEER_FAILED : HAYATE_OK);
        }
        assert_in_range(now_ms() - start, 0, 5000);
        task_end(importee);
        reclaim(importee);
    }
}

TEST(should_say_that_a_task_ended_without_it)
{
    new_space(2, GIGA);
    task *t = START("dynamic/life", "exit", "0"); /* which knows of no exports */
    void *memory;
    size_t bytes;
    assert_refused(pvas_import(space, t->number, "x", PATIENCE_MS, &memory, &bytes),
                   HAYATE_ERR_PEER_FAILED, "");
    assert_exit(t, 0);
    assert_refused(look(t, "x"), HAYATE_ERR_PEER_FAILED, "");
}

TEST(should_find_what_a_task_exported_before_it_ended)
{
    new_space(1, GIGA);
    for (int i = 0; i < 20; i++) {
        task *t = START("dynamic/sharing", "export-and-end", "left", "9");
        if (i % 2) assert_exit(t, 3);
        assert_filled(import(t, "left"), BYTES, 9);
        assert_exit(t, 3);
        assert_code(look(t, "else"), HAYATE_ERR_PEER_FAILED);
        reclaim(t);
        assert_code(look(t, "left"), HAYATE_ERR_ARGUMENT);
        t = START("dynamic/sharing", "export", "x", "1"); /* in the same place */
        task_await(t, "exported");
        assert_code(look(t, "left"), HAYATE_IN_PROGRESS);
        assert_exit(t, 0);
        reclaim(t);
    }
}

/* More often than a task has names: what of a name is left when it goes is no name of the next one.
 * Names of three words, of which the first alone must not count. */
TEST(should_use_the_places_of_names_again)
{
    char before[PVAS_NAME_MAX + 1] = "";
    new_space(1, GIGA);
    for (int i = 0; i < 200; i++) {
        const char *name = text_of("twenty bytes all %03d", i);
        assert_int_equal(strlen(name), 20);
        task *t = START("dynamic/sharing", "export-and-end", name, "9");
        if (before[0]) assert_code(look_until_it_ends(t, before), HAYATE_ERR_PEER_FAILED);
        assert_filled(import(t, name), BYTES, 9);
        assert_exit(t, 3);
        assert_code(look(t, "twenty bytes all"), HAYATE_ERR_PEER_FAILED);
        reclaim(t);
        strcpy(before, name);
    }
}

TEST(should_replace_an_export_and_take_it_back)
{
    void *memory;
    size_t bytes;
    new_space(1, GIGA);
    task *t = START("dynamic/sharing", "replace");
    task_await(t, "first");
    unsigned char *first = import(t, "x");
    assert_filled(first, BYTES, 1);
    task_tell(t, "\n");
    task_await(t, "second");
    assert_ok(pvas_import(space, t->number, "x", 0, &memory, &bytes));
    assert_ptr_not_equal(memory, first);
    assert_int_equal(bytes, BYTES / 2);
    assert_filled(memory, bytes, 2);
    task_tell(t, "\n");
    task_await(t, "third");
    assert_code(look(t, "x"), HAYATE_IN_PROGRESS);
    task_tell(t, "\n");
    task_await(t, "fourth");
    assert_ok(pvas_import(space, t->number, "x", 0, &memory, &bytes));
    assert_ptr_equal(memory, first);
    assert_int_equal(bytes, 1);
    assert_exit(t, 0);
}

TEST(should_export_as_many_names_as_promised)
{
    char name[PVAS_NAME_MAX + 1];
    new_space(2, GIGA);
    task *t = START("dynamic/sharing", "names"), *other = START("dynamic/sharing", "names");
    task_await(t, "ready");
    task_await(other, "ready"); /* each task has names of its own */
    memset(name, 'n', PVAS_NAME_MAX);
    name[PVAS_NAME_MAX] = '\0';
    assert_ok(look(t, name));
    assert_ok(look(t, "name 1"));
    assert_ok(look(t, "name 127"));
    assert_code(look(t, "name 128"), HAYATE_IN_PROGRESS);
    assert_exit(t, 0);
    assert_exit(other, 0);
}

TEST(should_refuse_names_that_cannot_be)
{
    char name[PVAS_NAME_MAX + 2];
    void *memory;
    size_t bytes;
    new_space(1, GIGA);
    task *t = START("dynamic/life", "wait");
    memset(name, 'n', PVAS_NAME_MAX + 1);
    name[PVAS_NAME_MAX + 1] = '\0';
    const char *const wrong[] = {name, "", NULL};
    for (int i = 0; i < 3; i++) {
        assert_refused(pvas_import(space, t->number, wrong[i], 0, &memory, &bytes),
                       HAYATE_ERR_ARGUMENT, "");
        assert_refused(pvas_export(space, wrong[i], own, 1), HAYATE_ERR_ARGUMENT, "");
    }
    assert_exit(t, 0);
}

TEST(should_refuse_to_export_what_is_not_in_its_partition)
{
    new_space(1, GIGA);
    assert_exit(START("dynamic/sharing", "foreign"), 0);
}

static unsigned long sum_told(task *t, const char *line)
{
    unsigned long sum = 0;
    int code = -99;
    t->used = 0;
    memset(t->out, 0, sizeof t->out);
    task_tell(t, line);
    task_await(t, ".\n");
    assert_int_equal(sscanf(t->out, "code %d sum %lu.", &code, &sum), 2);
    if (code != 0) fail_msg("%s: code %d", line, code);
    return sum;
}

TEST(should_reach_from_task_to_task)
{
    char line[64];
    new_space(3, GIGA);
    task *exporter = START("dynamic/sharing", "export", "x", "3");
    task *importer = START("dynamic/sharing", "import");
    task_await(importer, "ready");
    snprintf(line, sizeof line, "%d x 200\n", exporter->number);
    assert_int_equal(sum_told(importer, line), 3UL * BYTES);
    assert_filled(import(exporter, "x"), BYTES, 200); /* what the one wrote into the other */
    snprintf(line, sizeof line, "%d x\n", exporter->number);
    assert_int_equal(sum_told(importer, line), 200UL * BYTES);
    assert_exit(exporter, 200);
    assert_int_equal(sum_told(importer, line), 200UL * BYTES); /* though it has ended */
    assert_exit(importer, 0);
}

TEST(should_reach_from_a_task_to_its_spawner)
{
    void *memory;
    size_t bytes;
    new_space(1, GIGA);
    task *t = START("dynamic/sharing", "import");
    task_await(t, "ready");
    memset(own, 2, sizeof own);
    assert_code(pvas_import(space, PVAS_CREATOR, "mine", 0, &memory, &bytes), HAYATE_IN_PROGRESS);
    assert_ok(pvas_export(space, "mine", own, sizeof own));
    assert_int_equal(sum_told(t, "-1 mine 5\n"), 2UL * sizeof own);
    assert_filled(own, sizeof own, 5);
    assert_ok(pvas_import(space, PVAS_CREATOR, "mine", 0, &memory, &bytes));
    assert_ptr_equal(memory, own);
    assert_int_equal(bytes, sizeof own);
    assert_ok(pvas_export(space, "mine", NULL, 0));
    assert_code(pvas_import(space, PVAS_CREATOR, "mine", 0, &memory, &bytes), HAYATE_IN_PROGRESS);
    assert_exit(t, 0);
}

TEST(should_pass_data_round_a_ring_of_tasks)
{
    enum { TASKS = 6 };
    task *t[TASKS];
    new_space(TASKS, GIGA);
    for (int i = 0; i < TASKS; i++) t[i] = START("dynamic/sharing", "ring", "100");
    for (int i = 0; i < TASKS; i++) task_await(t[i], "ready");
    for (int i = 0; i < TASKS; i++)
        task_tell(t[i], text_of("%d %d\n", t[(i + 1) % TASKS]->number, i == 0));
    for (int i = 0; i < TASKS; i++) assert_exit(t[i], 0);
}

TEST(should_export_from_several_threads)
{
    new_space(2, GIGA);
    task *t[] = {START("dynamic/sharing", "threads"), START("dynamic/sharing", "threads")};
    assert_exit(t[0], 0);
    assert_exit(t[1], 0);
}

TEST(should_tell_a_task_where_it_is)
{
    new_space(3, 8 * GIGA);
    for (int i = 0; i < 3; i++) {
        int number;
        void *base, *told;
        uint64_t bytes;
        unsigned long long told_bytes;
        task *t = START("dynamic/sharing", "self");
        assert_exit(t, 0);
        assert_int_equal(sscanf(t->out, "%d %p %llu", &number, &told, &told_bytes), 3);
        assert_ok(pvas_partition(space, t->number, &base, &bytes));
        assert_int_equal(number, t->number);
        assert_ptr_equal(told, base);
        assert_int_equal(told_bytes, bytes);
    }
}

TEST(should_not_take_children_for_tasks)
{
    new_space(1, GIGA);
    assert_exit(START("dynamic/sharing", "fork"), 0);
}

TEST(should_not_form_spaces_in_tasks)
{
    new_space(1, GIGA);
    assert_exit(START("dynamic/sharing", "space"), 0);
}

int main(void)
{
    return pvas_tests_run(NULL, NULL);
}
