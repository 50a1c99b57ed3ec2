/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"error", "warn", "info", "debug"};

static int threshold(void)
{
    const char *text = getenv("HAYATE_LOG");
    for (int level = HY_LOG_ERROR; text && level <= HY_LOG_DEBUG; level++) {
        if (strcmp(text, names[level]) == 0) return level;
    }
    return HY_LOG_WARN;
}

int hy_log_on(int level)
{
    return level <= threshold();
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
    char line[512];
    int used = snprintf(line, sizeof line, "hayate[%.16s] %s: ", rank_text(), names[level]);
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(line + used, sizeof line - (size_t)used - 1, format, arguments);
    va_end(arguments);
    size_t length = strnlen(line, sizeof line - 2);
    if (more >= 0) line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0) return;
}
