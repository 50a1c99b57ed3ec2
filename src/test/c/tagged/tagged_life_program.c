/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Messages with tags, as a rank: their memory, communicators that come and go, several threads. */
#include "tagged/tagged_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- memory ---- */

/* More than a receiver keeps: sends go on as announcements, and a late receive finds each. */
SCENARIO(should_keep_a_flood_with_its_sender)
{
    enum { BYTES = 4000 };
    uint64_t n = hy_tagged_window(comms[0]) / BYTES * 2;
    if (is_light()) return;
    uint64_t *requests = calloc(n, sizeof *requests);
    uint8_t *out = malloc(BYTES), *in = malloc(BYTES);
    hy_tag_status status;
    fill(out, BYTES, 1);
    for (uint64_t i = 0; i < n; i++)
        CHECK_OK(hy_tagged_isend(comms[0], at(out), BYTES, right(), (int)(i % 7), HY_TAG_STANDARD,
                                 &requests[i]));
    for (int tag = 6; tag >= 0; tag--) {
        for (uint64_t i = (uint64_t)tag; i < n; i += 7) {
            memset(in, 0, BYTES);
            CHECK_OK(hy_tagged_recv(comms[0], at(in), BYTES, left(), tag, &status));
            CHECK(status.bytes == BYTES && holds(in, BYTES, 1));
        }
    }
    for (uint64_t i = 0; i < n; i++) wait_one(requests[i], &status);
    free(requests);
    free(out);
    free(in);
}

/* What was kept and then received makes room again: short sends need no receive. */
SCENARIO(should_send_at_once_again_after_a_flood)
{
    enum { BYTES = 1000 };
    uint64_t n = hy_tagged_window(comms[1]) / (BYTES + 64) * 3 / 5;
    uint8_t *out = malloc(BYTES), *in = malloc(BYTES);
    hy_tag_status status;
    fill(out, BYTES, 1);
    for (int flood = 0; flood < (is_light() ? 0 : 4); flood++) {
        for (uint64_t i = 0; i < n; i++) /* nobody receives */
            CHECK_OK(hy_tagged_send(comms[1], at(out), BYTES, right(), 1, HY_TAG_STANDARD));
        CHECK_OK(hy_tagged_send(comms[0], at(out), 8, right(), 2, HY_TAG_STANDARD));
        CHECK_OK(hy_tagged_recv(comms[0], at(in), 8, left(), 2, &status));
        for (uint64_t i = 0; i < n; i++)
            CHECK_OK(hy_tagged_recv(comms[1], at(in), BYTES, left(), 1, &status));
        barrier();
    }
    free(out);
    free(in);
}

/* More answers than there is room for. */
SCENARIO(should_cancel_many_sends)
{
    enum { N = 60 };
    hy_tag_status status;
    uint64_t requests[N], done;
    uint8_t out[40] = {0}, in[40];
    for (int i = 0; i < N; i++)
        CHECK_OK(hy_tagged_isend(comms[0], at(out), sizeof out, right(), 3, HY_TAG_SYNCHRONOUS,
                                 &requests[i]));
    for (int i = 0; i < N; i++) CHECK_OK(hy_tag_cancel(tags, requests[i]));
    for (int i = 0; i < N; i++)
        CHECK_CODE(hy_tag_wait(tags, requests[i], &status), HAYATE_ERR_CANCELLED);
    CHECK_OK(hy_tagged_isend(comms[0], at(out), 8, right(), 8, HY_TAG_STANDARD, &done));
    CHECK_OK(hy_tagged_recv(comms[0], at(in), sizeof in, left(), 8, &status));
    wait_one(done, &status);
    barrier();
    CHECK_CODE(hy_tagged_probe(comms[0], left(), 3, false, &status, NULL), HAYATE_IN_PROGRESS);
}

/* A rank that waits for something else, a barrier, answers all the same. */
SCENARIO(should_answer_a_cancel_in_a_collective)
{
    hy_tag_status status;
    uint64_t request;
    uint8_t out[40] = {0};
    if (size == 1) return;
    barrier();
    if (rank == 0) {
        CHECK_OK(
            hy_tagged_isend(comms[0], at(out), sizeof out, 1, 3, HY_TAG_SYNCHRONOUS, &request));
        CHECK_OK(hy_tag_cancel(tags, request));
        CHECK_CODE(hy_tag_wait(tags, request, &status), HAYATE_ERR_CANCELLED);
    }
    barrier();
}

