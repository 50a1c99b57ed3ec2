/* SPDX-License-Identifier: Apache-2.0 */
/* What the global space promises, rank to rank. Run by ompl_test.c on 1 to 5 ranks. */
#include <hayate/ompl.h>

#include "fmpl/scenario.h"

#include <pthread.h>

#define BYTES (UINT64_C(1) << 20)
#define THREADS 4
#define LIMIT_US 40000000 /* if one rank fails, the others do not wait for ever */

static void must(int line, int rc)
{
    if (rc) check_failed(line, "must succeed", rc);
}
#define MUST(call) must(__LINE__, (call))

static int next_rank(void)
{
    return (rank + 1) % size;
}

static int rank_before(void)
{
    return (rank + size - 1) % size;
}

static uint8_t *at(uint64_t offset)
{
    return (uint8_t *)ompl_memory() + offset;
}

static void open_space(void)
{
    MUST(ompl_init(BYTES));
}

/* Nobody addresses this rank any more. */
static void close_space(void)
{
    barrier();
    MUST(ompl_finalize());
}

SCENARIO_AS("zeros", should_begin_with_zeros)
{
    for (int i = 0; i < 3; i++) {
        open_space();
        CHECK(all_are(ompl_memory(), BYTES, 0));
        memset(ompl_memory(), 0xee, BYTES);
        close_space();
    }
}

SCENARIO_AS("lengths", should_put_and_get_bytes_of_every_length)
{
    static uint8_t out[70000], in[70000];
    open_space();
    for (uint64_t length = 0; length < sizeof out; length = length < 70 ? length + 1 : length * 3) {
        fill(out, length, (uint64_t)rank + length);
        MUST(ompl_put(out, next_rank(), 1 + length % 7, length));
        MUST(ompl_flush(next_rank()));
        barrier();
        CHECK(holds(at(1 + length % 7), length, (uint64_t)rank_before() + length));
        MUST(ompl_get(in, next_rank(), 1 + length % 7, length));
        CHECK(memcmp(in, out, length) == 0);
        barrier();
    }
    close_space();
}

SCENARIO_AS("last-byte", should_reach_the_last_byte)
{
    uint8_t byte = (uint8_t)(rank + 1);
    open_space();
    MUST(ompl_put(&byte, next_rank(), BYTES - 1, 1));
    MUST(ompl_put(NULL, next_rank(), BYTES, 0));
    MUST(ompl_flush_all());
    barrier();
    CHECK(*at(BYTES - 1) == rank_before() + 1 && *at(BYTES - 2) == 0);
    close_space();
}

SCENARIO_AS("started", should_complete_what_was_started_by_a_flush)
{
    static uint8_t out[5][3000], in[5][3000];
    open_space();
    for (int i = 0; i < 5; i++) {
        fill(out[i], sizeof out[i], (uint64_t)(rank * 10 + i));
        MUST(ompl_put_start(out[i], next_rank(), (uint64_t)i * 4096, sizeof out[i]));
    }
    MUST(ompl_flush(next_rank()));
    barrier();
    for (int i = 0; i < 5; i++)
        MUST(ompl_get_start(in[i], rank_before(), (uint64_t)i * 4096, sizeof in[i]));
    MUST(ompl_flush_all());
    int two_before = (rank + 2 * size - 2) % size;
    for (int i = 0; i < 5; i++) {
        CHECK(holds(at((uint64_t)i * 4096), sizeof out[i], (uint64_t)(rank_before() * 10 + i)));
        CHECK(holds(in[i], sizeof in[i], (uint64_t)(two_before * 10 + i)));
    }
    close_space();
}

