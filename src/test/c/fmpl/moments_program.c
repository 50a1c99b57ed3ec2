/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `moments_program stop|kill WORK SEED`: ranks work and look at their data, while another rank
 * stops one of them for moments and lets it go on, or kills it at a moment that the seed chooses.
 * Stopped, nothing is lost; killed, all others are told who it was. They say when, in this
 * machine's time.
 */
#include "fmpl/scenario.h"

#include <pthread.h>
#include <signal.h>

#include <hayate/ompl.h>
#include <hayate/pcoll.h>

#include "base/random_fixture.h"

#define EAGER 2000
#define LONG 300000
#define MOST 5000 /* elements of a reduction */
#define BLOCK 3000
#define ROUNDS 16 /* between two looks whether to go on */
#define STOPS 6

/* A round of a work, on all ranks: 0, or the error that ended it. */
typedef int round_of_work(uint64_t round);

typedef struct work {
    const char *name;
    void (*prepare)(const char *options); /* NULL: nothing */
    round_of_work *run;
    const char *options;
} work;

static int victim, tormentor;
static bool kills;
static uint64_t seed;
static int64_t victim_pid;
static uint64_t stops; /* of the tormentor's thread */
static _Atomic bool over;
static uint8_t *mine, *theirs; /* LONG bytes each, or a block for each rank */
static int64_t *numbers;       /* MOST */
static pcoll_t operation;

static uint64_t mark(int from, uint64_t round)
{
    return round * 1000 + (uint64_t)from;
}

/* ---- messages: the victim has a conversation with each of the others ---- */

static int answer(int peer, uint64_t bytes, uint64_t round)
{
    int ier = 1;
    fmpl_recv(theirs, bytes, peer, 0, &ier);
    if (ier) return ier;
    CHECK(holds(theirs, bytes, mark(peer, round)));
    fill(mine, bytes, mark(rank, round));
    fmpl_send(mine, bytes, peer, 0, &ier);
    return ier;
}

static int ask(uint64_t bytes, uint64_t round)
{
    int ier = 1;
    fill(mine, bytes, mark(rank, round));
    fmpl_send(mine, bytes, victim, 0, &ier);
    if (!ier) fmpl_recv(theirs, bytes, victim, 0, &ier);
    if (!ier) CHECK(holds(theirs, bytes, mark(victim, round)));
    return ier;
}

static int converse(uint64_t bytes, uint64_t round)
{
    int ier = 0;
    if (rank != victim) return ask(bytes, round);
    for (int peer = 0; peer < size && !ier; peer++)
        if (peer != victim) ier = answer(peer, bytes, round);
    return ier;
}

static int tiny(uint64_t round)
{
    return converse(8, round);
}

static int eager(uint64_t round)
{
    return converse(EAGER, round);
}

static int longs(uint64_t round)
{
    return converse(LONG, round);
}

/* Both directions at once, lengths mixed, taken as they come. */
static int requests(uint64_t round)
{
    static const uint64_t bytes[] = {8, EAGER, LONG / 4};
    int ier = 0, peer = rank == victim ? (int)(round % (uint64_t)size) : victim, index;
    fmpl_request_t all[6];
    if (peer == rank || (rank != victim && (uint64_t)rank != round % (uint64_t)size)) return 0;
    for (int i = 0; i < 3 && !ier; i++) {
        fill(mine + i * (LONG / 4), bytes[i], mark(rank, round + (uint64_t)i));
        fmpl_irecv(theirs + i * (LONG / 4), bytes[i], peer, i, &all[i], &ier);
        if (!ier) fmpl_isend(mine + i * (LONG / 4), bytes[i], peer, i, &all[3 + i], &ier);
    }
    for (int i = 0; i < 6 && !ier; i++) fmpl_wait_any(6, all, &index, &ier);
    for (int i = 0; i < 3 && !ier; i++)
        CHECK(holds(theirs + i * (LONG / 4), bytes[i], mark(peer, round + (uint64_t)i)));
    return ier;
}

/* ---- collectives ---- */

static void fill_numbers(uint64_t round)
{
    for (int i = 0; i < MOST; i++) numbers[i] = (int64_t)round + rank * i;
}

