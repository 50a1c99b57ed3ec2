/* SPDX-License-Identifier: Apache-2.0 */
/* How ranks begin and end: `lifecycle_program MODE`. What a rank was told goes to stdout. */
#include "fmpl/scenario.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "path/seccomp_fixture.h"

#define LONG_BYTES (64u << 20)
#define DEATH_MS 200

/* Of which the others are told; base/told_fixture.h. */
static void begin_event(void)
{
    printf("event at %llu\n", (unsigned long long)hy_now_ns());
    fflush(stdout);
}

static void tell(int ier)
{
    printf("code %d peer %d told at %llu: %s\n", ier, hayate_error_peer(),
           (unsigned long long)hy_now_ns(), ier ? hayate_error() : "");
    fflush(stdout);
}

/* ---- death: the last rank kills itself while the others are in a call that needs it ---- */

static int in_call(const char *what, uint8_t *memory)
{
    int ier = 1, comm, flag = 0, victim = size - 1;
    int64_t value = 1;
    fmpl_request_t request;
    if (strcmp(what, "recv") == 0) fmpl_recv(memory, 100, victim, 0, &ier);
    if (strcmp(what, "long-recv") == 0) fmpl_recv(memory, LONG_BYTES, victim, 0, &ier);
    if (strcmp(what, "long-send") == 0) fmpl_send(memory, LONG_BYTES, victim, 0, &ier);
    if (strcmp(what, "allreduce") == 0)
        fmpl_allreduce(&value, 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, NULL, &ier);
    if (strcmp(what, "barrier") == 0) fmpl_barrier(FMPL_COMM_WORLD, &ier);
    if (strcmp(what, "create") == 0) fmpl_comm_create(&comm, 1, &ier);
    if (strcmp(what, "wait") == 0) {
        CALL_OK(fmpl_irecv(memory, 100, victim, 0, &request, &ier));
        fmpl_wait(&request, &ier);
    }
    if (strcmp(what, "test") == 0) {
        CALL_OK(fmpl_irecv(memory, 100, victim, 0, &request, &ier));
        while (!flag && !ier) fmpl_test(&request, &flag, &ier);
    }
    return ier;
}

static void victim_of(const char *what)
{
    uint8_t *memory = malloc(LONG_BYTES);
    CHECK(memory != NULL);
    memset(memory, 1, LONG_BYTES);
    start_ranks(4);
    barrier();
    if (rank == size - 1) {
        usleep(DEATH_MS * 1000);
        begin_event();
        kill(getpid(), SIGKILL);
    }
    tell(in_call(what, memory));
    free(memory);
    _exit(0);
}

/* ---- leaving in order ---- */

/* Rank 1 sends and is gone; all it sent is received, then the reason is given. */
static void leave_after_sending(void)
{
    uint8_t data[2000];
    int ier = 1;
    start_ranks(4);
    for (int i = 0; i < 12 && rank == 1; i++) {
        fill(data, sizeof data, (uint64_t)i);
        CALL_OK(fmpl_send(data, i % 2 ? sizeof data : 40, 0, 0, &ier));
    }
    if (rank == 0) {
        usleep(100000);
        for (int i = 0; i < 12; i++) {
            CALL_OK(fmpl_recv(data, sizeof data, 1, 0, &ier));
            CHECK(holds(data, i % 2 ? sizeof data : 40, (uint64_t)i));
        }
        fmpl_recv(data, sizeof data, 1, 0, &ier);
        tell(ier);
    }
    fmpl_finalize(&ier);
    hayate_finalize();
}

/* Nobody is to be blamed for having finished its part of the last collective first. */
static void leave_after_collective(void)
{
    start_ranks(4);
    for (int i = 0; i < 3; i++) {
        int64_t value[700] = {rank};
        int ier = 1;
        if (rank == 2) pause_us(3000);
        CALL_OK(
            fmpl_reduce(value, i == 2 ? 700 : 1, FMPL_LONG_SUM, 0, FMPL_COMM_WORLD, NULL, &ier));
        CHECK(rank || value[0] == size * (size - 1) / 2);
    }
    _exit(0);
}

/* ---- closing while another thread is inside ---- */

static void *recv_for_ever(void *argument)
{
    (void)argument;
    int ier = 1;
    char byte;
    fmpl_recv(&byte, 1, size - 1, 1, &ier);
    tell(ier);
    return NULL;
}

static void *wait_for_ever(void *argument)
{
    (void)argument;
    int ier = 1, index;
    fmpl_request_t requests[2];
    char bytes[2];
    fmpl_irecv(bytes, 1, size - 1, 2, &requests[0], &ier);
    fmpl_irecv(bytes + 1, 1, size - 1, 3, &requests[1], &ier);
    fmpl_wait_any(2, requests, &index, &ier);
    tell(ier);
    return NULL;
}

