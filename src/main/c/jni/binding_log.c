/* SPDX-License-Identifier: Apache-2.0 */
/* The log, for JNA: a Java thread reads lines here, instead of stderr. */
#include "base/log.h"
#include "base/settings.h"
#include "base/status.h"

enum { TO_STDERR, TO_LOGGER }; /* values of HAYATE_LOG_TO */

/* 1: lines go to a logger of Java, 0: to stderr; or ARGUMENT. property NULL: unset. */
HAYATE_API int hayate_binding_log_wanted(const char *property)
{
    uint64_t to;
    int rc = hy_setting_value_in_java(HY_SET(LOG_TO), property, &to);
    return rc ? rc : to == TO_LOGGER;
}

HAYATE_API void hayate_binding_log_attach(void)
{
    hy_log_attach();
}

/* Waits for a line, and returns its level; the text ends with a 0. Below 0: no more lines will
 * come. */
HAYATE_API int hayate_binding_log_take(char *text, int room)
{
    return hy_log_take(text, (size_t)(room > 0 ? room : 0));
}

/* Writes the line that was taken to stderr. why NULL: no reason is added. */
HAYATE_API void hayate_binding_log_refuse(const char *why)
{
    hy_log_refuse(why);
}

HAYATE_API void hayate_binding_log_warn(const char *text)
{
    hy_log(HY_LOG_WARN, "%s", text);
}

HAYATE_API void hayate_binding_log_detach(void)
{
    hy_log_detach();
}