SCENARIO_AS("vectors", should_move_vectors_in_one_call)
{
    enum { PIECES = 9 };
    static uint8_t out[PIECES][500], in[PIECES][500];
    ompl_piece_t puts[PIECES], gets[PIECES];
    open_space();
    for (int i = 0; i < PIECES; i++) {
        fill(out[i], sizeof out[i], (uint64_t)(rank * 100 + i));
        puts[i] = (ompl_piece_t){out[i], (uint64_t)(PIECES - i) * 1024 + 3, (size_t)(i * 60)};
        gets[i] = (ompl_piece_t){in[i], puts[i].remote, puts[i].length};
    }
    MUST(ompl_put_vector(next_rank(), puts, PIECES));
    MUST(ompl_get_vector(next_rank(), gets, PIECES));
    for (int i = 0; i < PIECES; i++) CHECK(memcmp(in[i], out[i], (size_t)(i * 60)) == 0);
    MUST(ompl_put_vector(next_rank(), NULL, 0));
    close_space();
}

/* ---- data before flag ---- */

enum { SLOT = 32768, FLAGS = 1 << 19, DONE = FLAGS + 4096 };

/* Over a real network each takes its time. */
static int times(int near)
{
    const char *net = getenv("HAYATE_NET_LOCAL");
    return is_light() || (net && strcmp(net, "ofi") == 0) ? near / 10 : near;
}

/* By one of the ways that promise the order. */
static void send_round(int lane, uint64_t round, uint64_t length, uint8_t *out)
{
    const ompl_flag_t flag = {round, {length, ~round, (uint64_t)rank}};
    uint64_t slot = (uint64_t)lane * SLOT, flag_at = FLAGS + (uint64_t)lane * 64, before;
    int to = next_rank();
    fill(out, length, round * 31 + (uint64_t)rank);
    switch (round % 4) {
    case 0: MUST(ompl_put_signal(out, to, slot, length, flag_at, &flag)); return;
    case 1: MUST(ompl_put(out, to, slot, length)); break;
    case 2: MUST(ompl_put_start(out, to, slot, length)); break;
    default: {
        const ompl_piece_t halves[2] = {{out, slot, length / 2},
                                        {out + length / 2, slot + length / 2, length - length / 2}};
        MUST(ompl_put_vector(to, halves, 2));
    }
    }
    if (round % 8 < 4) MUST(ompl_put_flag(to, flag_at, &flag));
    else {
        MUST(ompl_put(flag.data, to, flag_at + 8, sizeof flag.data));
        MUST(ompl_fetch_add(to, flag_at, 1, &before));
        CHECK(before == round - 1);
    }
}

static void receive_round(int lane, uint64_t round, uint64_t length)
{
    uint64_t flag_at = FLAGS + (uint64_t)lane * 64, seen = 0;
    MUST(ompl_wait_until(flag_at, OMPL_GE, round, LIMIT_US, 0, &seen));
    CHECK(seen == round);
    const ompl_flag_t *flag = (const ompl_flag_t *)(const void *)at(flag_at);
    CHECK(flag->data[0] == length && flag->data[1] == ~round);
    CHECK(flag->data[2] == (uint64_t)rank_before());
    CHECK(holds(at((uint64_t)lane * SLOT), length, round * 31 + (uint64_t)rank_before()));
    memset(at((uint64_t)lane * SLOT), 0, length); /* old data would look right */
    const ompl_flag_t taken = {round, {0, 0, 0}};
    MUST(ompl_put_flag(rank_before(), DONE + (uint64_t)lane * 64, &taken));
}

static uint64_t length_of(int lane, uint64_t round)
{
    uint64_t x = word_at((uint64_t)lane, round);
    return x % 3 ? x % 200 : x % SLOT;
}

/* Both sides know the lengths; a round begins when the one before was taken. */
static void *rounds(void *argument)
{
    int lane = (int)(intptr_t)argument;
    uint8_t *out = malloc(SLOT);
    CHECK(out != NULL);
    for (uint64_t round = 1; round <= (uint64_t)times(1500); round++) {
        uint64_t length = length_of(lane, round);
        send_round(lane, round, length, out);
        receive_round(lane, round, length);
        MUST(ompl_wait_until(DONE + (uint64_t)lane * 64, OMPL_EQ, round, LIMIT_US, 0, NULL));
    }
    free(out);
    return NULL;
}

