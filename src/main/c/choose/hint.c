/* SPDX-License-Identifier: Apache-2.0 */
/* Parses hints, merges those of all sources by strength, and checks them against the algorithms. */
#include "choose/hint.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/settings.h"
#include "base/status.h"
#include "choose/rules.h"

#define MIN_ARITY 2
#define MAX_ARITY 64

static const char *const transfers[] = {"auto", "put", "get", NULL};
static const char *const buffers[] = {"auto", "straight", "prepared", NULL};
static const char *const syncs[] = {"auto", "counters", "barrier", NULL};
static const char *const progresses[] = {"auto", "caller", "calls", "thread", "delegated", NULL};

static const char *const choices[] = {"auto", "predicted", "measured", NULL};

enum { ALGORITHM, TRANSFER, BUFFERS, SYNC, SEGMENT, ARITY, PROGRESS, CHOICE };
static const char *const keys[] = {"algorithm", "transfer", "buffers", "sync", "segment",
                                   "arity",     "progress", "choice",  NULL};

const char *hy_progress_name(int progress)
{
    return progress >= HY_PROGRESS_AUTO && progress <= HY_PROGRESS_DELEGATED ? progresses[progress]
                                                                             : "unknown";
}

_Static_assert(HY_SET_COLL_EXSCAN - HY_SET_COLL_BARRIER == HY_COLL_COUNT - 1,
               "settings and collectives are in the same order");

/* ---- text ---- */

/* One "key=value" of a hint, and its source. */
typedef struct word {
    const char *where;
    char text[80];
    char *value; /* in `text`, behind the '=' */
} word;

static int index_of(const char *name, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static void list(const char *const *names, char *text, size_t size)
{
    size_t used = 0;
    for (int i = 0; names[i] && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", names[i]);
}

static int set_choice(const word *w, const char *const *names, uint8_t *field)
{
    char able[80];
    int index = index_of(w->value, names);
    if (index >= 0) {
        *field = (uint8_t)index;
        return HAYATE_OK;
    }
    list(names, able, sizeof able);
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s=%s: expected one of %s", w->where, w->text,
                   w->value, able);
}

static bool is_name(const char *text, size_t room)
{
    size_t length = strnlen(text, room);
    for (size_t i = 0; i < length; i++)
        if (!(text[i] >= 'a' && text[i] <= 'z') && !(text[i] >= '0' && text[i] <= '9') &&
            text[i] != '_')
            return false;
    return length > 0 && length < room;
}

static int set_algorithm(const word *w, hy_hint *hint)
{
    if (strcmp(w->value, "auto") == 0) return HAYATE_OK;
    if (!is_name(w->value, sizeof hint->algorithm))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s=%s: expected a name such as ring, or auto",
                       w->where, w->text, w->value);
    memcpy(hint->algorithm, w->value, strlen(w->value) + 1);
    return HAYATE_OK;
}

static int set_segment(const word *w, hy_hint *hint)
{
    uint64_t *segment = &hint->way.segment;
    if (strcmp(w->value, "auto") == 0) return HAYATE_OK;
    if (strcmp(w->value, "none") == 0) {
        *segment = HY_SEGMENT_NONE;
        return HAYATE_OK;
    }
    if (hy_parse_bytes(w->value, segment) == HAYATE_OK && *segment > 0 && *segment <= INT64_MAX)
        return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT,
                   "%s: %s=%s: expected a size of at least 1 byte such as 32K, or none, or auto",
                   w->where, w->text, w->value);
}

static int set_arity(const word *w, hy_hint *hint)
{
    size_t length = strlen(w->value);
    if (strcmp(w->value, "auto") == 0) return HAYATE_OK;
    long arity = length <= 4 && strspn(w->value, "0123456789") == length ? atol(w->value) : 0;
    if (arity < MIN_ARITY || arity > MAX_ARITY)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s=%s: expected a number from %d to %d, or auto",
                       w->where, w->text, w->value, MIN_ARITY, MAX_ARITY);
    hint->way.arity = (uint8_t)arity;
    return HAYATE_OK;
}

static int set_word(const word *w, int key, hy_hint *hint)
{
    switch (key) {
    case ALGORITHM: return set_algorithm(w, hint);
    case TRANSFER: return set_choice(w, transfers, &hint->way.transfer);
    case BUFFERS: return set_choice(w, buffers, &hint->way.buffers);
    case SYNC: return set_choice(w, syncs, &hint->way.sync);
    case SEGMENT: return set_segment(w, hint);
    case ARITY: return set_arity(w, hint);
    case PROGRESS: return set_choice(w, progresses, &hint->progress);
    default: return set_choice(w, choices, &hint->choice);
    }
}

