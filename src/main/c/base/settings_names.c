/* SPDX-License-Identifier: Apache-2.0 */
/* Finds variables HAYATE_... that are not settings, and suggests the setting that may be meant. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/settings.h"

#define PREFIX "HAYATE_"
#define OF_TESTS "HAYATE_TEST_"
#define LENGTH 48  /* limit for a name that is compared; every setting's name is shorter */
#define WARNINGS 8 /* the most warnings about single names */

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* The number of characters to insert, delete, change or swap with the next, to turn one into the
 * other (optimal string alignment). Both are shorter than LENGTH. */
static int distance(const char *a, const char *b)
{
    int rows[3][LENGTH], columns = (int)strlen(b), length = (int)strlen(a);
    for (int j = 0; j <= columns; j++) rows[0][j] = j;
    for (int i = 1; i <= length; i++) {
        int *now = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *over = rows[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= columns; j++) {
            bool same = upper(a[i - 1]) == upper(b[j - 1]);
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + !same);
            bool swapped = i > 1 && j > 1 && upper(a[i - 1]) == upper(b[j - 2]) &&
                           upper(a[i - 2]) == upper(b[j - 1]);
            if (swapped) now[j] = least(now[j], over[j - 2] + 1);
        }
    }
    return rows[length % 3][columns];
}

/* NULL: no similar name. One character in four may differ, and one more. */
static const hy_setting *nearest(const char *name)
{
    const char *own = name + strlen(PREFIX);
    const hy_setting *found = NULL;
    int best = (int)strlen(own) / 4 + 2;
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++) {
        if (!row->name || row->type >= HY_TYPE_RANK) continue;
        int far = distance(own, row->name + strlen(PREFIX));
        if (far >= best) continue;
        best = far;
        found = row;
    }
    return found;
}

static const hy_setting *find(const char *name)
{
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++)
        if (row->name && strcmp(row->name, name) == 0) return row;
    return NULL;
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
    char shown[LENGTH];
    text[0] = '\0';
    if (!begins(name, PREFIX) || begins(name, OF_TESTS)) return;
    const hy_setting *row = find(name);
    if (row && row->type != HY_TYPE_RETIRED) return;
    bool whole = copy_printable(name, shown, sizeof shown);
    const hy_setting *meant = row || !whole ? NULL : nearest(shown);
    if (row) snprintf(text, size, "%s is not a setting any more: %s", row->name, row->meaning);
    else if (meant)
        snprintf(text, size, "%s is not a setting; did you mean %s?", shown, meant->name);
    else
        snprintf(text, size, "%s%s is not a setting; `hayate info --settings` shows all", shown,
                 whole ? "" : "...");
}

void hy_settings_warn(void)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    char name[LENGTH + 8], text[200];
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