static void close_under_threads(bool job)
{
    pthread_t threads[2];
    int ier = 1;
    char byte = 0;
    start_ranks(4);
    barrier();
    if (rank > 0) { /* stays until the other has closed */
        CALL_CODE(fmpl_recv(&byte, 1, 0, 0, &ier), HAYATE_ERR_PEER_FAILED);
        _exit(0);
    }
    pthread_create(&threads[0], NULL, recv_for_ever, NULL);
    pthread_create(&threads[1], NULL, wait_for_ever, NULL);
    usleep(100000);
    begin_event();
    if (job) hayate_finalize();
    else fmpl_finalize(&ier);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    CALL_CODE(fmpl_send(&byte, 1, 0, 0, &ier), HAYATE_ERR_CLOSED);
    CALL_CODE(fmpl_barrier(FMPL_COMM_WORLD, &ier), HAYATE_ERR_CLOSED);
    CALL_CODE(fmpl_comm_create(&ier, 1, &ier), HAYATE_ERR_CLOSED);
    CHECK_OK(hayate_finalize());
    CHECK(hayate_alloc(64) == NULL);
}

/* ---- opening ---- */

/* Eight messages to itself, and what they took. */
static void give_eager_buffers_back(void)
{
    uint8_t data[300] = {0};
    size_t given = 1;
    int ier = 1;
    CALL_OK(fmpl_trim(&given, &ier));
    CHECK(given == 0);
    for (int i = 0; i < 16; i++) {
        if (i < 8) fmpl_send(data, sizeof data, rank, 1, &ier);
        else fmpl_recv(data, sizeof data, rank, 1, &ier);
        CHECK_OK(ier);
    }
    CALL_OK(fmpl_trim(&given, &ier));
    CHECK(given == 8u * 4096);
    fmpl_trim(NULL, NULL);
}

static void open_with_areas(void)
{
    int ier = 1, unused;
    uint8_t byte = 5;
    CALL_CODE(fmpl_init(NULL, NULL, 4, &ier), HAYATE_ERR_STATE);
    CALL_CODE(fmpl_barrier(FMPL_COMM_WORLD, &ier), HAYATE_ERR_STATE);
    CALL_CODE(fmpl_test(NULL, &unused, &ier), HAYATE_ERR_STATE);
    CALL_CODE(fmpl_trim(NULL, &ier), HAYATE_ERR_STATE);
    CHECK(hayate_rank() == HAYATE_ERR_STATE);
    CHECK_OK(hayate_init());
    CHECK(hayate_init() == HAYATE_ERR_STATE);
    rank = hayate_rank();
    size = hayate_size();
    static const int counts[] = {0, -1, 65537, INT32_MAX};
    for (int i = 0; i < 4; i++)
        CALL_CODE(fmpl_init(NULL, NULL, counts[i], &ier), HAYATE_ERR_ARGUMENT);
    uint8_t *ma = hayate_alloc((size_t)size * 3 * FMPL_MATCH_BYTES);
    uint8_t *fa = hayate_alloc((size_t)size * 3 * FMPL_FLAG_BYTES);
    CHECK(ma && fa);
    memset(ma, 0xff, (size_t)size * 3 * FMPL_MATCH_BYTES);
    memset(fa, 0xff, (size_t)size * 3 * FMPL_FLAG_BYTES);
    CALL_OK(fmpl_init(ma, fa, 3, &ier));
    CALL_CODE(fmpl_init(ma, fa, 3, &ier), HAYATE_ERR_STATE);
    give_eager_buffers_back();
    CALL_OK(fmpl_send(&byte, 1, (rank + 1) % size, 2, &ier));
    CALL_OK(fmpl_recv(&byte, 1, (rank + size - 1) % size, 2, &ier));
    CALL_CODE(fmpl_send(&byte, 1, 0, 3, &ier), HAYATE_ERR_ARGUMENT);
    barrier();
    CALL_OK(fmpl_finalize(&ier));
#ifdef __SANITIZE_ADDRESS__ /* the one closed stays allocated for threads that are still inside */
    CHECK_OK(hayate_finalize());
#else
    fmpl_init(NULL, NULL, 1, &ier); /* once more on the same job */
    CHECK_OK(ier);
    end_ranks();
#endif
    fmpl_init(NULL, NULL, 1, &ier);
    CHECK_CODE(ier, HAYATE_ERR_CLOSED);
}

static void open_with_bad_areas(int kind)
{
    int ier = 1;
    CHECK_OK(hayate_init());
    rank = hayate_rank();
    size = hayate_size();
    uint8_t *heap = hayate_alloc(1 << 20), *stray = malloc(1 << 20);
    uint8_t *ma = kind == 0 ? stray : kind == 1 ? heap + 8 : kind == 2 ? NULL : heap;
    fmpl_init(rank == 0 ? ma : NULL, rank == 0 ? heap + (1 << 19) : NULL, 1, &ier);
    CHECK_CODE(ier, rank == 0 ? HAYATE_ERR_ARGUMENT : HAYATE_ERR_MISMATCH);
    free(stray);
    hayate_finalize();
}