static bool is_gap(char c)
{
    return c == ',' || c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next word, without control characters, because error texts show it. A word that is too long
 * is truncated, which is no valid key or value either. */
static bool next_word(const char **text, word *w)
{
    while (**text && is_gap(**text)) (*text)++;
    size_t length = 0;
    for (; **text && !is_gap(**text); (*text)++)
        if (length < sizeof w->text - 1)
            w->text[length++] = (unsigned char)**text < ' ' || **text == 0x7f ? '?' : **text;
    w->text[length] = '\0';
    return length > 0;
}

static int read_word(word *w, unsigned *seen, hy_hint *hint)
{
    char able[80];
    char *equals = strchr(w->text, '=');
    if (!equals)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s: \"%s\": expected key=value, such as algorithm=ring", w->where, w->text);
    *equals = '\0';
    w->value = equals + 1;
    int key = index_of(w->text, keys);
    list(keys, able, sizeof able);
    if (key < 0)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: \"%s\" is unknown: expected one of %s", w->where,
                       w->text, able);
    if (*seen >> key & 1)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s is given twice, expected once", w->where,
                       w->text);
    *seen |= 1U << key;
    return set_word(w, key, hint);
}

int hy_hint_parse(const char *text, const char *where, hy_hint *hint)
{
    word w = {.where = where};
    unsigned seen = 0;
    int rc = HAYATE_OK;
    *hint = (hy_hint){0};
    while (rc == HAYATE_OK && next_word(&text, &w)) rc = read_word(&w, &seen, hint);
    if (rc) *hint = (hy_hint){0};
    return rc;
}

__attribute__((format(printf, 4, 5))) static void add_word(char *text, size_t size, size_t *used,
                                                           const char *format, ...)
{
    va_list arguments;
    if (*used && *used + 1 < size) text[(*used)++] = ' ';
    if (*used >= size) return;
    va_start(arguments, format);
    int length = vsnprintf(text + *used, size - *used, format, arguments);
    va_end(arguments);
    *used += length > 0 ? (size_t)length : 0;
}

int hy_hint_text(const hy_hint *hint, char *text, size_t size)
{
    const hy_way *way = &hint->way;
    size_t used = 0;
    if (size) text[0] = '\0';
    if (hint->algorithm[0]) add_word(text, size, &used, "algorithm=%s", hint->algorithm);
    if (way->transfer) add_word(text, size, &used, "transfer=%s", transfers[way->transfer]);
    if (way->buffers) add_word(text, size, &used, "buffers=%s", buffers[way->buffers]);
    if (way->sync) add_word(text, size, &used, "sync=%s", syncs[way->sync]);
    if (way->segment == HY_SEGMENT_NONE) add_word(text, size, &used, "segment=none");
    else if (way->segment) add_word(text, size, &used, "segment=%" PRIu64, way->segment);
    if (way->arity) add_word(text, size, &used, "arity=%u", way->arity);
    return (int)used;
}

/* ---- several together ---- */

void hy_hint_weaken(hy_hint *hint, const hy_hint *weaker)
{
    if (!hint->progress) hint->progress = weaker->progress;
    if (!hint->choice) hint->choice = weaker->choice;
    if (hint->algorithm[0]) return;
    memcpy(hint->algorithm, weaker->algorithm, sizeof hint->algorithm);
    if (!hint->way.transfer) hint->way.transfer = weaker->way.transfer;
    if (!hint->way.buffers) hint->way.buffers = weaker->way.buffers;
    if (!hint->way.sync) hint->way.sync = weaker->way.sync;
    if (!hint->way.arity) hint->way.arity = weaker->way.arity;
    if (!hint->way.segment) hint->way.segment = weaker->way.segment;
}

static int weaken_by_text(hy_hint *hint, const char *text, const char *where)
{
    hy_hint weaker;
    if (!text) return HAYATE_OK;
    int rc = hy_hint_parse(text, where, &weaker);
    if (rc == HAYATE_OK) hy_hint_weaken(hint, &weaker);
    return rc;
}

static bool any_has(const char *algorithm)
{
    for (int coll = 0; coll < HY_COLL_COUNT; coll++)
        if (hy_algorithm_find((hy_coll)coll, algorithm)) return true;
    return false;
}

bool hy_hint_means(const char *algorithm, const hy_shape *shape)
{
    const hy_algorithm *found = hy_algorithm_find(shape->coll, algorithm);
    return found && (!(found->traits & HY_TRAIT_PARTS) || found->applies(shape));
}

int hy_hint_parse_for(const hy_shape *shape, const char *text, const char *where, hy_hint *hint)
{
    int rc = hy_hint_parse(text, where, hint);
    bool none = !rc && hint->algorithm[0] && !hy_hint_means(hint->algorithm, shape);
    if (none && any_has(hint->algorithm)) hint->algorithm[0] = '\0';
    return rc;
}

static int weaken_by_environment(hy_hint *hint, const hy_shape *shape)
{
    const hy_setting *own = HY_SET(COLL_BARRIER) + shape->coll;
    const char *all = hy_setting_text(HY_SET(COLL));
    hy_hint weaker;
    int rc = weaken_by_text(hint, hy_setting_text(own), own->name);
    if (rc || !all) return rc;
    rc = hy_hint_parse_for(shape, all, "HAYATE_COLL", &weaker);
    if (!rc) hy_hint_weaken(hint, &weaker);
    return rc;
}