static bool are_sums(const int64_t *of, int first, int count, uint64_t round)
{
    int64_t ranks = (int64_t)size * (size - 1) / 2;
    for (int i = 0; i < count; i++)
        if (of[i] != size * (int64_t)round + ranks * (first + i)) return false;
    return true;
}

static int broadcast(uint64_t round)
{
    int ier = 1, root = (int)(round % (uint64_t)size);
    if (rank == root) fill(mine, EAGER * 10, round);
    if (round % 3) fmpl_bcast(mine, EAGER * 10, root, FMPL_COMM_WORLD, &ier);
    else fmpl_hbcast(mine, EAGER * 10, root, &ier);
    if (!ier) CHECK(holds(mine, EAGER * 10, round));
    return ier;
}

static int reduce(uint64_t round)
{
    int ier = 1, root = (int)(round % (uint64_t)size), count = round % 2 ? 1 : MOST;
    fill_numbers(round);
    fmpl_reduce(numbers, (size_t)count, FMPL_LONG_SUM, root, FMPL_COMM_WORLD, NULL, &ier);
    if (!ier && rank == root) CHECK(are_sums(numbers, 0, count, round));
    return ier;
}

static int allreduce(uint64_t round)
{
    int ier = 1, count = round % 2 ? 1 : MOST;
    fill_numbers(round);
    fmpl_allreduce(numbers, (size_t)count, FMPL_LONG_SUM, FMPL_COMM_WORLD, NULL, &ier);
    if (!ier) CHECK(are_sums(numbers, 0, count, round));
    return ier;
}

static int meet(uint64_t round)
{
    (void)round;
    int ier = 1;
    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    return ier;
}

static int create(uint64_t round)
{
    (void)round;
    int ier = 1, comm = FMPL_COMM_NULL, members = 0;
    fmpl_comm_create(&comm, 1, &ier);
    if (!ier) fmpl_comm_size(comm, &members, &ier);
    if (!ier) CHECK(members == size);
    if (!ier) fmpl_barrier(comm, &ier);
    if (!ier) fmpl_comm_free(&comm, &ier);
    return ier;
}

/* ---- persistent collectives ---- */

static int run_prepared(void)
{
    int rc = pcoll_start(operation);
    return rc ? rc : pcoll_wait(operation);
}

static void prepare_bcast(const char *options)
{
    CHECK_OK(pcoll_bcast_init(mine, EAGER * 10, 0, FMPL_COMM_WORLD, options, &operation));
}

static int run_bcast(uint64_t round)
{
    if (rank == 0) fill(mine, EAGER * 10, round);
    int rc = run_prepared();
    if (!rc) CHECK(holds(mine, EAGER * 10, round));
    return rc;
}

static void prepare_allreduce(const char *options)
{
    CHECK_OK(
        pcoll_allreduce_init(numbers, MOST, FMPL_LONG_SUM, FMPL_COMM_WORLD, options, &operation));
}

static int run_allreduce(uint64_t round)
{
    fill_numbers(round);
    int rc = run_prepared();
    if (!rc) CHECK(are_sums(numbers, 0, MOST, round));
    return rc;
}

static void prepare_gather(const char *options)
{
    CHECK_OK(pcoll_gather_init(mine, BLOCK, theirs, 0, FMPL_COMM_WORLD, options, &operation));
}

static int run_gather(uint64_t round)
{
    fill(mine, BLOCK, mark(rank, round));
    int rc = run_prepared();
    for (int from = 0; from < size && !rc && rank == 0; from++)
        CHECK(holds(theirs + from * BLOCK, BLOCK, mark(from, round)));
    return rc;
}

static void prepare_alltoall(const char *options)
{
    CHECK_OK(pcoll_alltoall_init(mine, theirs, BLOCK, FMPL_COMM_WORLD, options, &operation));
}

static int run_alltoall(uint64_t round)
{
    for (int to = 0; to < size; to++) fill(mine + to * BLOCK, BLOCK, mark(rank * size + to, round));
    int rc = run_prepared();
    for (int from = 0; from < size && !rc; from++)
        CHECK(holds(theirs + from * BLOCK, BLOCK, mark(from * size + rank, round)));
    return rc;
}

