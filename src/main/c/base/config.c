/* SPDX-License-Identifier: Apache-2.0 */
#include "base/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static const char *setting(const char *name, char *variable, size_t size)
{
    snprintf(variable, size, "HAYATE_%s", name);
    const char *text = getenv(variable);
    return text && *text ? text : NULL;
}

const char *hy_config_text(const char *name)
{
    char variable[64];
    return setting(name, variable, sizeof variable);
}

static int unit_shift(const char *suffix)
{
    static const char units[] = "KMGT";
    if (*suffix == '\0') return 0;
    const char *unit = strchr(units, *suffix & ~0x20);
    if (!unit || !*unit || suffix[1] != '\0') return -1;
    return 10 * (int)(unit - units + 1);
}

int hy_parse_bytes(const char *text, uint64_t *bytes)
{
    char *end;
    errno = 0;
    if (!text || *text < '0' || *text > '9') return HAYATE_ERR_ARGUMENT;
    unsigned long long number = strtoull(text, &end, 10);
    int shift = unit_shift(end);
    if (errno || shift < 0 || number > UINT64_MAX >> shift) return HAYATE_ERR_ARGUMENT;
    *bytes = (uint64_t)number << shift;
    return HAYATE_OK;
}

int hy_config_bytes(const char *name, uint64_t fallback, uint64_t low, uint64_t high,
                    uint64_t *value)
{
    char variable[64];
    const char *text = setting(name, variable, sizeof variable);
    *value = fallback;
    if (!text) return HAYATE_OK;
    if (hy_parse_bytes(text, value) == HAYATE_OK && *value >= low && *value <= high)
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "%s=%s: expected a size from %llu to %llu bytes, such as 4096, 64K or 2G",
                   variable, text, (unsigned long long)low, (unsigned long long)high);
}

int hy_config_long(const char *name, long fallback, long low, long high, long *value)
{
    char variable[64], *end;
    const char *text = setting(name, variable, sizeof variable);
    *value = fallback;
    if (!text) return HAYATE_OK;
    errno = 0;
    *value = strtol(text, &end, 10);
    if (!errno && *end == '\0' && *value >= low && *value <= high) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s=%s: expected a number from %ld to %ld", variable, text,
                   low, high);
}

int hy_config_choice(const char *name, int fallback, const char *const *choices, int *value)
{
    char variable[64], list[160] = "";
    const char *text = setting(name, variable, sizeof variable);
    *value = fallback;
    if (!text) return HAYATE_OK;
    for (int i = 0; choices[i]; i++) {
        *value = i;
        if (strcmp(text, choices[i]) == 0) return HAYATE_OK;
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", choices[i]);
    }
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s=%s: expected one of %s", variable, text, list);
}
