/* SPDX-License-Identifier: Apache-2.0 */
/* The BLACS on several ranks: processes and tasks, in memory. */
/* tsan */
#include "fmpl/ranks_fixture.h"

TEST(should_move_and_combine_matrices)
{
    ranks_must_pass("HAYATE_WAIT=block", 1, "blacs/data_program");
    ranks_must_pass("HAYATE_WAIT=adaptive", 2, "blacs/data_program");
    ranks_must_pass("HAYATE_EAGER_LIMIT=56", 4, "blacs/data_program");
    ranks_must_pass("HAYATE_WAIT=adaptive", 6, "blacs/data_program");
}

TEST(should_move_and_combine_matrices_as_tasks)
{
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 2, "blacs/data_program");
    ranks_must_pass_as_tasks("HAYATE_EAGER_LIMIT=56", 4, "blacs/data_program");
}

TEST(should_keep_contexts_apart)
{
    ranks_must_pass("HAYATE_WAIT=block", 1, "blacs/contexts_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_WAIT=adaptive", 2, "blacs/contexts_program");
    ranks_must_pass(RANKS_SEVERAL "HAYATE_EAGER_LIMIT=56", 3, "blacs/contexts_program");
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 4, "blacs/contexts_program");
}

TEST(should_tell_all_processes_that_they_disagree)
{
    ranks_must_pass("HAYATE_WAIT=adaptive", 2, "blacs/disagree_program");
    ranks_must_pass("HAYATE_WAIT=block", 3, "blacs/disagree_program");
    ranks_must_pass("HAYATE_EAGER_LIMIT=56", 4, "blacs/disagree_program");
}

TEST(should_tell_all_tasks_that_they_disagree)
{
    ranks_must_pass_as_tasks("HAYATE_WAIT=adaptive", 3, "blacs/disagree_program");
}

TEST(should_tell_all_processes_over_a_network_that_they_disagree)
{
    ranks_need_library("libfabric.so.1");
    ranks_must_pass("HAYATE_NET_LOCAL=ofi", 2, "blacs/disagree_program");
}

typedef struct mistake {
    const char *name, *words;
    int status;
} mistake;

static void check_mistake(const mistake *m)
{
    ranks_result result = ranks_run(
        "HAYATE_WAIT=adaptive",
        text_of("-n 2 $HAYATE_TEST_BIN/blacs/mistakes_program %s", m->name));
    if (result.status != m->status || !strstr(result.output, m->words))
        fail_msg("%s: exit %d, expected %d, with \"%s\":\n%s", m->name, result.status, m->status,
                 m->words, result.output);
}

TEST(should_end_the_job_with_the_words_of_netlib)
{
    static const mistake mistakes[] = {
        {"early", "BLACS ERROR 'no BLACS: call blacs_pinfo() first'\nfrom {-1,-1}, pnum=-1", 1},
        {"rows", "BLACS ERROR 'Illegal number of rows, M=-1'\nfrom {0,", 1},
        {"columns", "on line -1 of file 'ZGEBS2D'.", 1},
        {"out", "BLACS ERROR 'CSRC out of range; CSRC=99, NPCOL=2'", 1},
        {"context", "Contxt=4242, on line -1 of file 'DGSUM2D'.", 1},
        {"scope", "BLACS ERROR 'Unknown scope 'X''", 1},
        {"topology", "BLACS ERROR 'Unknown topology '?''", 1},
        {"too_large", "BLACS ERROR 'Illegal grid (100 x 100), #procs=2'", 1},
        {"ended", "BLACS ERROR 'Trying to exit non-existent context 0'", 1},
        {"length", "48 bytes, but the matrix of this process has 24", 1},
        {"thread", "BLACS ERROR 'another thread is in a call with context 0'", 1},
        {"abort", "killed other procs, exiting with error #42.", 42},
        {"long_library", "long_numroc.so was probably compiled with integers of 64 bits", 1},
        {"long_map", "BLACS ERROR 'Every second number of the map is 0", 1},
        {"no_map", "BLACS ERROR 'Illegal grid map: it is null'", 1},
        {"leading", "BLACS WARNING 'Illegal LDA, LDA=1, M=2; LDA assumed to be 2'", 0},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) check_mistake(&mistakes[i]);
}

TEST(should_end_when_a_process_dies_in_a_combine)
{
    const mistake death = {"death", "rank 1", 128 + 9};
    check_mistake(&death);
}

int main(void)
{
    return ranks_tests_run();
}