static void prepare_allgather(const char *options)
{
    CHECK_OK(pcoll_allgather_init(mine, BLOCK, theirs, FMPL_COMM_WORLD, options, &operation));
}

static int run_allgather(uint64_t round)
{
    fill(mine, BLOCK, mark(rank, round));
    int rc = run_prepared();
    for (int from = 0; from < size && !rc; from++)
        CHECK(holds(theirs + from * BLOCK, BLOCK, mark(from, round)));
    return rc;
}

static void prepare_reduce_scatter(const char *options)
{
    CHECK_OK(pcoll_reduce_scatter_init(numbers, theirs, (size_t)(MOST / size), FMPL_LONG_SUM,
                                       FMPL_COMM_WORLD, options, &operation));
}

static int run_reduce_scatter(uint64_t round)
{
    fill_numbers(round);
    int rc = run_prepared(), count = MOST / size;
    if (!rc) CHECK(are_sums((const int64_t *)(const void *)theirs, rank * count, count, round));
    return rc;
}

static void prepare_barrier(const char *options)
{
    CHECK_OK(pcoll_barrier_init(FMPL_COMM_WORLD, options, &operation));
}

static int run_barrier(uint64_t round)
{
    (void)round;
    return run_prepared();
}

/* ---- global space: data and flags round the ring, and atomics on the victim ---- */

enum { ARRIVED = 0, TAKEN = 64, SUM = 128, DATA = 4096 };

static void prepare_space(const char *options)
{
    (void)options;
    CHECK_OK(ompl_init(DATA + LONG));
}

static int ring(uint64_t round)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    fill(mine, EAGER, mark(rank, round));
    int rc = ompl_put_signal(mine, next, DATA, EAGER, ARRIVED, NULL);
    if (!rc) rc = ompl_wait(ARRIVED);
    if (!rc) CHECK(holds((uint8_t *)ompl_memory() + DATA, EAGER, mark(previous, round)));
    if (!rc) rc = ompl_clear(ARRIVED);
    if (!rc) rc = ompl_put_word(previous, TAKEN);
    if (!rc) rc = ompl_wait(TAKEN);
    return rc ? rc : ompl_clear(TAKEN);
}

static int atomics(uint64_t round)
{
    int rc = 0;
    uint64_t seen = 0;
    for (int i = 0; i < 8 && !rc; i++) rc = ompl_fetch_add(victim, SUM, 1, &seen);
    if (!rc) rc = ompl_flush(victim);
    if (!rc) rc = meet(round);
    if (!rc) rc = ompl_fetch(victim, SUM, &seen);
    if (!rc) CHECK(seen == 8 * (uint64_t)size * (round + 1));
    return rc ? rc : meet(round);
}

static const work works[] = {
    {"tiny", NULL, tiny, NULL},
    {"eager", NULL, eager, NULL},
    {"long", NULL, longs, NULL},
    {"requests", NULL, requests, NULL},
    {"bcast", NULL, broadcast, NULL},
    {"reduce", NULL, reduce, NULL},
    {"allreduce", NULL, allreduce, NULL},
    {"barrier", NULL, meet, NULL},
    {"create", NULL, create, NULL},
    {"persistent-bcast", prepare_bcast, run_bcast, "progress=thread"},
    {"persistent-allreduce", prepare_allreduce, run_allreduce, ""},
    {"persistent-gather", prepare_gather, run_gather, "progress=caller"},
    {"persistent-alltoall", prepare_alltoall, run_alltoall, ""},
    {"persistent-allgather", prepare_allgather, run_allgather, "progress=thread"},
    {"persistent-reduce-scatter", prepare_reduce_scatter, run_reduce_scatter, ""},
    {"persistent-barrier", prepare_barrier, run_barrier, "progress=caller"},
    {"ring", prepare_space, ring, NULL},
    {"atomics", prepare_space, atomics, NULL},
};

/* ---- what is done to the victim, by a thread of another rank ---- */

static void say_and_kill(pid_t pid)
{
    char text[64];
    int length = snprintf(text, sizeof text, "event at %llu\n", (unsigned long long)hy_now_ns());
    CHECK(write(1, text, (size_t)length) == length && kill(pid, SIGKILL) == 0);
}