/* The rules files by path. Each is read once, when it is first needed, and kept, because it must
 * not change between two operations. Protected by the lock; entries live as long as the process. */
static struct rules_file {
    struct rules_file *next;
    hy_rules *rules; /* NULL: damaged, treated as empty */
    char path[];
} * files;
static pthread_mutex_t files_lock = PTHREAD_MUTEX_INITIALIZER;

static struct rules_file *hint_load(const char *path)
{
    struct rules_file *file = malloc(sizeof *file + strlen(path) + 1);
    if (!file) return NULL;
    strcpy(file->path, path);
    if (hy_rules_load(path, &file->rules) != HAYATE_OK) {
        file->rules = NULL;
        hy_log(HY_LOG_WARN, "%s; this rules file is not used", hayate_error());
    }
    file->next = files;
    return files = file;
}

static int weaken_by_rules(hy_hint *hint, const hy_shape *shape, const char *path)
{
    if (!path || !*path) return HAYATE_OK;
    pthread_mutex_lock(&files_lock);
    struct rules_file *file = files;
    while (file && strcmp(file->path, path) != 0) file = file->next;
    if (!file) file = hint_load(path);
    pthread_mutex_unlock(&files_lock);
    if (!file) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the rules file %s", path);
    const hy_hint *weaker = file->rules ? hy_rules_find(file->rules, shape) : NULL;
    if (weaker) hy_hint_weaken(hint, weaker);
    return HAYATE_OK;
}

/* Checks a hint that the program filled in. */
static int hint_check(const hy_hint *hint)
{
    const hy_way *way = &hint->way;
    if (hint->algorithm[0] && !is_name(hint->algorithm, sizeof hint->algorithm))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "the algorithm's name has characters other than a-z, "
                       "0-9 and _, or more than 31; expected a name such as ring");
    if (way->transfer > HY_TRANSFER_GET || way->buffers > HY_BUFFERS_PREPARED ||
        way->sync > HY_SYNC_BARRIER || hint->progress > HY_PROGRESS_DELEGATED ||
        hint->choice > HY_CHOICE_MEASURED)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "transfer %u, buffers %u, sync %u, progress %u, choice %u: expected up to "
                       "2, 2, 2, 4, 2",
                       way->transfer, way->buffers, way->sync, hint->progress, hint->choice);
    if (way->arity && (way->arity < MIN_ARITY || way->arity > MAX_ARITY))
        return hy_fail(HAYATE_ERR_ARGUMENT, "arity %u: expected %d to %d, or 0", way->arity,
                       MIN_ARITY, MAX_ARITY);
    if (way->segment > INT64_MAX && way->segment != HY_SEGMENT_NONE)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "segment of %llu bytes: expected a size that fits into memory",
                       (unsigned long long)way->segment);
    return HAYATE_OK;
}

int hy_hint_gather(const hy_shape *shape, const char *property, const char *rules,
                   const hy_hint *api, hy_hint *hint)
{
    const char *path = hy_setting_text(HY_SET(COLL_RULES));
    hy_hint gathered = {0};
    *hint = gathered;
    int rc = weaken_by_environment(&gathered, shape);
    if (rc == HAYATE_OK)
        rc = weaken_by_text(&gathered, property, "system property hayate.coll or one below it");
    if (rc == HAYATE_OK) rc = weaken_by_rules(&gathered, shape, path ? path : rules);
    if (rc == HAYATE_OK && api) rc = hint_check(api);
    if (rc) return rc;
    if (api) hy_hint_weaken(&gathered, api);
    *hint = gathered;
    return HAYATE_OK;
}

/* ---- algorithms ---- */

static bool hint_fits(const hy_algorithm *algorithm, const hy_shape *shape)
{
    return algorithm->applies(shape) && (!shape->uneven || algorithm->traits & HY_TRAIT_UNEVEN);
}

void hy_hint_algorithms(hy_coll coll, const hy_shape *shape, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "none");
    for (const hy_algorithm *const *a = hy_algorithms; *a && used < size; a++) {
        if ((*a)->coll != coll || (shape && !hint_fits(*a, shape))) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", (*a)->name);
    }
}

int hy_hint_algorithm(const hy_hint *hint, const hy_shape *shape, const hy_algorithm **algorithm)
{
    char able[160];
    *algorithm = NULL;
    if (!hint->algorithm[0]) return HAYATE_OK;
    const hy_algorithm *found = hy_algorithm_find(shape->coll, hint->algorithm);
    hy_hint_algorithms(shape->coll, shape, able, sizeof able);
    if (!found)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s has no algorithm \"%s\"; expected, for %d ranks, one of %s",
                       hy_coll_name(shape->coll), hint->algorithm, shape->size, able);
    if (!hint_fits(found, shape))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s algorithm %s needs %s, not %d ranks and elements of %u B; possible: %s",
                       hy_coll_name(shape->coll), found->name,
                       found->applies(shape) ? "blocks of equal length"
                       : found->needs        ? found->needs
                                             : "something else",
                       shape->size, shape->unit, able);
    *algorithm = found;
    return HAYATE_OK;
}
