/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads of every rank, each on entries of its own, and communicators of their own. */
#include "fmpl/scenario.h"

#include <pthread.h>

#define THREADS 4

#ifdef __SANITIZE_THREAD__
#define ROUNDS 30
#else
#define ROUNDS 150
#endif

static const uint64_t sizes[] = {0, 8, 56, 57, 1000, 4096, 4097, 30000, 140000};
#define SIZES (sizeof sizes / sizeof *sizes)

static void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, body, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static void *exchange(void *argument)
{
    int mine = (int)(intptr_t)argument, next = (rank + 1) % size, before = (rank + size - 1) % size;
    unsigned seed = (unsigned)mine;
    uint8_t *out = memory_of(mine & 1, 140000), *in = memory_of(mine & 2, 140000);
    for (int i = 0; i < ROUNDS; i++) {
        int ier = 1;
        fmpl_request_t request = FMPL_REQUEST_NULL;
        uint64_t bytes = sizes[(size_t)rand_r(&seed) % SIZES];
        fill(out, bytes, (uint64_t)(mine * 1000 + i));
        CALL_OK(fmpl_irecv(in, bytes, before, mine, &request, &ier));
        CALL_OK(fmpl_send(out, bytes, next, mine, &ier));
        CALL_OK(fmpl_wait(&request, &ier));
        CHECK(holds(in, bytes, (uint64_t)(mine * 1000 + i)));
    }
    memory_free(mine & 1, out);
    memory_free(mine & 2, in);
    return NULL;
}

SCENARIO(should_exchange_on_entries_of_its_own)
{
    run_threads(exchange);
}

/* Threads 0 and 1 send only, 2 and 3 receive only, two entries. */
static void *one_direction(void *argument)
{
    int mine = (int)(intptr_t)argument, next = (rank + 1) % size, before = (rank + size - 1) % size;
    uint8_t *memory = memory_of(mine & 1, 140000);
    for (int i = 0; i < ROUNDS; i++) {
        int ier = 1;
        uint64_t bytes = sizes[(size_t)i % SIZES];
        if (mine < 2) {
            fill(memory, bytes, (uint64_t)i);
            fmpl_send(memory, bytes, next, 8 + mine, &ier);
        } else fmpl_recv(memory, bytes, before, 6 + mine, &ier);
        CHECK_OK(ier);
        CHECK(holds(memory, bytes, (uint64_t)i));
    }
    memory_free(mine & 1, memory);
    return NULL;
}

SCENARIO(should_send_and_receive_in_different_threads)
{
    run_threads(one_direction);
}

/* Several receives and sends at once in each thread, completed by wait_any and wait_all. */
static void *many_at_once(void *argument)
{
    enum { LANES = 5 };
    int mine = (int)(intptr_t)argument, next = (rank + 1) % size, before = (rank + size - 1) % size;
    uint8_t *out = memory_of(true, LANES * 20000), *in = memory_of(false, LANES * 20000);
    for (int round = 0; round < ROUNDS / 4; round++) {
        fmpl_request_t receives[LANES], sends[LANES];
        int ier = 1, index = 0;
        uint64_t bytes = sizes[(size_t)round % 7];
        for (int i = 0; i < LANES; i++) {
            CALL_OK(fmpl_irecv(in + i * 20000, bytes, before, 16 + mine * LANES + i, &receives[i],
                               &ier));
        }
        for (int i = 0; i < LANES; i++) {
            fill(out + i * 20000, bytes, (uint64_t)(i + round));
            CALL_OK(
                fmpl_isend(out + i * 20000, bytes, next, 16 + mine * LANES + i, &sends[i], &ier));
        }
        while (index >= 0) CALL_OK(fmpl_wait_any(LANES, receives, &index, &ier));
        CALL_OK(fmpl_wait_all(LANES, sends, &ier));
        for (int i = 0; i < LANES; i++) CHECK(holds(in + i * 20000, bytes, (uint64_t)(i + round)));
    }
    memory_free(true, out);
    memory_free(false, in);
    return NULL;
}

SCENARIO(should_wait_for_any_in_several_threads)
{
    run_threads(many_at_once);
}

static int comms[THREADS];

