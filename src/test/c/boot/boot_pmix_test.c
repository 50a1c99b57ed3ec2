/* SPDX-License-Identifier: Apache-2.0 */
/* A rank under PMIx whose library is missing, is something else, or lies (lying_pmix_library.c).
 * Each rank is a forked child: a process can be a rank once only. */
#include "base/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/library_fixture.h"
#include "base/status.h"
#include "boot/boot.h"
#include "boot/pmix_abi.h"

#if __has_include(<pmix_common.h>)
#include <pmix_common.h>
#define HAS_PMIX 1
#endif

typedef struct answer {
    int code, check;
    bool kept; /* the handler of SIGBUS, which the library takes */
    char reason[400];
} answer;

#define MISSING "/nowhere"

static void own(int number)
{
    (void)number;
}

static void be_rank(int answers, const char *library, const char *lies)
{
    hy_boot boot;
    answer a = {.check = HAYATE_OK};
    setenv("PMIX_NAMESPACE", "test", 1);
    setenv("PMIX_RANK", "0", 1);
    setenv("HAYATE_HEAP", "1M", 1);
    library_folder folder = {.path = ""};
    if (strcmp(library, MISSING) == 0) setenv("HAYATE_LIBRARIES", MISSING, 1);
    else if (!library_folder_make(&folder, "libpmix.so.2", library)) _exit(1);
    setenv("HAYATE_TEST_PMIX", lies, 1);
    signal(SIGBUS, own);
    a.code = hy_boot_open(&boot);
    a.kept = signal(SIGBUS, SIG_DFL) == own;
    library_folder_remove(&folder);
    snprintf(a.reason, sizeof a.reason, "%s", hayate_error());
    if (a.code == HAYATE_OK) {
        a.check = boot.ops->check(&boot);
        for (int i = 0; i < 500 && !a.check && strstr(lies, "lost"); i++, usleep(10000))
            a.check = boot.ops->check(&boot); /* first comes the death of a rank */
        if (boot.size != 1) a.code = 1;
        if (strstr(lies, "abort")) hy_boot_abort(&boot, 42);
        if (getenv("HAYATE_TEST_ABORTED")) a.check = atoi(getenv("HAYATE_TEST_ABORTED"));
        boot.ops->close(&boot);
        hy_boot_release(&boot);
    }
    (void)!write(answers, &a, sizeof a);
    _exit(0);
}

static answer open_with(const char *library, const char *lies)
{
    int ends[2];
    answer a = {.code = 1};
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) be_rank(ends[1], library, lies);
    close(ends[1]);
    assert_int_equal(read(ends[0], &a, sizeof a), sizeof a);
    close(ends[0]);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    return a;
}

static void is(answer a, int code, const char *reason)
{
    if (a.code != code || !strstr(a.reason, reason))
        fail_msg("code %d, \"%s\" without \"%s\"", a.code, a.reason, reason);
}

static answer lied_to(const char *lies)
{
    char library[512];
    const char *programs = getenv("HAYATE_TEST_BIN");
    if (!programs) skip();
    snprintf(library, sizeof library, "%s/boot/lying_pmix.so", programs);
    return open_with(library, lies);
}

TEST(should_say_that_the_library_is_missing)
{
    answer a = open_with(MISSING, "");
    is(a, HAYATE_ERR_UNSUPPORTED,
       "cannot be loaded (HAYATE_LIBRARIES: /nowhere is not a directory)");
    is(a, HAYATE_ERR_UNSUPPORTED, "libpmix2");
}

TEST(should_say_that_a_library_is_another)
{
    is(open_with("libm.so.6", ""), HAYATE_ERR_UNSUPPORTED, "has no PMIx_Init");
}

TEST(should_be_a_rank_alone)
{
    answer a = lied_to("size=1");
    is(a, HAYATE_OK, "");
    assert_true(a.kept);
    assert_int_equal(a.check, HAYATE_OK);
}

TEST(should_ask_the_launcher_to_end_all_ranks)
{
    answer a = lied_to("size=1 abort");
    is(a, HAYATE_OK, "");
    assert_int_equal(a.check, 42);
}

