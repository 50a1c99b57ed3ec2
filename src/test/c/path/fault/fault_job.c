/* SPDX-License-Identifier: Apache-2.0 */
/* Puts the fault path between the ranks of every job of the process, if the environment says so. */
#include <stdio.h>
#include <stdlib.h>

#include "job/job.h"
#include "path/fault/fault_path.h"

static fault_plan plan = {.rank = UINT64_MAX};

static int read_plan(const char *text)
{
    const struct {
        const char *name;
        uint64_t *value;
    } words[] = {{"seed=", &plan.seed}, {"delay=", &plan.delay}, {"nodes=", &plan.nodes},
                 {"fail=", &plan.fail}, {"drop=", &plan.drop},   {"rank=", &plan.rank}};
    while (*text) {
        size_t i = 0, count = sizeof words / sizeof *words;
        while (i < count && strncmp(text, words[i].name, strlen(words[i].name)) != 0) i++;
        if (i == count) return -1;
        char *end;
        *words[i].value = strtoull(text + strlen(words[i].name), &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
    return 0;
}

static bool same_node(int a, int b)
{
    return a == b || (plan.nodes && (uint64_t)a % plan.nodes == (uint64_t)b % plan.nodes);
}

/* A word for each pair in both parts, at the same place in all of them. */
static int wrap_all(hy_job *job)
{
    uint64_t words;
    fault_plan mine = plan;
    if (plan.rank != (uint64_t)job->rank) mine.fail = mine.drop = 0;
    mine.seed += (uint64_t)job->rank * 1000;
    hy_net *net = fault_net(&mine, job->size);
    int rc = hy_job_system_take(job, (uint64_t)job->size * sizeof(uint32_t), &words);
    for (int rank = 0; !rc && rank < job->size; rank++) {
        hy_ep *ep = &job->eps[rank];
        if (same_node(rank, job->rank)) continue;
        _Atomic uint32_t *here = (_Atomic uint32_t *)(void *)(job->part + words);
        _Atomic uint32_t *there = (_Atomic uint32_t *)(void *)(ep->part + words);
        fault_path_wrap(net, ep, &here[rank], &there[job->rank]);
    }
    return rc;
}

bool fault_jobs(const char *text)
{
    plan = (fault_plan){.rank = UINT64_MAX};
    hy_job_on_endpoints = text ? wrap_all : NULL;
    return !text || read_plan(text) == 0;
}

__attribute__((constructor)) static void fault_job_setup(void)
{
    const char *text = getenv("HAYATE_TEST_FAULT");
    if (!text || !*text || fault_jobs(text)) return;
    fprintf(stderr, "HAYATE_TEST_FAULT=%s: seed=, delay=, nodes=, fail=, drop= or rank= expected\n",
            text);
    exit(2);
}
