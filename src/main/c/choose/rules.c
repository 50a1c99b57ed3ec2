/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a rules file into an array of rules, and finds the first that matches a shape. */
#include "choose/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf.h"
#include "base/settings.h"
#include "base/status.h"

typedef struct range {
    uint64_t low, high;
} range;

typedef struct rule {
    int coll; /* hy_coll; -1: any */
    range ranks, bytes;
    hy_hint hint;
} rule;

struct hy_rules {
    uint32_t count;
    rule *list;
};

#define GAPS " \t,"
static const range any = {0, UINT64_MAX};

static bool read_ranks(const char *text, uint64_t *number)
{
    return strspn(text, "0123456789") == strlen(text) && !hy_parse_bytes(text, number) &&
           *number >= 1 && *number <= INT32_MAX;
}

static bool read_bytes(const char *text, uint64_t *number)
{
    return hy_parse_bytes(text, number) == HAYATE_OK;
}

/* "2..8", or one value. */
static bool read_range(char *text, bool (*read)(const char *text, uint64_t *number), range *range)
{
    char *dots = strstr(text, "..");
    if (dots) *dots = '\0';
    return read(text, &range->low) && read(dots ? dots + 2 : text, &range->high) &&
           range->low <= range->high;
}

/* Takes the word `name`=RANGE out of a line, if it has one: what is left is the hint. */
static int take_range(const hy_conf *conf, const char *name,
                      bool (*read)(const char *text, uint64_t *number), range *range)
{
    size_t skip = strlen(name) + 1, length;
    bool seen = false;
    *range = any;
    for (char *at = conf->value; *(at += strspn(at, GAPS)); at += length) {
        char word[48];
        length = strcspn(at, GAPS);
        if (strncmp(at, name, skip - 1) != 0 || at[skip - 1] != '=') continue;
        if (seen) return hy_conf_fail(conf, "%s is given twice, expected once", name);
        seen = true;
        snprintf(word, sizeof word, "%.*s", (int)(length - skip), at + skip);
        if (length - skip >= sizeof word || !read_range(word, read, range))
            return hy_conf_fail(conf, "%.*s: expected one value or FROM..TO, such as %s",
                                (int)length, at, read == read_ranks ? "2..8" : "0..64K");
        memset(at, ' ', length);
    }
    return HAYATE_OK;
}

static int read_collective(const hy_conf *conf, int *coll)
{
    hy_coll found;
    char able[160] = "";
    *coll = -1;
    if (strcmp(conf->key, "*") == 0) return HAYATE_OK;
    if (hy_coll_find(conf->key, &found)) {
        *coll = (int)found;
        return HAYATE_OK;
    }
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        size_t used = strlen(able);
        snprintf(able + used, sizeof able - used, "%s, ", hy_coll_name((hy_coll)i));
    }
    return hy_conf_fail(conf, "expected one of %s*", able);
}

static int check_algorithm(const hy_conf *conf, const rule *rule)
{
    char able[160];
    const char *name = rule->hint.algorithm;
    if (!name[0]) return HAYATE_OK;
    if (rule->coll >= 0) {
        if (hy_algorithm_find((hy_coll)rule->coll, name)) return HAYATE_OK;
        hy_hint_algorithms((hy_coll)rule->coll, NULL, able, sizeof able);
        return hy_conf_fail(conf, "%s has no algorithm \"%s\", expected one of %s",
                            hy_coll_name((hy_coll)rule->coll), name, able);
    }
    for (int i = 0; i < HY_COLL_COUNT; i++)
        if (hy_algorithm_find((hy_coll)i, name)) return HAYATE_OK;
    return hy_conf_fail(conf, "no collective has an algorithm \"%s\"", name);
}

static int read_rule(const hy_conf *conf, rule *rule)
{
    char where[160];
    int rc = read_collective(conf, &rule->coll);
    if (!rc) rc = take_range(conf, "ranks", read_ranks, &rule->ranks);
    if (!rc) rc = take_range(conf, "bytes", read_bytes, &rule->bytes);
    hy_conf_where(conf, where, sizeof where);
    if (!rc) rc = hy_hint_parse(conf->value, where, &rule->hint);
    return rc ? rc : check_algorithm(conf, rule);
}

static int read_rules(hy_conf *conf, hy_rules *rules)
{
    int more;
    while ((more = hy_conf_next(conf)) > 0) {
        rule *list = realloc(rules->list, (rules->count + 1) * sizeof *list);
        if (!list) return hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory for its rules", conf->name);
        rules->list = list;
        int rc = read_rule(conf, &list[rules->count++]);
        if (rc) return rc;
    }
    return more;
}

int hy_rules_load(const char *path, hy_rules **rules)
{
    hy_conf conf;
    *rules = NULL;
    int rc = hy_conf_open(&conf, path);
    if (rc) return rc;
    hy_rules *read = calloc(1, sizeof *read);
    rc = read ? read_rules(&conf, read)
              : hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory for its rules", conf.name);
    hy_conf_close(&conf);
    if (rc) hy_rules_free(read);
    else *rules = read;
    return rc;
}

void hy_rules_free(hy_rules *rules)
{
    if (rules) free(rules->list);
    free(rules);
}

static bool within(const range *range, uint64_t number)
{
    return range->low <= number && number <= range->high;
}

const hy_hint *hy_rules_find(const hy_rules *rules, const hy_shape *shape)
{
    for (uint32_t i = 0; i < rules->count; i++) {
        const rule *r = &rules->list[i];
        if (r->coll >= 0 && r->coll != (int)shape->coll) continue;
        if (!within(&r->ranks, (uint64_t)shape->size) || !within(&r->bytes, shape->bytes)) continue;
        if (r->hint.algorithm[0] && !hy_hint_means(r->hint.algorithm, shape)) continue;
        return &r->hint;
    }
    return NULL;
}
