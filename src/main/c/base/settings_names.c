/* SPDX-License-Identifier: Apache-2.0 */
/* Finds variables HAYATE_... that are not settings, and suggests the setting that may be meant. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/settings.h"
#include "base/spelling.h"

#define PREFIX "HAYATE_"
#define OF_TESTS "HAYATE_TEST_"
#define WARNINGS 8 /* the most warnings about single names */

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* NULL: no similar name. */
static const hy_setting *nearest(const char *name)
{
    const hy_setting *found = NULL;
    int best = 0;
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++)
        if (row->name && row->type < HY_TYPE_RANK &&
            hy_spelling_nearer(name + strlen(PREFIX), row->name + strlen(PREFIX), &best))
            found = row;
    return found;
}

static bool is_setting(const char *name)
{
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++)
        if (row->name && strcmp(row->name, name) == 0) return true;
    return false;
}

/* False: the rest of the name is left out. */
static bool copy_printable(const char *name, char *copy, size_t size)
{
    size_t length = strnlen(name, size - 1);
    for (size_t i = 0; i < length; i++) copy[i] = name[i] > ' ' && name[i] <= '~' ? name[i] : '?';
    copy[length] = '\0';
    return name[length] == '\0';
}

void hy_setting_explain_unknown(const char *name, char *text, size_t size)
{
    char shown[HY_SPELLING_LENGTH];
    text[0] = '\0';
    if (!begins(name, PREFIX) || begins(name, OF_TESTS) || is_setting(name)) return;
    bool whole = copy_printable(name, shown, sizeof shown);
    const hy_setting *meant = whole ? nearest(shown) : NULL;
    if (meant) snprintf(text, size, "%s is not a setting; did you mean %s?", shown, meant->name);
    else
        snprintf(text, size, "%s%s is not a setting; `hayate info --settings` shows all", shown,
                 whole ? "" : "...");
}

void hy_settings_warn(void)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    char name[HY_SPELLING_LENGTH + 8], text[200];
    int unknown = 0;
    if (atomic_flag_test_and_set(&warned)) return;
    for (char **entry = environ; entry && *entry; entry++) {
        if (!begins(*entry, PREFIX)) continue;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(*entry, "="), *entry);
        hy_setting_explain_unknown(name, text, sizeof text);
        if (!text[0]) continue;
        if (++unknown <= WARNINGS) hy_log(HY_LOG_WARN, "%s", text);
    }
    if (unknown > WARNINGS)
        hy_log(HY_LOG_WARN, "%d more variables HAYATE_... are not settings", unknown - WARNINGS);
}