static void open_with_counts_that_differ(void)
{
    int ier = 1;
    CHECK_OK(hayate_init());
    rank = hayate_rank();
    CALL_CODE(fmpl_init(NULL, NULL, rank == 1 ? 3 : 2, &ier), HAYATE_ERR_MISMATCH);
    CHECK(hayate_error_peer() == (rank == 1 ? 0 : 1));
    fmpl_init(NULL, NULL, 2, &ier); /* another try with the right one */
    CHECK_OK(ier);
    size = hayate_size();
    end_ranks();
}

static void open_only(void)
{
    int rc = hayate_init();
    printf("init %d: %s\n", rc, rc ? hayate_error() : "");
    fflush(stdout);
    if (!rc) hayate_finalize();
}

/* Each rank sends its number to all others, and receives theirs. */
static void exchange_by(int mai)
{
    int ier, me = hayate_rank(), ranks = hayate_size(), got;
    for (int step = 1; step < ranks; step++)
        CALL_OK(fmpl_send(&me, sizeof me, (me + step) % ranks, mai, &ier));
    for (int step = 1; step < ranks; step++) {
        CALL_OK(fmpl_recv(&got, sizeof got, (me + step) % ranks, mai, &ier));
        CHECK(got == (me + step) % ranks);
    }
}

static void open_with_entries(int count)
{
    int ier = 1;
    CHECK_OK(hayate_init());
    fmpl_init(NULL, NULL, count, &ier);
    printf("entries %d: %s\n", ier, ier ? hayate_error() : "");
    fflush(stdout);
    for (int turn = 0; !ier && turn < 3; turn++) exchange_by(count - 1 - turn);
    hayate_finalize();
}

/* ---- a child of a rank is not the rank ---- */

static void fork_a_child(void)
{
    uint8_t *memory;
    int ier = 1, status = 1;
    start_ranks(4);
    memory = memory_of(true, 300000);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (i == 1) fmpl_finalize(NULL);
            if (i > 0) hayate_finalize();
            exit(0);
        }
        waitpid(child, &status, 0);
        CHECK(status == 0);
        fill(memory, 300000, (uint64_t)i);
        CALL_OK(fmpl_bcast(memory, 300000, 0, FMPL_COMM_WORLD, &ier));
        CHECK(holds(memory, 300000, (uint64_t)i));
    }
    memory_free(true, memory);
    end_ranks();
}

/* ---- without single copy ---- */

static void long_messages(bool forbidden)
{
    if (forbidden && !seccomp_forbid_single_copy()) {
        printf("no seccomp\n");
        return;
    }
    int rc = hayate_init();
    if (rc) {
        printf("init %d: %s\n", rc, hayate_error());
        return;
    }
    int ier = 1;
    CALL_OK(fmpl_init(NULL, NULL, 2, &ier));
    rank = hayate_rank();
    size = hayate_size();
    uint8_t *out = malloc(1 << 20), *in = malloc(1 << 20);
    fmpl_request_t request;
    fill(out, 1 << 20, (uint64_t)rank);
    CALL_OK(fmpl_irecv(in, 1 << 20, (rank + 1) % size, 0, &request, &ier));
    CALL_OK(fmpl_send(out, 1 << 20, (rank + size - 1) % size, 0, &ier));
    CALL_OK(fmpl_wait(&request, &ier));
    CHECK(holds(in, 1 << 20, (uint64_t)((rank + 1) % size)));
    for (int root = 0; root < size; root++)
        CALL_OK(fmpl_bcast(in, 1 << 20, root, FMPL_COMM_WORLD, &ier));
    free(out);
    free(in);
    end_ranks();
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    scenario_now = mode;
    alarm(420);
    if (strcmp(mode, "victim") == 0) victim_of(how);
    else if (strcmp(mode, "leave-sending") == 0) leave_after_sending();
    else if (strcmp(mode, "leave-collective") == 0) leave_after_collective();
    else if (strcmp(mode, "close") == 0) close_under_threads(strcmp(how, "job") == 0);
    else if (strcmp(mode, "areas") == 0) open_with_areas();
    else if (strcmp(mode, "bad-areas") == 0) open_with_bad_areas(atoi(how));
    else if (strcmp(mode, "counts") == 0) open_with_counts_that_differ();
    else if (strcmp(mode, "open") == 0) open_only();
    else if (strcmp(mode, "entries") == 0) open_with_entries(atoi(how));
    else if (strcmp(mode, "fork") == 0) fork_a_child();
    else if (strcmp(mode, "long") == 0) long_messages(strcmp(how, "forbidden") == 0);
    else return 9;
    return 0;
}