static void *collectives(void *argument)
{
    int mine = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS; i++) {
        int64_t values[3] = {rank + mine, i, 1};
        int ier = 1;
        CALL_OK(fmpl_allreduce(values, 3, FMPL_LONG_SUM, comms[mine], NULL, &ier));
        CHECK(values[0] == size * (size - 1) / 2 + size * mine);
        CHECK(values[1] == (int64_t)size * i && values[2] == size);
        CALL_OK(fmpl_barrier(comms[mine], &ier));
    }
    return NULL;
}

/* The threads of a rank split at the same time, each its own communicator. */
static void *splits(void *argument)
{
    int mine = (int)(intptr_t)argument;
    for (int i = 0; i < ROUNDS / 5; i++) {
        int part = -1, ier = 1, value = 1;
        CALL_OK(fmpl_comm_split(comms[mine], (rank + i) % 2, rank * (i % 3 - 1), &part, &ier));
        CALL_OK(fmpl_allreduce(&value, 1, FMPL_INT_SUM, part, NULL, &ier));
        CHECK(value == (size + 1 - (rank % 2)) / 2);
        CALL_OK(fmpl_comm_free(&part, &ier));
    }
    return NULL;
}

SCENARIO(should_run_collectives_on_communicators_of_its_own)
{
    int ier = 1;
    for (int i = 0; i < THREADS; i++) CALL_OK(fmpl_comm_create(&comms[i], 1, &ier));
    run_threads(collectives);
    run_threads(splits);
    for (int i = 0; i < THREADS; i++) CALL_OK(fmpl_comm_free(&comms[i], &ier));
}

/* All threads want the same entry: one gets it, the others BUSY, and nothing is lost. */
static _Atomic int arrived, refused;
static void *contend(void *argument)
{
    (void)argument;
    int ier = 1;
    uint64_t value = 0;
    do {
        fmpl_recv(&value, sizeof value, rank, 60, &ier);
        CHECK(ier == FMPL_SUCCESS || ier == HAYATE_ERR_BUSY);
        refused += ier == HAYATE_ERR_BUSY;
        if (ier == FMPL_SUCCESS) arrived++;
        sched_yield();
    } while (ier != FMPL_SUCCESS);
    return NULL;
}

static void *feed(void *argument)
{
    (void)argument;
    for (uint64_t i = 0; i < THREADS; i++) {
        int ier = 1;
        pause_us(300);
        CALL_OK(fmpl_send(&i, sizeof i, rank, 60, &ier));
    }
    return NULL;
}

SCENARIO(should_refuse_all_but_one_thread_on_an_entry)
{
    pthread_t feeder;
    arrived = 0;
    CHECK(pthread_create(&feeder, NULL, feed, NULL) == 0);
    run_threads(contend);
    pthread_join(feeder, NULL);
    CHECK(arrived == THREADS);
}

/* Another thread completes what one waits for asleep: it must be woken at once. A sleep that nobody
 * ends takes 50 ms; a machine with other work delays some rounds as well. */
static void *sleeper(void *argument)
{
    fmpl_request_t *request = argument;
    int ier = 1;
    CALL_OK(fmpl_wait(request, &ier));
    return NULL;
}

SCENARIO(should_wake_a_thread_whose_operation_another_one_completed)
{
    int slow = 0;
    for (int i = 0; i < 100; i++) {
        uint8_t in[100], out[100] = {1};
        pthread_t thread;
        int ier = 1, done;
        fmpl_request_t request, other;
        CALL_OK(fmpl_irecv(in, sizeof in, rank, 61, &request, &ier));
        CALL_OK(fmpl_irecv(in, 1, rank, 62, &other, &ier));
        CHECK(pthread_create(&thread, NULL, sleeper, &request) == 0);
        if (i % 2) pause_us(3000); /* the first sleep is short */
        CALL_OK(fmpl_send(out, sizeof out, rank, 61, &ier));
        for (int k = 0; k < 20; k++) {
            fmpl_test(&other, &done, &ier); /* does everybody's work */
            CHECK_OK(ier);
        }
        uint64_t start = hy_now_ns();
        pthread_join(thread, NULL);
        slow += hy_now_ns() - start > UINT64_C(40000000);
        fmpl_cancel(&other, &done, &ier);
        CHECK(done == 1);
    }
    CHECK(slow < 25);
}

int main(int argc, char **argv)
{
    return ranks_run_scenarios(FMPL_DEFAULT_COUNT, argc, argv);
}
