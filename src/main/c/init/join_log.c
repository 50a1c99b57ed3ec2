/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the lines of join_log.h: step times, memory, ranks by path, network. */
#include "init/join_log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "msg/rendezvous.h"
#include "net/net.h"

#define LINES 32 /* the most lines about ranks */

void hy_join_time(hy_join_times *times, const char *name)
{
    if (times->count == HY_JOIN_STEPS) return;
    times->names[times->count] = name;
    times->done[times->count++] = hy_now_ns();
}

static double milliseconds(uint64_t from, uint64_t to)
{
    return (double)(to - from) / 1e6;
}

static void log_times(const hy_join_times *times)
{
    char text[400] = "";
    uint64_t before = times->begun;
    for (int i = 0; i < times->count; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s%s %.2f", i ? ", " : "", times->names[i],
                 milliseconds(before, times->done[i]));
        before = times->done[i];
    }
    hy_log(HY_LOG_DEBUG, "joined in %.2f ms: %s", milliseconds(times->begun, before), text);
}

static void log_memory(const hy_job *job)
{
    const double mib = 1 << 20;
    hy_log(
        HY_LOG_DEBUG,
        "memory: a heap of %.1f MiB in a part of %.1f MiB, a segment of %.1f MiB; eager messages "
        "up to %llu bytes",
        (double)job->boot.control->heap_bytes / mib, (double)job->part_bytes / mib,
        (double)job->boot.segment_bytes / mib, (unsigned long long)job->eager_limit);
}

static void log_range(int first, int last, const char *text)
{
    if (first == last) hy_log(HY_LOG_DEBUG, "rank %d: %s", first, text);
    else hy_log(HY_LOG_DEBUG, "ranks %d to %d: %s", first, last, text);
}

/* Neighbouring ranks with the same path share a line; this rank separates them. */
static void log_ranks(const hy_job *job)
{
    char path[300], way[300], text[640], before[640] = "";
    int first = 0, last = -1, lines = 0;
    for (int rank = 0; rank < job->size && lines < LINES; rank++) {
        if (rank == job->rank) continue;
        hy_job_explain_path(job, rank, path, sizeof path);
        hy_rendezvous_explain(job, rank, way, sizeof way);
        snprintf(text, sizeof text, "by %s; long messages: %s", path, way);
        if (last >= 0 && strcmp(text, before) != 0) {
            log_range(first, last, before);
            lines++;
        }
        if (strcmp(text, before) != 0) first = rank;
        last = rank;
        memcpy(before, text, sizeof before);
    }
    if (lines == LINES) hy_log(HY_LOG_DEBUG, "more ranks are not listed");
    else if (last >= 0) log_range(first, last, before);
}

void hy_join_log(const hy_job *job, const hy_join_times *times)
{
    if (!hy_log_on(HY_LOG_DEBUG)) return;
    hy_log(HY_LOG_DEBUG, "rank %d of %d on node %d of %d, process %d, started by %s", job->rank,
           job->size, hy_job_node_of(job, job->rank), hy_job_nodes(job), (int)getpid(),
           job->boot.ops->name);
    hy_settings_log();
    log_times(times);
    log_memory(job);
    if (job->why_net[0]) {
        const hy_net *net = job->net ? job->net : job->far.nets[0];
        hy_log(HY_LOG_DEBUG, "network %s: %s", net ? net->ops->name : "none", job->why_net);
    }
    log_ranks(job);
}
