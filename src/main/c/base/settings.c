/* SPDX-License-Identifier: Apache-2.0 */
/* Parses values of settings by the type in their rows, and describes rows in words. */
#include "base/settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/status.h"

/* ---- values ---- */

const char *hy_setting_text(const hy_setting *row)
{
    const char *text = row->name ? getenv(row->name) : NULL;
    return text && *text ? text : NULL;
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

static bool parse_number(const hy_setting *row, const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    *value = number < 0 ? 0 : (uint64_t)number;
    if (end > text && *end == 's' && row->unit && strcmp(row->unit, "seconds") == 0) end++;
    return !errno && end > text && *end == '\0' && number >= 0;
}

/* low and high are 0 after an error. */
static bool parse_range(const hy_setting *row, const char *text, uint64_t *low, uint64_t *high)
{
    int from = 0, to = 0, end = 0;
    bool sound = sscanf(text, "%5d-%5d%n", &from, &to, &end) == 2 && !text[end] && from <= to &&
                 from >= (int)row->low && to <= (int)row->high;
    *low = sound ? (uint64_t)from : 0;
    *high = sound ? (uint64_t)to : 0;
    return sound;
}

static bool parse_folders(const char *text)
{
    for (; *text == '/'; text++) {
        text += strcspn(text, ":");
        if (!*text) return true;
    }
    return false;
}

static int word_of(const hy_setting *row, const char *text)
{
    for (int i = 0; row->words && row->words[i]; i++)
        if (strcmp(text, row->words[i]) == 0) return i;
    return -1;
}

static int refuse(const hy_setting *row, const char *text)
{
    char accepted[200];
    hy_setting_print_accepted(row, accepted, sizeof accepted);
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s=%s: expected %s", row->name ? row->name : row->property,
                   text, accepted);
}

static bool read(const hy_setting *row, const char *text, uint64_t *value)
{
    uint64_t other;
    int word = word_of(row, text);
    bool sound = true;
    *value = 0;
    switch (row->type) {
    case HY_TYPE_CHOICE: *value = (uint64_t)word; return word >= 0;
    case HY_TYPE_NUMBER: sound = word >= 0 || parse_number(row, text, value); break;
    case HY_TYPE_BYTES: sound = word >= 0 || hy_parse_bytes(text, value) == HAYATE_OK; break;
    case HY_TYPE_RANGE: return parse_range(row, text, value, &other);
    case HY_TYPE_FOLDERS: return parse_folders(text);
    default: return true;
    }
    if (word < 0) return sound && *value >= row->low && *value <= row->high;
    *value = hy_word_value(word);
    return true;
}

int hy_setting_check(const hy_setting *row, const char *text)
{
    uint64_t value;
    return read(row, text, &value) ? HAYATE_OK : refuse(row, text);
}

int hy_setting_value_or(const hy_setting *row, uint64_t fallback, uint64_t *value)
{
    const char *text = hy_setting_text(row);
    *value = fallback;
    return !text || read(row, text, value) ? HAYATE_OK : refuse(row, text);
}

int hy_setting_value(const hy_setting *row, uint64_t *value)
{
    return hy_setting_value_or(row, row->fallback, value);
}

int hy_setting_value_in_java(const hy_setting *row, const char *property, uint64_t *value)
{
    if (hy_setting_text(row) || !property || !*property) return hy_setting_value(row, value);
    hy_setting named = *row;
    named.name = NULL; /* an error then names the property */
    return read(&named, property, value) ? HAYATE_OK : refuse(&named, property);
}

int hy_setting_among(const hy_setting *row, const char *const *names, uint64_t *index)
{
    const char *text = hy_setting_text(row), *words[16] = {row->words[0]};
    hy_setting able = *row;
    for (size_t i = 0; names[i] && i < sizeof words / sizeof *words - 2; i++)
        words[i + 1] = names[i];
    able.words = words;
    *index = row->fallback;
    return !text || read(&able, text, index) ? HAYATE_OK : refuse(&able, text);
}

int hy_setting_range(const hy_setting *row, uint64_t *low, uint64_t *high)
{
    const char *text = hy_setting_text(row);
    *low = *high = 0;
    return !text || parse_range(row, text, low, high) ? HAYATE_OK : refuse(row, text);
}

/* ---- in words ---- */

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format,
                                                      ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void hy_bytes_print(uint64_t bytes, char *text, size_t size)
{
    int shift = 0;
    while (bytes && shift < 4 && bytes % 1024 == 0) {
        bytes /= 1024;
        shift++;
    }
    snprintf(text, size, "%" PRIu64 "%.1s", bytes, &"\0KMGT"[shift]);
}

static void add_number(const hy_setting *row, uint64_t number, char *text, size_t size)
{
    char bytes[24];
    snprintf(bytes, sizeof bytes, "%" PRIu64, number);
    if (row->type == HY_TYPE_BYTES) hy_bytes_print(number, bytes, sizeof bytes);
    add(text, size, "%s", bytes);
}

void hy_setting_print_default(const hy_setting *row, char *text, size_t size)
{
    text[0] = '\0';
    if (row->unset) add(text, size, "%s", row->unset);
    else if (row->type == HY_TYPE_CHOICE) add(text, size, "%s", row->words[row->fallback]);
    else if (row->fallback > row->high)
        add(text, size, "%s", row->words[UINT64_MAX - row->fallback]);
    else add_number(row, row->fallback, text, size);
}

static void add_words(const hy_setting *row, const char *last, char *text, size_t size)
{
    for (int i = 0; row->words && row->words[i]; i++)
        add(text, size, "%s%s", i == 0 ? "" : row->words[i + 1] ? ", " : last, row->words[i]);
}

/* "a number from 1 to 64", "a size of at least 0 bytes" */
static void add_span(const hy_setting *row, const char *what, char *text, size_t size)
{
    add(text, size, "%s%s from ", row->words ? " or " : "", what);
    add_number(row, row->low, text, size);
    add(text, size, " to ");
    add_number(row, row->high, text, size);
    if (row->unit) add(text, size, " %s", row->unit);
}

void hy_setting_print_accepted(const hy_setting *row, char *text, size_t size)
{
    text[0] = '\0';
    switch (row->type) {
    case HY_TYPE_CHOICE:
        add(text, size, "one of ");
        add_words(row, ", ", text, size);
        return;
    case HY_TYPE_NUMBER:
        add_words(row, ", ", text, size);
        add_span(row, "a number", text, size);
        return;
    case HY_TYPE_BYTES:
        if (row->high == UINT64_MAX) add(text, size, "a size in bytes");
        else add_span(row, "a size", text, size);
        add(text, size, ", such as 4096, 64K or 2G");
        return;
    case HY_TYPE_RANGE:
        add(text, size,
            "LOW-HIGH, two numbers from %" PRIu64 " to %" PRIu64 ", such as 47000-47999", row->low,
            row->high);
        return;
    case HY_TYPE_FOLDERS:
        add(text, size, "absolute paths of directories, separated by ':'");
        return;
    case HY_TYPE_FILE: add(text, size, "a path"); return;
    case HY_TYPE_OPTIONS: add(text, size, "key=value, ..."); return;
    default: add(text, size, "a name"); return;
    }
}

void hy_settings_log(void)
{
    if (!hy_log_on(HY_LOG_DEBUG)) return;
    for (const hy_setting *row = hy_settings; row < hy_settings + HY_SETTINGS; row++) {
        const char *text = row->type < HY_TYPE_RANK ? hy_setting_text(row) : NULL;
        if (text) hy_log(HY_LOG_DEBUG, "%s=%s", row->name, text);
    }
}
