/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* The flight recorder and its reader: what a file shows of a rank that lives or is dead, and that
 * no contents of a file harm the reader. */
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "base/status.h"
#include "job/flight.h"
#include "observe/flight_view.h"

#define SIZE 4 /* ranks of the job */
#define THREADS 40
#define OPERATIONS 2000

static char directory[] = "/tmp/flight-test-XXXXXX", file[512];

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory)) return -1;
    return setenv("HAYATE_FLIGHT", directory, 1);
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

/* The one file in the directory. */
static const char *find_file(void)
{
    DIR *all = opendir(directory);
    const struct dirent *entry;
    assert_non_null(all);
    file[0] = '\0';
    while ((entry = readdir(all)))
        if (strstr(entry->d_name, ".flight"))
            snprintf(file, sizeof file, "%s/%s", directory, entry->d_name);
    closedir(all);
    assert_true(file[0]);
    return file;
}

static hy_flight *open_recorder(void)
{
    hy_flight *flight;
    assert_ok(hy_flight_open(&flight, 1, SIZE));
    assert_non_null(flight);
    find_file();
    return flight;
}

static void close_recorder(hy_flight *flight)
{
    hy_flight_leave(flight, true);
    hy_flight_free(flight);
}

static uint64_t begin_send(hy_flight *flight, int peer, uint64_t bytes)
{
    hy_awaited send = {.kind = HY_AWAITED_SEND, .peer = peer, .place = 7, .bytes = bytes};
    return hy_flight_begin(flight, &send);
}

static hy_flight_view *look(void)
{
    hy_flight_view *view;
    assert_ok(hy_flight_view_open(file, &view));
    return view;
}

