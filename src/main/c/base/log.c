/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/settings.h"

/* HY_LOG_...; NOT_READ: the environment was not asked yet. */
enum { NOT_READ = -1 };
static _Atomic int threshold = NOT_READ;

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

/* As the launcher says it: hayate run, PMIx or PMI-1. */
static const char *rank_text(void)
{
    static const char *const names[] = {"HAYATE_RANK", "PMIX_RANK", "PMI_RANK"};
    const char *rank = NULL;
    for (size_t i = 0; !rank && i < sizeof names / sizeof *names; i++) rank = getenv(names[i]);
    return rank ? rank : "-";
}

/* One write per line, so that the lines of several ranks do not mix. */
void hy_log(int level, const char *format, ...)
{
    if (!hy_log_on(level)) return;
    char line[1000];
    int error = errno;
    int used = snprintf(line, sizeof line, "hayate[%.16s] %s: ", rank_text(),
                        HY_SET(LOG)->words[level]);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + used, sizeof line - (size_t)used - 1, format, arguments);
    va_end(arguments);
    size_t length = strnlen(line, sizeof line - 2);
    if (more >= 0) line[length++] = '\n';
    (void)!write(STDERR_FILENO, line, length);
    errno = error;
}
