/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a rules file into an array of rules, and finds the first that matches a shape. */
#include "choose/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "base/json.h"
#include "base/status.h"

/* JSON numbers are doubles, which are exact below this. */
#define EXACT 9007199254740992.0

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
    rule list[];
};

static bool whole(const hy_json_value *value, uint64_t *number)
{
    if (value->kind != HY_JSON_NUMBER || value->number < 0 || value->number >= EXACT) return false;
    *number = (uint64_t)value->number;
    return (double)*number == value->number;
}

static bool ranks(const hy_json_value *value, uint64_t *number)
{
    return whole(value, number) && *number >= 1 && *number <= INT32_MAX;
}

static bool bytes(const hy_json_value *value, uint64_t *number)
{
    if (value->kind != HY_JSON_TEXT) return whole(value, number);
    return hy_parse_bytes(value->text, number) == HAYATE_OK;
}

/* One value, or [from, to]; `what` describes a value in words. */
static int read_range(const hy_json *json, const hy_json_value *value, const char *what,
                      bool (*read)(const hy_json_value *value, uint64_t *number), range *range)
{
    const hy_json_value *low = value, *high = value;
    if (!value) return HAYATE_OK;
    if (value->kind == HY_JSON_ARRAY && value->count == 2) {
        low = value->first;
        high = low->next;
    }
    if (!read(low, &range->low) || !read(high, &range->high))
        return hy_json_fail(json, value, "expected one %s or [from, to]", what);
    if (range->low > range->high)
        return hy_json_fail(json, value, "expected [from, to] with from at most to");
    return HAYATE_OK;
}

static int read_collective(const hy_json *json, const hy_json_value *value, int *coll)
{
    hy_coll found;
    char able[160] = "";
    *coll = -1;
    if (!value || (value->kind == HY_JSON_TEXT && strcmp(value->text, "*") == 0)) return HAYATE_OK;
    if (value->kind == HY_JSON_TEXT && hy_coll_find(value->text, &found)) {
        *coll = (int)found;
        return HAYATE_OK;
    }
    for (int i = 0; i < HY_COLL_COUNT; i++) {
        size_t used = strlen(able);
        snprintf(able + used, sizeof able - used, "%s, ", hy_coll_name((hy_coll)i));
    }
    return hy_json_fail(json, value, "expected one of %s\"*\"", able);
}

static int check_algorithm(const hy_json *json, const hy_json_value *value, const rule *rule)
{
    char able[160];
    const char *name = rule->hint.algorithm;
    if (!name[0]) return HAYATE_OK;
    if (rule->coll >= 0) {
        if (hy_algorithm_find((hy_coll)rule->coll, name)) return HAYATE_OK;
        hy_hint_algorithms((hy_coll)rule->coll, NULL, able, sizeof able);
        return hy_json_fail(json, value, "%s has no algorithm \"%s\", expected one of %s",
                            hy_coll_name((hy_coll)rule->coll), name, able);
    }
    for (int i = 0; i < HY_COLL_COUNT; i++)
        if (hy_algorithm_find((hy_coll)i, name)) return HAYATE_OK;
    return hy_json_fail(json, value, "no collective has an algorithm \"%s\"", name);
}

static int read_hint(const hy_json *json, const hy_json_value *value, rule *rule)
{
    char where[160];
    if (value->kind != HY_JSON_TEXT)
        return hy_json_fail(json, value, "expected a text such as \"algorithm=ring segment=32K\"");
    hy_json_where(json, value, where, sizeof where);
    int rc = hy_hint_parse(value->text, where, &rule->hint);
    return rc ? rc : check_algorithm(json, value, rule);
}

static int read_rule(const hy_json *json, const hy_json_value *value, rule *rule)
{
    static const char *const names[] = {"hint", "collective", "ranks", "bytes", NULL};
    rule->ranks = rule->bytes = (range){0, UINT64_MAX};
    int rc = hy_json_check(json, value, names, 1);
    if (rc) return rc;
    rc = read_collective(json, hy_json_member(value, "collective"), &rule->coll);
    if (rc) return rc;
    rc = read_range(json, hy_json_member(value, "ranks"), "number", ranks, &rule->ranks);
    if (rc) return rc;
    rc = read_range(json, hy_json_member(value, "bytes"), "size (4096, \"64K\")", bytes,
                    &rule->bytes);
    return rc ? rc : read_hint(json, hy_json_member(value, "hint"), rule);
}

static int read_rules(const hy_json *json, hy_rules **rules)
{
    static const char *const names[] = {"rules", NULL};
    int rc = hy_json_check(json, json->root, names, 1);
    if (rc) return rc;
    const hy_json_value *list = hy_json_member(json->root, "rules");
    if (list->kind != HY_JSON_ARRAY) return hy_json_fail(json, list, "expected a list of rules");
    hy_rules *read = calloc(1, sizeof *read + list->count * sizeof read->list[0]);
    if (!read) return hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory for its rules", json->name);
    for (const hy_json_value *v = list->first; v && rc == HAYATE_OK; v = v->next)
        rc = read_rule(json, v, &read->list[read->count++]);
    if (rc) hy_rules_free(read);
    else *rules = read;
    return rc;
}

int hy_rules_load(const char *path, hy_rules **rules)
{
    hy_json json;
    *rules = NULL;
    int rc = hy_json_read(&json, path);
    if (rc) return rc;
    rc = read_rules(&json, rules);
    hy_json_release(&json);
    return rc;
}

void hy_rules_free(hy_rules *rules)
{
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
