/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranks that are killed one after the other, each in the middle of an operation that all others are
 * in with it: `kill_program FILE SEED`. In every round a rank is chosen by the seed, kills itself
 * at a moment of the seed's, and those that are left must be told who it was, within a time. Then
 * they meet without the dead, and go on. FILE holds what outlives a rank: `page`.
 *
 * Operations of which all ranks of the job are part are for the first round alone: afterwards they
 * fail at once, as they should.
 */
#include <hayate/fmpl.h>
#include <hayate/ompl.h>
#include <hayate/pcoll.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "base/random_fixture.h"
#include "fmpl/scenario.h"
#include "job/kill_page.h"
#include "init/join.h"

#define LONG (1 << 20)
#define SPACE (2 * LONG)
#define TOLD_MS 9000 /* who refuses connections is believed after 2 s, who is silent after 10 s */
#define SOON 30000   /* us, within which a rank is killed */

static kill_page *page;
static uint64_t seed;
static uint8_t *out, *in; /* LONG bytes */
static bool dead[KILL_RANKS];
static int victim; /* of this round */
static pcoll_t prepared;

/* ---- operations: until one says that something is wrong ---- */

/* Of the others, one after the other. */
static int next_peer(int peer)
{
    do peer = (peer + 1) % size;
    while (dead[peer] || peer == rank);
    return peer;
}

static int pass(size_t bytes, int peer, bool first)
{
    int ier = 0;
    if (first) fmpl_send(out, bytes, peer, 0, &ier);
    if (!ier) fmpl_recv(in, bytes, peer, 0, &ier);
    if (!ier && !first) fmpl_send(out, bytes, peer, 0, &ier);
    return ier;
}

static int exchange(size_t bytes)
{
    static int peer;
    if (rank != victim) return pass(bytes, victim, true);
    peer = next_peer(peer);
    return pass(bytes, peer, false);
}

static int short_messages(void)
{
    return exchange(100);
}

static int long_messages(void)
{
    return exchange(LONG);
}

/* More than the victim takes: most of the time they wait for room. */
static int stream(void)
{
    int ier = 0;
    if (rank == victim) usleep(1000);
    for (int peer = next_peer(rank); rank == victim && !ier && peer != rank;) {
        int after = next_peer(peer);
        fmpl_recv(in, 8, peer, 1, &ier);
        if (after == next_peer(rank)) break;
        peer = after;
    }
    if (rank != victim) fmpl_send(out, 8, victim, 1, &ier);
    return ier;
}

static int any_message(void)
{
    fmpl_request_t requests[2] = {FMPL_REQUEST_NULL, FMPL_REQUEST_NULL};
    int ier = 0, index;
    if (rank == victim) return exchange(8);
    fmpl_send(out, 8, victim, 0, &ier);
    if (!ier) fmpl_irecv(in, 8, victim, 0, &requests[0], &ier);
    if (!ier) fmpl_irecv(in + 64, 8, victim, 2, &requests[1], &ier);
    if (!ier) fmpl_wait_any(2, requests, &index, &ier);
    int cancelled, ignored;
    if (!ier) fmpl_cancel(&requests[1], &cancelled, &ignored);
    return ier;
}

static int allreduce(void)
{
    int64_t sums[1000] = {1};
    int ier = 1;
    fmpl_allreduce(sums, random_draw(&seed) % 2 ? 1000 : 1, FMPL_LONG_SUM, FMPL_COMM_WORLD, NULL,
                   &ier);
    return ier;
}

static int bcast(void)
{
    int ier = 1;
    fmpl_bcast(in, LONG, 0, FMPL_COMM_WORLD, &ier);
    return ier;
}

static int barriers(void)
{
    int ier = 1;
    fmpl_barrier(FMPL_COMM_WORLD, &ier);
    return ier;
}

static int create(void)
{
    int ier = 1, made;
    fmpl_comm_create(&made, 1, &ier);
    if (!ier) fmpl_comm_free(&made, &ier);
    return ier;
}