/* The send goes on, and arrives. */
static hy_tagged *third;

static void *send_long(void *memory)
{
    CHECK_OK(hy_tagged_send(third, at(memory), MOST, right(), 4, HY_TAG_STANDARD));
    return NULL;
}

SCENARIO(should_close_without_waiting_for_a_call)
{
    hy_tag_status status;
    pthread_t thread;
    int go = 1;
    uint64_t request;
    if (size == 1) return;
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    fill(out, MOST, 3);
    CHECK_OK(hy_tagged_open(tags, FMPL_COMM_WORLD, &third));
    CHECK(pthread_create(&thread, NULL, send_long, out) == 0);
    CHECK_OK(hy_tagged_probe(third, left(), 4, true, &status, NULL));
    CHECK_OK(hy_tagged_send(comms[0], at(&go), sizeof go, left(), 5, HY_TAG_STANDARD));
    CHECK_OK(hy_tagged_recv(comms[0], at(&go), sizeof go, right(), 5, &status)); /* ours is seen */
    CHECK_OK(hy_tagged_irecv(third, at(in), MOST, left(), 4, &status, &request));
    hy_tagged_close(third);
    CHECK_OK(hy_tagged_send(comms[0], at(&go), sizeof go, right(), 6, HY_TAG_STANDARD));
    CHECK_OK(hy_tagged_recv(comms[0], at(&go), sizeof go, left(), 6, &status));
    wait_one(request, &status);
    pthread_join(thread, NULL);
    CHECK(holds(in, MOST, 3));
    free(out);
    free(in);
}

SCENARIO(should_make_and_free_communicators)
{
    for (int i = 0; i < 20; i++) {
        hy_tagged *made;
        hy_tag_status status;
        int out = i, in = -1;
        CHECK_OK(hy_tagged_open(tags, FMPL_COMM_WORLD, &made));
        CHECK_OK(hy_tagged_send(made, at(&out), sizeof out, right(), 0, HY_TAG_STANDARD));
        CHECK_OK(hy_tagged_recv(made, at(&in), sizeof in, left(), 0, &status));
        CHECK(in == i);
        hy_tagged_close(made);
        CHECK_CODE(hy_tagged_send(made, at(&out), sizeof out, right(), 0, HY_TAG_STANDARD),
                   HAYATE_ERR_CLOSED);
    }
}

/* Two halves, each of which sends to the other one only. */
SCENARIO(should_number_the_members_of_a_part_from_0)
{
    int low = size / 2, is_low = rank < low;
    int first = is_low ? low : 0, count = is_low ? size - low : low;
    hy_tagged *part;
    if (size < 2) return;
    CHECK_OK(hy_tagged_open_part(tags, FMPL_COMM_WORLD, first, count, &part));
    for (int i = 0; i < count; i++) {
        uint64_t request;
        hy_tag_status status;
        CHECK_OK(hy_tagged_isend(part, at(&rank), sizeof rank, i, 3, HY_TAG_STANDARD, &request));
        wait_one(request, &status);
    }
    for (int i = 0; i < count; i++) {
        hy_tag_status status;
        int in = -1;
        CHECK_OK(hy_tagged_recv(part, at(&in), sizeof in, HY_ANY_MEMBER, 3, &status));
        CHECK(in == first + status.member);
    }
    CHECK_CODE(hy_tagged_send(part, at(&rank), sizeof rank, count, 0, HY_TAG_STANDARD),
               HAYATE_ERR_ARGUMENT);
    hy_tagged_close(part);
}

/* ---- threads ---- */

enum { THREADS = 3 };

static void *exchange(void *argument)
{
    int mine = (int)(intptr_t)argument;
    uint8_t *out = malloc(MOST), *in = malloc(MOST);
    unsigned random = (unsigned)mine;
    for (int i = 0; i < (is_light() ? 10 : 60); i++) {
        uint64_t bytes = sizes[(size_t)rand_r(&random) % (sizeof sizes / sizeof *sizes)], request;
        uint64_t seed = (uint64_t)(mine * 1000 + i);
        hy_tag_status status;
        fill(out, bytes, seed);
        if (i % 3 == 0) {
            CHECK_OK(hy_tagged_irecv(comms[0], at(in), MOST, left(), mine, &status, &request));
            CHECK_OK(hy_tagged_send(comms[0], at(out), bytes, right(), mine, HY_TAG_STANDARD));
        } else {
            CHECK_OK(hy_tagged_isend(comms[0], at(out), bytes, right(), mine, HY_TAG_STANDARD,
                                     &request));
            CHECK_OK(hy_tagged_recv(comms[0], at(in), MOST, i % 3 == 1 ? left() : HY_ANY_MEMBER,
                                    mine, &status));
        }
        hy_tag_status last = status;
        wait_one(request, &last);
        if (i % 3 == 0 && request) status = last;
        CHECK(status.bytes == bytes && status.tag == mine && holds(in, bytes, seed));
    }
    free(out);
    free(in);
    return NULL;
}