SCENARIO_AS("order", should_show_data_before_their_flag)
{
    open_space();
    rounds((void *)0);
    close_space();
}

static void in_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

SCENARIO_AS("order-threads", should_show_data_before_their_flag_in_several_threads)
{
    open_space();
    in_threads(rounds);
    close_space();
}

/* ---- atomics ---- */

enum { ADDS = 2000, SUM = 0, BITS = 8, SWAPPED = 16, TAKEN = 24 };

static void *add(void *argument)
{
    uint64_t mine = (uint64_t)(rank * THREADS) + (uint64_t)(intptr_t)argument, before;
    for (int i = 0; i < times(ADDS); i++) {
        MUST(ompl_fetch_add(0, SUM, mine + 1, NULL));
        do MUST(ompl_fetch(0, SWAPPED, &before));
        while (({
            uint64_t expected = before;
            MUST(ompl_compare_swap(0, SWAPPED, expected, expected + 3, &before));
            before != expected;
        }));
    }
    MUST(ompl_fetch_or(0, BITS, UINT64_C(1) << mine, &before));
    CHECK((before >> mine & 1) == 0);
    MUST(ompl_swap(0, TAKEN, mine + 1, &before));
    CHECK(before != mine + 1);
    return NULL;
}

SCENARIO_AS("atomics", should_add_up_atomics_of_all_ranks_and_threads)
{
    uint64_t all = (uint64_t)size * THREADS, adds = (uint64_t)times(ADDS);
    uint64_t sum, bits, swapped, before;
    open_space();
    barrier();
    in_threads(add);
    barrier();
    MUST(ompl_fetch(0, SUM, &sum));
    MUST(ompl_fetch(0, BITS, &bits));
    MUST(ompl_fetch(0, SWAPPED, &swapped));
    CHECK(sum == adds * all * (all + 1) / 2);
    CHECK(bits == (UINT64_C(1) << all) - 1);
    CHECK(swapped == 3 * adds * all);
    barrier();
    if (rank == size - 1) {
        MUST(ompl_fetch_and(0, BITS, 5, &before));
        CHECK(before == bits);
        MUST(ompl_fetch(0, BITS, &before));
        CHECK(before == (bits & 5));
        MUST(ompl_compare_swap(0, BITS, 77, 1, &before));
        CHECK(before == (bits & 5));
        MUST(ompl_fetch(0, BITS, &before));
        CHECK(before == (bits & 5));
    }
    close_space();
}

/* ---- waits ---- */

/* A passes a flag around the ring: everybody sleeps but one. */
SCENARIO_AS("sleepers", should_wake_who_sleeps)
{
    open_space();
    for (int round = 0; round < 30; round++) {
        if (rank == 0) pause_us(3000); /* longer than spins and yields */
        if (rank == 0) MUST(ompl_put_word(next_rank(), 64));
        MUST(ompl_wait(64));
        CHECK(ompl_poll(64) == 1);
        MUST(ompl_clear(64));
        CHECK(ompl_poll(64) == 0);
        if (rank != 0) MUST(ompl_put_word(next_rank(), 64));
    }
    close_space();
}

/* The sleep of a wait ends by itself after 50 ms: who is not woken is that late every time. */
#define WOKEN_NS UINT64_C(25000000)

static void raise_flag(int way)
{
    const ompl_flag_t flag = {1, {0, 0, 0}};
    if (way == 0) MUST(ompl_put_word(next_rank(), 64));
    else if (way == 1) MUST(ompl_put_signal(&flag, next_rank(), 256, sizeof flag, 64, NULL));
    else if (way == 2) MUST(ompl_fetch_add(next_rank(), 64, 1, NULL));
    else MUST(ompl_compare_swap(next_rank(), 64, 0, 1, NULL));
}

