/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job of very many ranks, as the one on a node sees it: what it keeps of the others, and what it
 * asks the launcher. Each is a forked child, as a process can be a rank once only; it prints its
 * figures, which docs/guide/nodes.md has.
 */
#include "base/test.h"

#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "init/join.h"
#include "nodes/far.h"
#include "nodes/mirror_fixture.h"
#include "job/setup.h"
#include "msg/msg.h"

#ifdef __SANITIZE_ADDRESS__
#define WITH_SHADOW 1 /* it takes memory of its own */
#else
#define WITH_SHADOW 0
#endif

typedef struct usage {
    long own, shared; /* KiB, in memory */
} usage;

typedef struct report {
    int code, cpu_ms; /* processor time of opening, with that of the launcher played here */
    usage before, joined, end;
    int puts, gets, barriers;    /* until the job was open */
    int first_use, further_uses; /* questions to the launcher */
    bool same_record, lives;
    usage opened, talked; /* more than before FMPL was opened */
    char reason[400];
} report;

static long kib_of(const char *name)
{
    char line[256];
    long kib = 0;
    FILE *file = fopen("/proc/self/status", "re");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, name, strlen(name)) == 0) kib = strtol(line + strlen(name), NULL, 10);
    if (file) fclose(file);
    return kib;
}

static usage used_now(void)
{
    return (usage){kib_of("RssAnon:"), kib_of("RssShmem:")};
}

static usage grown(usage from, usage to)
{
    return (usage){to.own - from.own, to.shared - from.shared};
}

static int cpu_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (int)(time.tv_sec * 1000 + time.tv_nsec / 1000000);
}

static int questions(void)
{
    return mirror_pmi.gets;
}

static void use(hy_job *job, int far, report *r)
{
    const uint64_t word = 42;
    const char record[] = "all say the same";
    int before = questions();
    r->code = hy_job_ep(job, far)->ops->put(hy_job_ep(job, far), job->heap_start, &word, 8);
    r->first_use = questions() - before;
    for (int i = 0; i < 10; i++)
        hy_job_ep(job, far)->ops->put(hy_job_ep(job, far), job->heap_start, &word, 8);
    if (!r->code) r->code = hy_boot_exchange(&job->boot, record, sizeof record);
    r->same_record = memcmp(hy_boot_record(&job->boot, far), record, sizeof record) == 0;
    if (!r->code) r->code = hy_setup_end(job);
    r->lives = hy_job_check(job, far) == HAYATE_OK && hy_job_check_all(job) == HAYATE_OK;
    r->further_uses = questions() - before - r->first_use;
}

static int talks; /* partners of the next rank */

/* FMPL's messages with the default number of entries, and some partners all over the job. */
static int talk(hy_job *job, int partners, report *r)
{
    static hy_msg msg;
    const uint64_t word = 42;
    usage before = used_now();
    int rc = hy_msg_open(&msg, job, FMPL_DEFAULT_COUNT);
    if (!rc) rc = hy_setup_enter(job, NULL);
    if (rc) return rc;
    rc = hy_msg_meet(&msg, NULL, NULL);
    hy_setup_leave(job);
    r->opened = grown(before, used_now());
    for (int i = 0; i < partners && !rc; i++) {
        int peer = (int)((long)job->size * i / partners + i % 7);
        rc = hy_msg_send(&msg, (hy_buffer){.address = (uint8_t *)(uintptr_t)&word}, 8, peer, i % 64,
                         NULL);
    }
    r->talked = grown(before, used_now());
    return rc;
}

static void be_rank(int size, int answers)
{
    char mapping[64];
    int rank = size / 2;
    report r = {.code = -1};
    hy_job *job;
    snprintf(mapping, sizeof mapping, "(vector,(0,%d,1))", size);
    if (mirror_start(rank, size, mapping) == 0) {
        r.before = used_now();
        int start = cpu_ms();
        r.code = hy_job_open(&job);
        r.cpu_ms = cpu_ms() - start;
        r.joined = used_now();
        r.puts = mirror_pmi.puts;
        r.gets = questions();
        r.barriers = mirror_pmi.barriers;
    }
    if (!r.code) use(job, rank + 3, &r);
    r.end = used_now();
    if (!r.code && talks) r.code = talk(job, talks, &r);
    snprintf(r.reason, sizeof r.reason, "%s", hayate_error());
    (void)!write(answers, &r, sizeof r);
    _exit(0);
}

static report join_a_job_of(int size)
{
    int ends[2];
    report r = {.code = -1};
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) be_rank(size, ends[1]);
    close(ends[1]);
    assert_int_equal(read(ends[0], &r, sizeof r), sizeof r);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    if (r.code) fail_msg("%d ranks: code %d, %s", size, r.code, r.reason);
    print_message("%d nodes of one rank: %ld KiB of its own, %ld KiB shared, %d ms of a processor, "
                  "%d puts, %d gets, %d barriers\n",
                  size, r.end.own - r.before.own, r.end.shared - r.before.shared, r.cpu_ms, r.puts,
                  r.gets, r.barriers);
    return r;
}

static int rounds_of(int nodes)
{
    int rounds = 0;
    while (1 << rounds < nodes) rounds++;
    return rounds;
}

static const int sizes[] = {10000, 100000, 1000000};

TEST(should_keep_few_bytes_of_ranks_that_it_never_talks_to)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        report r = join_a_job_of(sizes[i]);
        assert_in_range(r.end.own - r.before.own, 0, 1024 + WITH_SHADOW * 65536L);
        assert_in_range(r.end.shared - r.before.shared, 0, 1024);
    }
}

/* One address for each that it meets, one text for each round of the choice of the network. */
TEST(should_ask_the_launcher_about_those_alone_that_it_meets)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        report r = join_a_job_of(sizes[i]);
        int rounds = rounds_of(sizes[i]);
        assert_int_equal(r.gets, 2 * rounds);
        assert_int_equal(r.barriers, rounds + 2);
        assert_int_equal(r.puts, rounds + 2);
    }
}

TEST(should_ask_for_the_address_of_a_far_rank_once)
{
    report r = join_a_job_of(1000000);
    assert_int_equal(r.first_use, 1);
    assert_int_equal(r.further_uses, 0);
}

TEST(should_meet_and_see_the_records_of_a_million_ranks)
{
    report r = join_a_job_of(1000000);
    assert_true(r.same_record);
    assert_true(r.lives);
}

TEST(should_keep_memory_for_partners_not_for_ranks)
{
    talks = 100;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        report r = join_a_job_of(sizes[i]);
        print_message("FMPL with %d entries: %ld KiB of its own and %ld KiB shared, with 100 "
                      "partners %ld and %ld\n",
                      FMPL_DEFAULT_COUNT, r.opened.own, r.opened.shared, r.talked.own,
                      r.talked.shared);
        assert_in_range(r.talked.own, 0, 128 + WITH_SHADOW * 65536L);
        assert_in_range(r.talked.shared, 0, 512);
    }
    talks = 0;
}

int main(void)
{
    unsetenv("PMIX_NAMESPACE");
    unsetenv("HAYATE_BOOT_FD");
    unsetenv("HAYATE_NET");
    return tests_run();
}
