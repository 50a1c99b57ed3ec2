/* SPDX-License-Identifier: Apache-2.0 */
/* Bad input, disagreement, closing and death: `ompl_life_program MODE`. What a rank was told goes
 * to stdout. */
#include <hayate/ompl.h>

#include "fmpl/scenario.h"

#include <pthread.h>
#include <signal.h>

#define BYTES 100000
#define DEATH_MS 200

/* Of which the others are told; base/told_fixture.h. */
static void begin_event(void)
{
    printf("event at %llu\n", (unsigned long long)hy_now_ns());
    fflush(stdout);
}

static void tell(int rc)
{
    printf("code %d peer %d told at %llu: %s\n", rc, hayate_error_peer(),
           (unsigned long long)hy_now_ns(), rc < 0 ? hayate_error() : "");
    fflush(stdout);
}

static void refused(int line, int rc, int code, const char *word)
{
    if (rc != code) check_failed(line, "another code expected", rc);
    if (!strstr(hayate_error(), word)) check_failed(line, word, rc);
}
#define REFUSED(call, code, word) refused(__LINE__, (call), (code), (word))

static uint8_t byte[64];

/* All calls, on a space that is not there. */
static void every_call(int code, const char *word)
{
    ompl_piece_t piece = {byte, 0, 1};
    ompl_flag_t flag = {0, {0, 0, 0}};
    uint64_t value;
    size_t bytes;
    REFUSED(ompl_put(byte, 0, 0, 1), code, word);
    REFUSED(ompl_get(byte, 0, 0, 1), code, word);
    REFUSED(ompl_put_start(byte, 0, 0, 1), code, word);
    REFUSED(ompl_get_start(byte, 0, 0, 1), code, word);
    REFUSED(ompl_put_vector(0, &piece, 1), code, word);
    REFUSED(ompl_get_vector(0, &piece, 1), code, word);
    REFUSED(ompl_flush(0), code, word);
    REFUSED(ompl_flush_all(), code, word);
    REFUSED(ompl_put_word(0, 0), code, word);
    REFUSED(ompl_put_flag(0, 0, &flag), code, word);
    REFUSED(ompl_put_signal(byte, 0, 0, 1, 0, &flag), code, word);
    REFUSED(ompl_clear(0), code, word);
    REFUSED(ompl_wait(0), code, word);
    REFUSED(ompl_poll(0), code, word);
    REFUSED(ompl_load(0, &value), code, word);
    REFUSED(ompl_fetch_add(0, 0, 1, NULL), code, word);
    REFUSED(ompl_compare_swap(0, 0, 0, 1, NULL), code, word);
    REFUSED(ompl_accumulate(byte, 0, 0, 1, FMPL_INT_SUM), code, word);
    REFUSED(ompl_get_accumulate(byte, byte + 8, 0, 0, 1, FMPL_INT_SUM), code, word);
    REFUSED(ompl_fetch_and_op(byte, NULL, 0, 0, FMPL_INT_SUM), code, word);
    REFUSED(ompl_compare_and_swap(byte, byte, byte + 8, 0, 0, 8), code, word);
    REFUSED(ompl_put_atomic(byte, 0, 0, 1), code, word);
    REFUSED(ompl_get_atomic(byte, 0, 0, 1), code, word);
    REFUSED(ompl_exchange(byte, byte + 8, 0, 0, 1), code, word);
    REFUSED(ompl_size(&bytes), code, word);
    CHECK(ompl_memory() == NULL);
}

static void bad_states(void)
{
    REFUSED(ompl_init(BYTES), HAYATE_ERR_STATE, "hayate_init");
    every_call(HAYATE_ERR_STATE, "ompl_init");
    REFUSED(ompl_finalize(), HAYATE_ERR_STATE, "ompl_init");
    start_ranks(1);
    REFUSED(ompl_init(0), HAYATE_ERR_ARGUMENT, "0 bytes");
    CHECK_OK(ompl_init(BYTES));
    REFUSED(ompl_init(BYTES), HAYATE_ERR_STATE, "already");
    barrier();
    CHECK_OK(ompl_finalize());
    CHECK_OK(ompl_finalize());
    every_call(HAYATE_ERR_CLOSED, "closed");
    CHECK_OK(ompl_init(BYTES));
    end_ranks();
    every_call(HAYATE_ERR_CLOSED, "closed");
}

