/* SPDX-License-Identifier: Apache-2.0 */
/* A thread neither sleeps here nor waits for another one. If memory is short, it looks later. */
#include "watchdog/watchdog.h"

#include <stdlib.h>

#include "base/busy.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/settings.h"
#include "watchdog/look.h"

#define TEXT 800 /* bytes of a line */
#define SECOND UINT64_C(1000000000)

static hy_look *take_look(const hy_job *job)
{
    hy_view view;
    int rc = hy_view_borrow(&view, job->boot.control, job->boot.segment_bytes, (uint32_t)job->size);
    return rc ? NULL : hy_look_take(&view);
}

static void report_wait(const hy_job *job, const hy_wait *wait)
{
    char text[TEXT];
    hy_look *look = take_look(job);
    for (uint32_t i = 0; look && i < look->wait_count; i++) {
        if (look->waits[i].rank != job->rank || look->waits[i].place != wait->told - 1) continue;
        hy_look_print_wait(look, &look->waits[i], text, sizeof text);
        hy_log(HY_LOG_WARN, "watchdog: %s", text);
    }
    hy_look_free(look);
}

/* The other ranks of a cycle leave the report to the lowest. */
static void report_cycles(hy_job *job, const hy_look *look)
{
    char text[TEXT];
    int cycle;
    for (int i = 0; (cycle = hy_look_cycle(look, i)) >= 0; i++) {
        if (look->ranks[cycle].rank != job->rank) continue;
        hy_look_print_cycle(look, cycle, text, sizeof text);
        hy_log(HY_LOG_WARN, "watchdog: %s", text);
        job->watchdog->told = true;
    }
}

/* The next look is compared with this one. NULL: it is a first one. */
static void keep_look(hy_watchdog *watchdog, hy_look *look, uint64_t due_ns)
{
    hy_look_free(watchdog->before);
    watchdog->before = look;
    watchdog->due_ns = due_ns;
}

/* Compares a look with the one before, which stays while threads have not looked since. */
static void look_again(hy_job *job, hy_look *now)
{
    hy_watchdog *watchdog = job->watchdog;
    uint64_t again = now->now_ns + HY_LOOK_AGAIN_NS, later = now->now_ns + watchdog->after_ns;
    bool late = now->now_ns - watchdog->before->now_ns > HY_LOOK_MOST_NS;
    bool settled = hy_look_compare(now, watchdog->before), cycles = hy_look_find_cycles(now);
    if (cycles && settled && now->rounds < HY_LOOK_ROUNDS) {
        keep_look(watchdog, now, again);
        return;
    }
    if (cycles && settled) report_cycles(job, now);
    if (settled || late) keep_look(watchdog, NULL, later);
    else watchdog->due_ns = again;
    hy_look_free(now);
}

static void look(hy_job *job)
{
    hy_watchdog *watchdog = job->watchdog;
    hy_look *now = take_look(job);
    if (now && watchdog->before) look_again(job, now);
    else if (!watchdog->before) keep_look(watchdog, now, hy_now_ns() + HY_LOOK_AGAIN_NS);
}

static void watch(hy_job *job, hy_wait *wait, uint64_t since_ns)
{
    hy_watchdog *watchdog = job->watchdog;
    uint64_t now = hy_tick_ns();
    if (now < since_ns || now - since_ns < watchdog->after_ns) return;
    if (!wait->reported) report_wait(job, wait);
    wait->reported = true;
    if (!hy_busy_take(&watchdog->busy)) return;
    if (!watchdog->told && now >= watchdog->due_ns) look(job);
    hy_busy_leave(&watchdog->busy);
}

int hy_watchdog_start(hy_job *job, uint64_t after_ns)
{
    job->watchdog = calloc(1, sizeof *job->watchdog);
    if (!job->watchdog) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the watchdog");
    job->watchdog->after_ns = after_ns;
    job->watch = watch;
    return HAYATE_OK;
}

int hy_watchdog_open(hy_job *job)
{
    uint64_t seconds;
    int rc = hy_setting_value(HY_SET(WATCHDOG), &seconds);
    return rc || seconds == HY_WATCHDOG_OFF ? rc : hy_watchdog_start(job, seconds * SECOND);
}

void hy_watchdog_close(hy_job *job)
{
    if (!job->watchdog) return;
    hy_look_free(job->watchdog->before);
    free(job->watchdog);
}