TEST(should_show_how_operations_ended)
{
    struct stat info;
    hy_flight *flight = open_recorder();
    assert_int_equal(stat(file, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    uint64_t first = begin_send(flight, 2, 8000), second = begin_send(flight, 3, 8);
    begin_send(flight, 0, 16);
    hy_flight_end(flight, first, HAYATE_OK, HY_COUNT_CMA);
    hy_flight_end(flight, second, HAYATE_ERR_PEER_FAILED, 0);
    hy_flight_view *view = look();
    assert_true(view->lives);
    assert_int_equal(view->header.rank, 1);
    assert_int_equal(view->header.size, SIZE);
    assert_int_equal(view->count, 3);
    assert_int_equal(view->damaged, 0);
    const hy_flight_operation *all = view->operations;
    assert_int_equal(all[0].awaited.kind, HY_AWAITED_SEND);
    assert_int_equal(all[0].awaited.peer, 2);
    assert_int_equal(all[0].awaited.place, 7);
    assert_int_equal(all[0].awaited.bytes, 8000);
    assert_int_equal(all[0].awaited.thread, getpid());
    assert_true(all[0].took_ns >= 0);
    assert_string_equal(hy_flight_way_name(&all[0]), "cma");
    assert_code(all[1].rc, HAYATE_ERR_PEER_FAILED);
    assert_true(all[2].took_ns < 0);
    hy_flight_view_close(view);
    close_recorder(flight);
}

TEST(should_keep_the_last_operations_of_a_thread)
{
    hy_flight *flight = open_recorder();
    for (uint64_t i = 1; i <= 600; i++) begin_send(flight, 0, i);
    hy_flight_view *view = look();
    assert_int_equal(view->count, HY_FLIGHT_RECORDS);
    assert_int_equal(view->begun, 600);
    assert_int_equal(view->operations[0].awaited.bytes, 600 - HY_FLIGHT_RECORDS + 1);
    assert_int_equal(view->operations[HY_FLIGHT_RECORDS - 1].awaited.bytes, 600);
    hy_flight_view_close(view);
    close_recorder(flight);
}

TEST(should_not_end_a_later_operation)
{
    hy_flight *flight = open_recorder();
    uint64_t old = begin_send(flight, 0, 1);
    for (uint64_t i = 0; i < HY_FLIGHT_RECORDS; i++) begin_send(flight, 0, 2);
    hy_flight_end(flight, old, HAYATE_OK, 0);
    hy_flight_view *view = look();
    assert_int_equal(view->count, HY_FLIGHT_RECORDS);
    for (uint32_t i = 0; i < view->count; i++) assert_true(view->operations[i].took_ns < 0);
    hy_flight_view_close(view);
    close_recorder(flight);
}

/* ---- threads ---- */

static hy_flight *shared;
static _Atomic uint64_t passed[THREADS]; /* names of operations that another thread ends */
static pthread_barrier_t all_here;

/* Peer and bytes of an operation belong together; some operations are ended by a neighbour. */
static void *record_many(void *argument)
{
    uint64_t self = (uint64_t)(uintptr_t)argument;
    begin_send(shared, (int)(self % SIZE), self % SIZE * 1000);
    pthread_barrier_wait(&all_here); /* each has its stripe, and threads beyond share the last */
    for (uint64_t i = 0; i < OPERATIONS; i++) {
        uint64_t name = begin_send(shared, (int)((self + i) % SIZE), (self + i) % SIZE * 1000);
        if (name && i % 3 == 0) {
            name = atomic_exchange(&passed[(self + 1) % THREADS], name);
            if (name) hy_flight_end(shared, name, HAYATE_OK, HY_COUNT_EAGER);
        } else if (name) hy_flight_end(shared, name, HAYATE_OK, 0);
    }
    return NULL;
}

static void check_records(const hy_flight_view *view)
{
    assert_int_equal(view->damaged, 0);
    for (uint32_t i = 0; i < view->count; i++) {
        const hy_flight_operation *operation = &view->operations[i];
        assert_int_equal(operation->awaited.kind, HY_AWAITED_SEND);
        assert_int_equal(operation->awaited.bytes, operation->awaited.peer * 1000);
        assert_true(operation->took_ns < 60e9);
    }
}

TEST(should_keep_threads_apart)
{
    pthread_t threads[THREADS];
    shared = open_recorder();
    pthread_barrier_init(&all_here, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, record_many, (void *)i), 0);
    for (int i = 0; i < 20; i++) {
        hy_flight_view *view = look();
        check_records(view);
        hy_flight_view_close(view);
    }
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    hy_flight_view *view = look();
    check_records(view);
    assert_true(view->count > 30 * HY_FLIGHT_RECORDS);
    assert_true(view->begun <= (uint64_t)THREADS * (OPERATIONS + 1));
    hy_flight_view_close(view);
    close_recorder(shared);
    pthread_barrier_destroy(&all_here);
}

/* ---- death ---- */

TEST(should_show_what_a_killed_process_did_last)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        hy_flight *flight;
        if (hy_flight_open(&flight, 1, SIZE)) _exit(1);
        begin_send(flight, 3, 123);
        if (write(ready[1], "", 1) != 1) _exit(1);
        pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    find_file();
    hy_flight_view *view = look();
    assert_true(view->lives);
    hy_flight_view_close(view);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    view = look();
    assert_false(view->lives);
    assert_int_equal(view->header.pid, pid);
    assert_int_equal(view->count, 1);
    assert_int_equal(view->operations[0].awaited.bytes, 123);
    assert_true(view->operations[0].took_ns < 0);
    hy_flight_view_close(view);
    unlink(file);
    close(ready[0]);
    close(ready[1]);
}

/* ---- settings ---- */

static void refuse(const char *value, int code, const char *text)
{
    hy_flight *flight;
    setenv("HAYATE_FLIGHT", value, 1);
    assert_int_equal(hy_flight_open(&flight, 0, 1), code);
    assert_null(flight);
    if (text) assert_non_null(strstr(hayate_error(), text));
    setenv("HAYATE_FLIGHT", directory, 1);
}

TEST(should_refuse_what_is_no_place)
{
    refuse("off", HAYATE_OK, NULL);
    refuse("", HAYATE_OK, NULL);
    refuse("yes", HAYATE_ERR_ARGUMENT, "HAYATE_FLIGHT=yes: expected off, on, or the absolute path");
    refuse("./here", HAYATE_ERR_ARGUMENT, "absolute");
    refuse("/does/not/exist", HAYATE_ERR_SYSTEM, "HAYATE_FLIGHT: cannot create /does/not/exist");
}

/* ---- files ---- */

static uint8_t image[HY_FLIGHT_BYTES];

static void write_file(size_t length)
{
    int fd = open(file, O_WRONLY | O_TRUNC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, image, length), length);
    close(fd);
}