/* From the call to the answer of who slept; the caller itself does not sleep. */
static uint64_t wake_once(int way)
{
    uint64_t start = 0;
    if (rank == 0) {
        pause_us(5000);
        start = hy_now_ns();
        raise_flag(way);
        while (ompl_poll(64) == 0) sched_yield();
    } else {
        MUST(ompl_wait(64));
        raise_flag(0);
    }
    uint64_t took = hy_now_ns() - start;
    MUST(ompl_clear(64));
    barrier();
    return rank == 0 ? took : 0;
}

SCENARIO_AS("woken", should_wake_at_once_by_every_way_to_raise_a_flag)
{
    open_space();
    for (int way = 0; way < 4 && size > 1; way++) {
        uint64_t fastest = UINT64_MAX;
        for (int i = 0; i < 12; i++) {
            uint64_t took = wake_once(way);
            if (took < fastest) fastest = took;
        }
        CHECK(fastest < WOKEN_NS);
    }
    close_space();
}

static void *wait_for_word(void *unused)
{
    (void)unused;
    MUST(ompl_wait_until(128, OMPL_GT, 6, OMPL_FOREVER, OMPL_IGNORE_FAILURES, NULL));
    return NULL;
}

static void *raise_word(void *unused)
{
    (void)unused;
    pause_us(5000);
    for (int i = 0; i < 7; i++) MUST(ompl_fetch_add(next_rank(), 128, 1, NULL));
    return NULL;
}

SCENARIO_AS("one-word", should_let_several_threads_wait_for_one_word)
{
    open_space();
    for (int round = 0; round < 5; round++) {
        uint64_t start = hy_now_ns();
        pthread_t raiser;
        MUST(ompl_clear(128));
        barrier();
        CHECK(pthread_create(&raiser, NULL, raise_word, NULL) == 0);
        in_threads(wait_for_word);
        pthread_join(raiser, NULL);
        CHECK(hy_now_ns() - start < UINT64_C(20000000000));
        barrier();
    }
    close_space();
}

SCENARIO_AS("compare", should_compare_as_told)
{
    static const struct {
        ompl_comparison_t comparison;
        bool below, same, above; /* of 4, 5, 6 against 5 */
    } cases[] = {{OMPL_EQ, false, true, false}, {OMPL_NE, true, false, true},
                 {OMPL_GT, false, false, true}, {OMPL_GE, false, true, true},
                 {OMPL_LT, true, false, false}, {OMPL_LE, true, true, false}};
    open_space();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool expected[3] = {cases[i].below, cases[i].same, cases[i].above};
        for (uint64_t value = 4; value <= 6; value++) {
            uint64_t seen = 0;
            MUST(ompl_swap(rank, 8, value, NULL));
            int rc = ompl_wait_until(8, cases[i].comparison, 5, 0, 0, &seen);
            CHECK(seen == value);
            CHECK(rc == (expected[value - 4] ? HAYATE_OK : HAYATE_IN_PROGRESS));
        }
    }
    MUST(ompl_swap(rank, 8, UINT64_MAX, NULL)); /* unsigned */
    MUST(ompl_wait_until(8, OMPL_GT, 1, 0, 0, NULL));
    close_space();
}

SCENARIO_AS("time", should_stop_waiting_in_time)
{
    static const int64_t limits_us[] = {0, 1, 700, 20000, 120000};
    open_space();
    for (size_t i = 0; i < sizeof limits_us / sizeof *limits_us; i++) {
        uint64_t start = hy_now_ns();
        CHECK(ompl_wait_until(8, OMPL_NE, 0, limits_us[i], 0, NULL) == HAYATE_IN_PROGRESS);
        uint64_t took = hy_now_ns() - start;
        CHECK(took >= (uint64_t)limits_us[i] * 1000);
        CHECK(took < UINT64_C(10000000000));
    }
    close_space();
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(2, argc, argv);
}