TEST(should_notice_that_the_launcher_is_lost)
{
    answer a = lied_to("size=1 event=lost");
    is(a, HAYATE_OK, "");
    assert_int_equal(a.check, HAYATE_ERR_PEER_FAILED);
}

TEST(should_refuse_a_launcher_that_lies)
{
    is(lied_to("init=-25"), HAYATE_ERR_LAUNCH, "PMIx_Init failed with status -25 (LIE)");
    is(lied_to("size=0"), HAYATE_ERR_LAUNCH, "rank 0 of a job of 0");
    is(lied_to("size=4294967295"), HAYATE_ERR_LAUNCH, "of a job of 4294967295");
    is(lied_to("rank=7 size=2"), HAYATE_ERR_LAUNCH, "rank 7 of a job of 2");
    is(lied_to("type=3"), HAYATE_ERR_LAUNCH, "pmix.job.size is of type 3, expected 14");
    is(lied_to("size=2 peers=1"), HAYATE_ERR_LAUNCH, "pmix.lpeers, is \"1\"");
    is(lied_to("size=2 peers=0,1,2"), HAYATE_ERR_LAUNCH, "pmix.lpeers");
    is(lied_to("fence=-24"), HAYATE_ERR_LAUNCH, "PMIx_Fence failed with status -24");
    is(lied_to("size=5000 peers=0-4999"), HAYATE_ERR_UNSUPPORTED,
       "5000 ranks on one node: expected at most 4096");
}

TEST(should_refuse_a_launcher_that_contradicts_itself)
{
    is(lied_to("size=4 peers=0,1"), HAYATE_ERR_LAUNCH,
       "on a node with 2 ranks, the first of them rank 0, and also on one with 4, the first of "
       "them rank 0");
    is(lied_to("size=4 peers=0,1 host=alpha"), HAYATE_ERR_LAUNCH,
       "on a node with 2 ranks, the first of them rank 0, and also on one with 4, the first of "
       "them rank 0");
    is(lied_to("size=4 peers=0,1 node=2000000000"), HAYATE_ERR_LAUNCH,
       "rank 0 is on node 2000000000");
}

TEST(should_agree_with_the_headers_of_pmix)
{
#ifdef HAS_PMIX
    assert_int_equal(sizeof(hy_pmix_proc), sizeof(pmix_proc_t));
    assert_int_equal(offsetof(hy_pmix_proc, rank), offsetof(pmix_proc_t, rank));
    assert_int_equal(sizeof(hy_pmix_value), sizeof(pmix_value_t));
    assert_int_equal(offsetof(hy_pmix_value, data), offsetof(pmix_value_t, data));
    assert_int_equal(HY_PMIX_RANK_WILDCARD, (uint32_t)(PMIX_RANK_WILDCARD));
    assert_int_equal(HY_PMIX_STRING, PMIX_STRING);
    assert_int_equal(HY_PMIX_UINT32, PMIX_UINT32);
    assert_int_equal(HY_PMIX_GLOBAL, PMIX_GLOBAL);
    assert_int_equal(HY_PMIX_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION);
    assert_string_equal(HY_PMIX_JOB_SIZE, PMIX_JOB_SIZE);
    assert_int_equal(sizeof(hy_pmix_info), sizeof(pmix_info_t));
    assert_int_equal(offsetof(hy_pmix_info, flags), offsetof(pmix_info_t, flags));
    assert_int_equal(offsetof(hy_pmix_info, value), offsetof(pmix_info_t, value));
    assert_int_equal(HY_PMIX_INT, PMIX_INT);
    assert_string_equal(HY_PMIX_LOCAL_PEERS, PMIX_LOCAL_PEERS);
    assert_string_equal(HY_PMIX_NODEID, PMIX_NODEID);
    assert_string_equal(HY_PMIX_HOSTNAME, PMIX_HOSTNAME);
    assert_string_equal(HY_PMIX_TIMEOUT, PMIX_TIMEOUT);
    assert_int_equal(HY_PMIX_BOOL, PMIX_BOOL);
    assert_string_equal(HY_PMIX_COLLECT_DATA, PMIX_COLLECT_DATA);
#else
    skip();
#endif
}

int main(void)
{
    unsetenv("HAYATE_BOOT_FD");
    return tests_run();
}