static void bad_places(void)
{
    static const struct {
        uint64_t offset;
        size_t length;
    } outside[] = {{BYTES, 1},        {BYTES + 1, 0},  {0, BYTES + 1},        {BYTES - 7, 8},
                   {UINT64_MAX, 1},   {UINT64_MAX, 0}, {UINT64_MAX - 7, 8},   {1, SIZE_MAX},
                   {BYTES, SIZE_MAX}, {0, SIZE_MAX},   {UINT64_MAX, SIZE_MAX}};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        uint64_t offset = outside[i].offset;
        size_t length = outside[i].length;
        const ompl_piece_t pieces[2] = {{byte, 0, 1}, {byte, offset, length}};
        REFUSED(ompl_put(byte, 0, offset, length), HAYATE_ERR_ARGUMENT, "100000");
        REFUSED(ompl_get(byte, 0, offset, length), HAYATE_ERR_ARGUMENT, "100000");
        REFUSED(ompl_put_start(byte, 0, offset, length), HAYATE_ERR_ARGUMENT, "100000");
        REFUSED(ompl_get_start(byte, 0, offset, length), HAYATE_ERR_ARGUMENT, "100000");
        REFUSED(ompl_put_signal(byte, 0, offset, length, 0, NULL), HAYATE_ERR_ARGUMENT, "100000");
        byte[0] = 9;
        REFUSED(ompl_put_vector(0, pieces, 2), HAYATE_ERR_ARGUMENT, "100000");
        REFUSED(ompl_get_vector(0, pieces, 2), HAYATE_ERR_ARGUMENT, "100000");
        CHECK(*(uint8_t *)ompl_memory() == 0 && byte[0] == 9); /* not the first piece either */
    }
}

static void bad_flags(void)
{
    static const uint64_t skewed[] = {1, 4, 8, 16, 31, 33, 48};
    const ompl_flag_t flag = {1, {0, 0, 0}};
    for (size_t i = 0; i < sizeof skewed / sizeof *skewed; i++) {
        REFUSED(ompl_put_word(0, skewed[i]), HAYATE_ERR_ARGUMENT, "multiple of 32");
        REFUSED(ompl_put_flag(0, skewed[i], &flag), HAYATE_ERR_ARGUMENT, "multiple of 32");
        byte[0] = 9;
        REFUSED(ompl_put_signal(byte, 0, 0, 1, skewed[i], NULL), HAYATE_ERR_ARGUMENT, "of 32");
        CHECK(*(uint8_t *)ompl_memory() == 0);
        if (skewed[i] % 8 == 0) continue;
        REFUSED(ompl_wait(skewed[i]), HAYATE_ERR_ARGUMENT, "multiple of 8");
        REFUSED(ompl_poll(skewed[i]), HAYATE_ERR_ARGUMENT, "multiple of 8");
        REFUSED(ompl_clear(skewed[i]), HAYATE_ERR_ARGUMENT, "multiple of 8");
        REFUSED(ompl_fetch_add(0, skewed[i], 1, NULL), HAYATE_ERR_ARGUMENT, "multiple of 8");
    }
    /* the last flag would be cut: 100000 = 3125 * 32 */
    CHECK_OK(ompl_put_word(0, BYTES - 32));
    REFUSED(ompl_put_word(0, BYTES), HAYATE_ERR_ARGUMENT, "32 bytes at offset 100000");
    REFUSED(ompl_wait(BYTES), HAYATE_ERR_ARGUMENT, "8 bytes at offset 100000");
    REFUSED(ompl_swap(0, UINT64_MAX - 7, 1, NULL), HAYATE_ERR_ARGUMENT, "100000");
}

/* `count` elements of 8 bytes; the word tells what is wrong. */
static void refuse_elements(uint64_t offset, size_t count, const char *word)
{
    REFUSED(ompl_accumulate(byte, 0, offset, count, FMPL_LONG_SUM), HAYATE_ERR_ARGUMENT, word);
    REFUSED(ompl_get_accumulate(byte, byte + 8, 0, offset, count, FMPL_DOUBLE_MAX),
            HAYATE_ERR_ARGUMENT, word);
}