SCENARIO(should_serve_several_threads_on_one_communicator)
{
    pthread_t threads[THREADS];
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, exchange, (void *)i) == 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

static atomic_bool over;

static void *make_progress(void *unused)
{
    hy_tag_status status;
    hy_arrived *taken;
    while (!atomic_load(&over))
        if (hy_tagged_probe(comms[0], HY_ANY_MEMBER, 99, false, &status, &taken) == HAYATE_OK)
            CHECK(!"a message that nobody has sent");
    return unused;
}

/* Another thread takes messages out of the channel while receives from any member are posted. */
SCENARIO(should_keep_the_order_while_another_thread_makes_progress)
{
    enum { DEEP = 24 };
    pthread_t other;
    atomic_store(&over, false);
    CHECK(pthread_create(&other, NULL, make_progress, NULL) == 0);
    for (int i = 0; i < (is_light() ? 50 : 1000); i++) {
        uint64_t in[DEEP], out[DEEP], requests[2 * DEEP] = {0};
        hy_tag_status status;
        for (int k = 0; k < DEEP; k++) {
            out[k] = (uint64_t)(i * DEEP + k);
            CHECK_OK(hy_tagged_isend(comms[1], at(&out[k]), 8, right(), k % 3, HY_TAG_STANDARD,
                                     &requests[k]));
        }
        for (int k = 0; k < DEEP; k++)
            CHECK_OK(hy_tagged_irecv(comms[1], at(&in[k]), 8, HY_ANY_MEMBER, HY_ANY_TAG, &status,
                                     &requests[DEEP + k]));
        for (int k = 0; k < 2 * DEEP; k++) wait_one(requests[k], &status);
        for (int k = 0; k < DEEP; k++) CHECK(in[k] == (uint64_t)(i * DEEP + k));
    }
    atomic_store(&over, true);
    pthread_join(other, NULL);
}

/* Messages that any receive of two threads may get: each is got by one. */
static void *race(void *sum)
{
    enum { TAG = 17, DEEP = 4 };
    unsigned random = (unsigned)(uintptr_t)sum;
    for (int i = 0; i < (is_light() ? 20 : 2000); i++) {
        uint64_t in[DEEP], out[DEEP], requests[2 * DEEP] = {0};
        hy_tag_status status;
        for (int k = 0; k < DEEP; k++) {
            bool wild = rand_r(&random) % 2, posts_first = rand_r(&random) % 2;
            out[k] = (uint64_t)(i * DEEP + k);
            if (!posts_first)
                CHECK_OK(hy_tagged_isend(comms[1], at(&out[k]), 8, right(), TAG, HY_TAG_STANDARD,
                                         &requests[k]));
            CHECK_OK(hy_tagged_irecv(comms[1], at(&in[k]), 8, wild ? HY_ANY_MEMBER : left(),
                                     rand_r(&random) % 2 ? HY_ANY_TAG : TAG, &status,
                                     &requests[DEEP + k]));
            if (posts_first)
                CHECK_OK(hy_tagged_isend(comms[1], at(&out[k]), 8, right(), TAG, HY_TAG_STANDARD,
                                         &requests[k]));
        }
        for (int k = 0; k < 2 * DEEP; k++) wait_one(requests[k], &status);
        for (int k = 0; k < DEEP; k++) *(uint64_t *)sum += in[k];
    }
    return NULL;
}

SCENARIO(should_give_each_message_to_one_of_the_receives_that_race)
{
    pthread_t other;
    uint64_t sums[2] = {0, 0}, n = 4 * (is_light() ? 20 : 2000);
    CHECK(pthread_create(&other, NULL, race, &sums[1]) == 0);
    race(&sums[0]);
    pthread_join(other, NULL);
    CHECK(sums[0] + sums[1] == n * (n - 1));
}

int main(int argc, char **argv)
{
    return tagged_main(argc, argv);
}