static void *torment(void *unused)
{
    pid_t pid = (pid_t)victim_pid;
    if (kills) {
        usleep((unsigned)(random_draw(&seed) % 8000));
        say_and_kill(pid);
        return unused;
    }
    for (; stops < STOPS || !over; stops++) {
        usleep((unsigned)(random_draw(&seed) % 2000));
        CHECK(kill(pid, SIGSTOP) == 0);
        usleep((unsigned)(random_draw(&seed) % (random_draw(&seed) % 8 ? 4000 : 40000)));
        CHECK(kill(pid, SIGCONT) == 0);
    }
    return unused;
}

/* Before the ranks have met nobody knows the victim's process but itself. */
static void *die(void *unused)
{
    usleep((unsigned)(random_draw(&seed) % 3000));
    say_and_kill(getpid());
    return unused;
}

static void tell(int code)
{
    printf("code %d peer %d told at %llu: %s\n", code, hayate_error_peer(),
           (unsigned long long)hy_now_ns(), code ? hayate_error() : "");
    fflush(stdout);
    _exit(0);
}

/* Until the victim was stopped often enough, which its tormentor knows; or for ever. */
static bool goes_on(void)
{
    int ier = 1;
    int64_t more = rank == tormentor && (kills || *(volatile uint64_t *)&stops < STOPS);
    fmpl_allreduce(&more, 1, FMPL_LONG_ABS_MAX, FMPL_COMM_WORLD, NULL, &ier);
    if (ier) tell(ier);
    return more != 0;
}

static uint64_t go_through(const work *what)
{
    uint64_t round = 0;
    pthread_t thread;
    int ier = 1;
    if (what->prepare) what->prepare(what->options);
    victim_pid = getpid();
    CALL_OK(fmpl_bcast(&victim_pid, sizeof victim_pid, victim, FMPL_COMM_WORLD, &ier));
    barrier();
    if (rank == tormentor) CHECK(pthread_create(&thread, NULL, torment, NULL) == 0);
    do {
        for (int i = 0; i < ROUNDS; i++) {
            ier = what->run(round++);
            if (ier) tell(ier);
        }
    } while (goes_on());
    over = true;
    if (rank == tormentor) pthread_join(thread, NULL);
    return round;
}

/* The victim dies somewhere on its way into the job, or in the first barriers. */
static void begin_and_die(void)
{
    int ier = 1;
    pthread_t thread;
    victim = atoi(getenv("HAYATE_SIZE")) - 1;
    rank = atoi(getenv("HAYATE_RANK"));
    if (rank == victim) CHECK(pthread_create(&thread, NULL, die, NULL) == 0);
    int rc = hayate_init();
    if (!rc) {
        fmpl_init(NULL, NULL, 4, &ier);
        rc = ier;
    }
    while (!rc) rc = meet(0);
    tell(rc);
}

int main(int argc, char **argv)
{
    CHECK(argc == 4);
    scenario_now = argv[2];
    kills = strcmp(argv[1], "kill") == 0;
    seed = strtoull(argv[3], NULL, 10) * 2654435761u + 1;
    printf("pid %d\n", (int)getpid());
    fflush(stdout);
    for (int i = 0; i < 8; i++) random_draw(&seed);
    if (strcmp(argv[2], "begin") == 0) begin_and_die();
    start_ranks(4);
    victim = (int)(random_draw(&seed) % (uint64_t)size);
    tormentor = (victim + 1) % size;
    bool in_heap = random_draw(&seed) % 2;
    mine = memory_of(in_heap, LONG), theirs = memory_of(in_heap, LONG);
    numbers = (int64_t *)(void *)memory_of(in_heap, MOST * sizeof *numbers);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        if (strcmp(works[i].name, argv[2]) != 0) continue;
        uint64_t rounds = go_through(&works[i]);
        if (rank == tormentor)
            printf("%llu rounds, %llu stops\n", (unsigned long long)rounds,
                   (unsigned long long)stops);
        if (operation) CHECK_OK(pcoll_free(&operation));
        end_ranks();
        return 0;
    }
    CHECK(!"a work");
    return 9;
}
