/* SPDX-License-Identifier: Apache-2.0 */
/* Formats a line, then writes it to stderr in one write() or puts it into the reader's queue. */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log_queue.h"
#include "base/settings.h"

/* HY_LOG_...; NOT_READ: HAYATE_LOG has not been read yet. */
enum { NOT_READ = -1 };
static _Atomic int threshold = NOT_READ;

/* Lines that the reader has not processed yet. */
static hy_log_queue kept = HY_LOG_QUEUE_INIT;

void hy_log_setup(void)
{
    uint64_t level = HY_SET(LOG)->fallback;
    const char *text = hy_setting_text(HY_SET(LOG));
    for (uint64_t i = 0; text && HY_SET(LOG)->words[i]; i++)
        if (strcmp(text, HY_SET(LOG)->words[i]) == 0) level = i;
    atomic_store_explicit(&threshold, (int)level, memory_order_relaxed);
}

int hy_log_on(int level)
{
    if (atomic_load_explicit(&threshold, memory_order_relaxed) == NOT_READ) hy_log_setup();
    return level <= atomic_load_explicit(&threshold, memory_order_relaxed);
}

/* The rank as the launcher gives it: hayate run, PMIx or PMI-1. NULL: no launcher. */
static const char *rank_text(void)
{
    static const char *const names[] = {"HAYATE_RANK", "PMIX_RANK", "PMI_RANK"};
    const char *rank = NULL;
    for (size_t i = 0; !rank && i < sizeof names / sizeof *names; i++) rank = getenv(names[i]);
    return rank;
}

/* One write per line, so that the lines of several ranks do not mix. */
static void write_stderr(int level, const char *text)
{
    char line[HY_LOG_TEXT + 60];
    const char *rank = rank_text();
    char name[20] = "";
    if (rank) snprintf(name, sizeof name, "[%.16s]", rank);
    int length = snprintf(line, sizeof line, "hayate%s %s: %s\n", name, HY_SET(LOG)->words[level],
                          text);
    (void)!write(STDERR_FILENO, line, (size_t)length);
}

void hy_log(int level, const char *format, ...)
{
    if (!hy_log_on(level)) return;
    char text[HY_LOG_TEXT];
    int error = errno;
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) text[0] = '\0';
    va_end(arguments);
    if (!hy_log_queue_put(&kept, level, text)) write_stderr(level, text);
    errno = error;
}

/* ---- the reader ---- */

void hy_log_attach(void)
{
    hy_log_queue_open(&kept);
}

int hy_log_take(char *text, size_t size)
{
    hy_log_line line;
    if (!hy_log_queue_take(&kept, &line)) return -1;
    const char *rank = rank_text();
    if (rank) snprintf(text, size, "[%.16s] %s", rank, line.text);
    else snprintf(text, size, "%s", line.text);
    return line.level;
}

void hy_log_refuse(const char *why)
{
    hy_log_line line;
    if (why) write_stderr(HY_LOG_WARN, why);
    if (hy_log_queue_remove(&kept, &line)) write_stderr(line.level, line.text);
}

void hy_log_detach(void)
{
    hy_log_queue_close(&kept);
}

/* Runs at exit(), which the virtual machine calls as well, whatever ends it. */
__attribute__((destructor)) static void write_kept(void)
{
    hy_log_line line;
    hy_log_detach();
    while (hy_log_queue_remove(&kept, &line)) write_stderr(line.level, line.text);
}