static void bad_accumulates(void)
{
    for (uint64_t offset = 1; offset < 8; offset++) {
        refuse_elements(offset, 1, "multiple of 8");
        REFUSED(ompl_fetch_and_op(byte, NULL, 0, offset, FMPL_LONG_SUM), HAYATE_ERR_ARGUMENT,
                "multiple of 8");
        REFUSED(ompl_compare_and_swap(byte, byte, byte + 8, 0, offset, 8), HAYATE_ERR_ARGUMENT,
                "multiple of 8");
    }
    refuse_elements(BYTES - 8, 2, "100000");
    refuse_elements(BYTES, 1, "100000");
    refuse_elements(0, SIZE_MAX, "100000");
    refuse_elements(8, SIZE_MAX / 8 + 2, "100000"); /* 8 bytes, if it overflowed */
    REFUSED(ompl_accumulate(byte, size, 0, 1, FMPL_INT_SUM), HAYATE_ERR_ARGUMENT, "target");
    REFUSED(ompl_accumulate(byte, 0, 0, 1, FMPL_OP_COUNT), HAYATE_ERR_ARGUMENT, "predefined");
    REFUSED(ompl_accumulate(byte, 0, 0, 1, -1), HAYATE_ERR_ARGUMENT, "predefined");
    REFUSED(ompl_accumulate(NULL, 0, 0, 1, FMPL_INT_SUM), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_get_accumulate(byte, NULL, 0, 0, 1, FMPL_INT_SUM), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_compare_and_swap(byte, byte, byte + 8, 0, 0, 3), HAYATE_ERR_ARGUMENT, "1, 2, 4");
    REFUSED(ompl_compare_and_swap(byte, byte, byte + 8, 0, 0, 0), HAYATE_ERR_ARGUMENT, "1, 2, 4");
    REFUSED(ompl_compare_and_swap(byte, byte, byte, 0, 0, SIZE_MAX), HAYATE_ERR_ARGUMENT, "1, 2");
    REFUSED(ompl_compare_and_swap(NULL, byte, byte, 0, 0, 8), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_exchange(byte, NULL, 0, 0, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_put_atomic(NULL, 0, 0, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_get_atomic(byte, 0, BYTES, 1), HAYATE_ERR_ARGUMENT, "100000");
    CHECK_OK(ompl_accumulate(NULL, 0, BYTES, 0, FMPL_LONG_SUM));
    CHECK(*(uint64_t *)ompl_memory() == 0);
}

static void bad_targets(void)
{
    static const int targets[] = {-1, INT32_MIN, INT32_MAX};
    for (int i = 0; i <= 3; i++) {
        int target = i < 3 ? targets[i] : size;
        REFUSED(ompl_put(byte, target, 0, 1), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_get(byte, target, 0, 1), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_put_start(byte, target, 0, 1), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_get_start(byte, target, 0, 1), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_put_word(target, 0), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_flush(target), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_fetch(target, 0, NULL), HAYATE_ERR_ARGUMENT, "target");
        REFUSED(ompl_put_vector(target, NULL, 0), HAYATE_ERR_ARGUMENT, "target");
    }
}

static void bad_pointers(void)
{
    const ompl_piece_t piece = {NULL, 0, 1};
    REFUSED(ompl_put(NULL, 0, 0, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_get(NULL, 0, 0, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_put_start(NULL, 0, 0, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_put_vector(0, NULL, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_put_vector(0, &piece, 1), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_put_flag(0, 0, NULL), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_load(0, NULL), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_size(NULL), HAYATE_ERR_ARGUMENT, "null");
    REFUSED(ompl_wait_until(0, (ompl_comparison_t)6, 0, 0, 0, NULL), HAYATE_ERR_ARGUMENT, "6");
    REFUSED(ompl_wait_until(0, OMPL_EQ, 0, 0, 2, NULL), HAYATE_ERR_ARGUMENT, "how");
}

static void bad_input(void)
{
    start_ranks(1);
    CHECK_OK(ompl_init(BYTES));
    bad_places();
    bad_flags();
    bad_accumulates();
    bad_targets();
    bad_pointers();
    barrier();
    CHECK_OK(ompl_finalize());
    end_ranks();
}

/* The last rank gives another size; then all agree. */
static void disagree(void)
{
    start_ranks(1);
    int rc = ompl_init(rank == size - 1 ? BYTES + 1 : BYTES);
    CHECK_CODE(rc, HAYATE_ERR_MISMATCH);
    CHECK(hayate_error_peer() == (rank == size - 1 ? 0 : size - 1));
    CHECK(strstr(hayate_error(), "100001") && strstr(hayate_error(), "100000"));
    CHECK_OK(ompl_init(BYTES));
    barrier();
    end_ranks();
}

/* The environment of the last rank is wrong, which no argument can mend; then it is not. */
static void misconfigured(void)
{
    start_ranks(1);
    if (rank == size - 1) setenv("HAYATE_ENDPOINTS", "many", 1);
    int rc = ompl_init(BYTES);
    if (rank == size - 1) {
        CHECK_CODE(rc, HAYATE_ERR_ARGUMENT);
        CHECK(strstr(hayate_error(), "HAYATE_ENDPOINTS=many"));
        unsetenv("HAYATE_ENDPOINTS");
    } else {
        CHECK_CODE(rc, HAYATE_ERR_MISMATCH);
        CHECK(hayate_error_peer() == size - 1);
    }
    CHECK_CODE(ompl_init_endpoints(BYTES, -1), HAYATE_ERR_ARGUMENT); /* all of them */
    CHECK_CODE(ompl_init_endpoints(BYTES, rank == 0 ? OMPL_MOST_ENDPOINTS + 1 : 1),
               rank == 0 ? HAYATE_ERR_ARGUMENT : HAYATE_ERR_MISMATCH);
    CHECK_OK(ompl_init(BYTES));
    barrier();
    end_ranks();
}

/* More than the heap has, on all and on one. */
static void too_large(void)
{
    start_ranks(1);
    CHECK_CODE(ompl_init(SIZE_MAX), HAYATE_ERR_NO_MEMORY);
    CHECK_CODE(ompl_init(UINT64_C(1) << 50), HAYATE_ERR_NO_MEMORY);
    void *hog = rank == size - 1 ? hayate_alloc(UINT64_C(5) << 20) : NULL; /* --heap 8M */
    int rc = ompl_init(UINT64_C(4) << 20);
    CHECK_CODE(rc, HAYATE_ERR_NO_MEMORY);
    CHECK(rank == size - 1 || hayate_error_peer() == size - 1);
    if (hog) CHECK_OK(hayate_free(hog));
    CHECK_OK(ompl_init(UINT64_C(4) << 20));
    barrier();
    end_ranks();
}

static void *wait_for_ever(void *argument)
{
    unsigned how = argument ? OMPL_IGNORE_FAILURES : 0;
    tell(ompl_wait_until(64, OMPL_EQ, 99, OMPL_FOREVER, how, NULL));
    return NULL;
}

static void close_meanwhile(bool job)
{
    pthread_t threads[2];
    start_ranks(1);
    CHECK_OK(ompl_init(BYTES));
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, wait_for_ever, i ? &threads : NULL) == 0);
    usleep(100000);
    if (rank == 0) begin_event();
    barrier(); /* nobody leaves before the others have come so far */
    CHECK_OK(job ? hayate_finalize() : ompl_finalize());
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    if (!job) end_ranks();
}

/* The last rank kills itself: waits end; those that ignore it go on; a flush tells. */
static void death(void)
{
    start_ranks(1);
    CHECK_OK(ompl_init(BYTES));
    barrier();
    if (rank == size - 1) {
        usleep(DEATH_MS * 1000);
        begin_event();
        kill(getpid(), SIGKILL);
    }
    wait_for_ever(NULL);
    CHECK(ompl_flush(size - 1) == HAYATE_ERR_PEER_FAILED);
    CHECK_CODE(ompl_flush_all(), HAYATE_ERR_PEER_FAILED);
    CHECK(hayate_error_peer() == size - 1);
    CHECK(ompl_wait_until(64, OMPL_EQ, 99, 100000, OMPL_IGNORE_FAILURES, NULL) ==
          HAYATE_IN_PROGRESS);
    CHECK_OK(ompl_put_word(rank, 64)); /* what is there ends a wait as ever */
    CHECK_OK(ompl_wait(64));
    _exit(0);
}

int main(int argc, char **argv)
{
    CHECK(argc == 2);
    alarm(420);
    scenario_now = argv[1];
    if (strcmp(argv[1], "states") == 0) bad_states();
    else if (strcmp(argv[1], "input") == 0) bad_input();
    else if (strcmp(argv[1], "disagree") == 0) disagree();
    else if (strcmp(argv[1], "misconfigured") == 0) misconfigured();
    else if (strcmp(argv[1], "large") == 0) too_large();
    else if (strcmp(argv[1], "close") == 0) close_meanwhile(false);
    else if (strcmp(argv[1], "close-job") == 0) close_meanwhile(true);
    else if (strcmp(argv[1], "death") == 0) death();
    else CHECK(!"a mode");
    return 0;
}