/* Whatever it returns, what it shows is within its bounds. */
static int read_any(void)
{
    hy_flight_view *view;
    int rc = hy_flight_view_open(file, &view);
    if (rc) {
        assert_null(view);
        assert_non_null(strstr(hayate_error(), file));
        return rc;
    }
    for (uint32_t i = 0; i < view->count; i++) {
        const hy_flight_operation *operation = &view->operations[i];
        assert_true(operation->awaited.kind < HY_AWAITED_KINDS);
        assert_in_range(operation->awaited.peer + 1, 0, view->header.size);
        assert_true(operation->way < HY_COUNTERS);
        assert_true(operation->took_ns >= -1);
    }
    assert_true(view->count + view->damaged <= HY_STRIPES * HY_FLIGHT_RECORDS);
    hy_flight_view_close(view);
    return HAYATE_OK;
}

static void read_image(hy_flight *flight)
{
    for (uint64_t i = 0; i < 300; i++) begin_send(flight, 0, i);
    int fd = open(file, O_RDONLY);
    assert_int_equal(read(fd, image, sizeof image), sizeof image);
    close(fd);
}

TEST(should_refuse_truncated_files)
{
    hy_flight *flight = open_recorder();
    read_image(flight);
    write_file(0);
    assert_code(read_any(), HAYATE_ERR_ARGUMENT);
    for (size_t length = 1; length < sizeof image; length = length * 2 + 1) {
        write_file(length);
        assert_int_not_equal(read_any(), HAYATE_OK);
    }
    write_file(sizeof image - 1);
    assert_refused(read_any(), HAYATE_ERR_CORRUPT, "truncated");
    write_file(sizeof image);
    assert_ok(read_any());
    close_recorder(flight);
}

TEST(should_survive_garbage)
{
    hy_flight *flight = open_recorder();
    uint64_t dice = 1;
    int shown = 0, refused = 0;
    read_image(flight);
    for (int round = 0; round < 200; round++) {
        uint8_t before[64];
        /* half of the rounds change the header, the others the first ring */
        size_t at = round % 2 ? HY_FLIGHT_HEADER + (size_t)(round / 2 % 250) * 64 : 0;
        memcpy(before, image + at, sizeof before);
        for (size_t i = 0; i < sizeof before; i++) {
            dice = dice * 6364136223846793005u + 1442695040888963407u;
            if (dice >> 62 == 0) image[at + i] = (uint8_t)(dice >> 40);
        }
        write_file(sizeof image);
        if (read_any()) refused++;
        else shown++;
        memcpy(image + at, before, sizeof before);
    }
    memset(image + HY_FLIGHT_HEADER, 0xff, sizeof image - HY_FLIGHT_HEADER);
    write_file(sizeof image);
    assert_ok(read_any());
    memset(image, 0xff, sizeof image);
    write_file(sizeof image);
    assert_code(read_any(), HAYATE_ERR_ARGUMENT);
    assert_true(shown >= 100 && refused >= 50);
    close_recorder(flight);
}

TEST(should_count_damaged_records)
{
    hy_flight *flight = open_recorder();
    read_image(flight);
    uint8_t *record = image + HY_FLIGHT_HEADER + 64 * 5;
    record[3 * 8 + offsetof(hy_awaited, kind)] = HY_AWAITED_KINDS;
    write_file(sizeof image);
    hy_flight_view *view = look();
    assert_int_equal(view->damaged, 1);
    assert_int_equal(view->count, HY_FLIGHT_RECORDS - 1);
    hy_flight_view_close(view);
    close_recorder(flight);
}

TEST(should_refuse_what_is_no_regular_file)
{
    hy_flight_view *view;
    hy_flight *flight = open_recorder();
    assert_code(hy_flight_view_open(directory, &view), HAYATE_ERR_ARGUMENT);
    const char *name = text_of("%s/other", directory);
    assert_code(hy_flight_view_open(name, &view), HAYATE_ERR_SYSTEM);
    assert_int_equal(mkfifo(name, 0600), 0);
    assert_code(hy_flight_view_open(name, &view), HAYATE_ERR_ARGUMENT);
    unlink(name);
    assert_int_equal(symlink(file, name), 0);
    assert_code(hy_flight_view_open(name, &view), HAYATE_ERR_ARGUMENT);
    unlink(name);
    close_recorder(flight);
}

int main(void)
{
    return tests_run_in(make_directory, remove_directory);
}