static int split(void)
{
    int ier = 1, part, own;
    fmpl_comm_split(FMPL_COMM_WORLD, rank % 2, 0, &part, &ier);
    if (ier) return ier;
    fmpl_comm_split(part, 0, -rank, &own, &ier);
    if (!ier) fmpl_comm_free(&own, &ier);
    if (!ier) fmpl_comm_free(&part, &ier);
    return ier;
}

static int persistent(const char *options)
{
    static int64_t sums[1000];
    int rc = prepared ? HAYATE_OK
                      : pcoll_allreduce_init(sums, 1000, FMPL_LONG_SUM, FMPL_COMM_WORLD, options,
                                             &prepared);
    if (!rc) rc = pcoll_start(prepared);
    if (!rc) rc = pcoll_wait(prepared);
    return rc;
}

static int persistent_by_caller(void)
{
    return persistent("progress=caller");
}

static int persistent_by_thread(void)
{
    return persistent("progress=thread");
}

static int other_than_victim(void)
{
    return rank == victim ? next_peer((int)(random_draw(&seed) % (uint64_t)size)) : victim;
}

/* What is done in memory may succeed with one who is dead; the flush tells. */
static int put(void)
{
    int target = other_than_victim();
    int rc = ompl_put(out, target, LONG, random_draw(&seed) % 2 ? LONG : 8);
    return rc ? rc : ompl_flush(target);
}

static int get(void)
{
    int target = other_than_victim();
    int rc = ompl_get(in, target, LONG, random_draw(&seed) % 2 ? LONG : 8);
    return rc ? rc : ompl_flush(target);
}

static int atomics(void)
{
    uint64_t before;
    int target = other_than_victim(), rc = ompl_fetch_add(target, 64, 1, &before);
    return rc ? rc : ompl_flush(target);
}

static int accumulates(void)
{
    size_t count = random_draw(&seed) % 2 ? LONG / 8 : 1;
    int target = other_than_victim();
    int rc = ompl_accumulate(out, target, LONG, count, FMPL_LONG_SUM);
    return rc ? rc : ompl_flush(target);
}

static int wait_for_flag(void)
{
    int rc = HAYATE_OK;
    for (int peer = 0; rank == victim && !rc && peer < size; peer++)
        rc = peer == rank ? HAYATE_OK : ompl_put_word(peer, 128);
    if (rank == victim) usleep(100);
    if (!rc && rank != victim) rc = ompl_wait(128);
    return rc || rank == victim ? rc : ompl_clear(128);
}

static bool is_neighbour(int peer)
{
    const hy_job *job = hy_process_job();
    return hy_job_node_of(job, peer) == hy_job_node_of(job, victim);
}

/* Who is left on the victim's node calls nothing: its progress thread sees the death and tells of
 * it. */
static int wait_while_neighbours_compute(void)
{
    int others = 0;
    for (int i = 0; i < size; i++) others += !is_neighbour(i);
    while (rank != victim && is_neighbour(rank) && page->told < others) usleep(1000);
    return wait_for_flag();
}

typedef struct operation {
    const char *name;
    int (*once)(void);
} operation;

static const operation of_all[] = {{"create", create},
                                   {"split", split},
                                   {"wait for a flag", wait_for_flag},
                                   {"allreduce", allreduce},
                                   {"bcast", bcast},
                                   {"wait while neighbours compute", wait_while_neighbours_compute},
                                   {"barrier", barriers},
                                   {"persistent", persistent_by_caller},
                                   {"persistent, progress thread", persistent_by_thread}},
                       of_two[] = {{"short messages", short_messages},
                                   {"long messages", long_messages},
                                   {"stream", stream},
                                   {"any message", any_message},
                                   {"put", put},
                                   {"get", get},
                                   {"atomic", atomics},
                                   {"accumulate", accumulates}};
#define ALL (sizeof of_all / sizeof *of_all)
#define TWO (sizeof of_two / sizeof *of_two)

/* ---- rounds ---- */

static void *kill_soon(void *delay)
{
    usleep((useconds_t)(uintptr_t)delay);
    page->died_ns[rank] = hy_now_ns();
    kill(getpid(), SIGKILL);
    return NULL;
}

static void prepare_death(uint64_t delay)
{
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, kill_soon, (void *)(uintptr_t)delay) == 0);
}

/* Those that are left; they let the network of each other work by its progress thread alone
 * meanwhile. */
static void meet(int round)
{
    page->arrived[round]++;
    while (page->arrived[round] < size - round) usleep(200);
}

/* The launcher may be gone, and with it who reads what is written. */
static void expect(bool holds, const char *operation, const char *what, int value)
{
    if (holds) return;
    if (page->wrong++ == 0)
        snprintf(page->what, sizeof page->what, "rank %d, %s of rank %d: %s %d (%s)", rank,
                 operation, victim, what, value, hayate_error());
    _exit(3);
}

static void live_through(const operation *now)
{
    uint64_t delay = random_draw(&seed) % SOON;
    int rc = HAYATE_OK;
    if (rank == victim) prepare_death(delay);
    while (!rc || rank == victim) rc = now->once();
    uint64_t told = hy_now_ns(), died = page->died_ns[victim];
    uint64_t ms = told > died ? (told - died) / 1000000 : 0;
    expect(rc == HAYATE_ERR_PEER_FAILED, now->name, "code", rc);
    expect(hayate_error_peer() == victim, now->name, "named", hayate_error_peer());
    expect(died != 0, now->name, "it lives, but", rc);
    expect(ms < TOLD_MS, now->name, "told after ms", (int)ms);
    page->told++;
    if (getenv("SHOW"))
        fprintf(stderr, "rank %d, %s: rank %d, told after %d ms\n", rank, now->name, victim,
                (int)ms);
    dead[victim] = true;
}

/* A first use asks the launcher for an address, and hydra's does not survive who dies while it
 * answers. */
static void use_all(void)
{
    for (int peer = 0; peer < size; peer++) {
        if (peer == rank) continue;
        CHECK_OK(pass(8, peer, rank < peer));
        CHECK_OK(ompl_get(in, peer, LONG, 8));
    }
    barrier();
}

/* All draw the same in the same order, but inside of operations. */
static void live(int first)
{
    int order[KILL_RANKS];
    for (int i = 0; i < size; i++) order[i] = i;
    for (int i = size - 1; i > 0; i--) {
        int k = (int)(random_draw(&seed) % (uint64_t)(i + 1)), kept = order[i];
        order[i] = order[k], order[k] = kept;
    }
    uint64_t turn = random_draw(&seed);
    for (int round = 0; round < size - 1; round++) {
        uint64_t kept = random_draw(&seed);
        victim = order[round];
        meet(round);
        if (prepared) CHECK_OK(pcoll_free(&prepared));
        live_through(round ? &of_two[(turn + (uint64_t)round) % TWO] : &of_all[first % (int)ALL]);
        seed = kept;
    }
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    int fd = open(argv[1], O_RDWR | O_CLOEXEC);
    page = mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd < 0 || page == MAP_FAILED) return 2;
    close(fd);
    signal(SIGUSR1, SIG_IGN); /* hydra tells deaths by it */
    signal(SIGPIPE, SIG_IGN);
    seed = strtoull(argv[2], NULL, 10) * 2654435761u + 1;
    start_ranks(3);
    alarm(100);
    CHECK(size <= KILL_RANKS);
    page->pids[rank] = getpid();
    out = calloc(1, LONG), in = calloc(1, LONG);
    CHECK(out && in);
    CHECK_OK(ompl_init(SPACE));
    use_all();
    live(atoi(argv[2]));
    uint64_t start = hy_now_ns();
    hayate_finalize();
    uint64_t ms = (hy_now_ns() - start) / 1000000;
    expect(ms < TOLD_MS, "end after that", "ms", (int)ms);
    page->survived = rank + 1;
    free(out);
    free(in);
    return 0;
}
