/* SPDX-License-Identifier: Apache-2.0 */
/* Determines which hints count: reads the sources of hint.h one by one, so that each can be
 * named. */
#include <string.h>

#include "base/settings.h"
#include "base/status.h"
#include "choose/rules.h"
#include "explain/state.h"

/* The fields that `now` settles and that were open in `before`. */
static hy_hint settled(const hy_hint *before, const hy_hint *now)
{
    hy_hint rest = *now;
    if (before->algorithm[0]) rest.algorithm[0] = '\0';
    if (before->way.transfer) rest.way.transfer = 0;
    if (before->way.buffers) rest.way.buffers = 0;
    if (before->way.sync) rest.way.sync = 0;
    if (before->way.segment) rest.way.segment = 0;
    if (before->way.arity) rest.way.arity = 0;
    return rest;
}

static void weaken(hy_explain *e, const char *whose, const hy_hint *weaker)
{
    const hy_hint before = e->hint;
    char text[120];
    hy_hint_weaken(&e->hint, weaker);
    hy_explain_source *source = &e->sources[e->source_count];
    source->hint = settled(&before, &e->hint);
    snprintf(source->whose, sizeof source->whose, "%s", whose);
    if (hy_hint_text(&source->hint, text, sizeof text) > 0) e->source_count++;
}

static int weaken_by_text(hy_explain *e, const char *whose, const char *text)
{
    hy_hint weaker;
    if (!text) return HAYATE_OK;
    int rc = hy_hint_parse(text, whose, &weaker);
    if (rc == HAYATE_OK) weaken(e, whose, &weaker);
    return rc;
}

static int weaken_by_environment(hy_explain *e)
{
    const hy_setting *own = HY_SET(COLL_BARRIER) + e->shape.coll;
    const char *all = hy_setting_text(HY_SET(COLL));
    hy_hint weaker;
    int rc = weaken_by_text(e, own->name, hy_setting_text(own));
    if (rc || !all) return rc;
    rc = hy_hint_parse_for(&e->shape, all, "HAYATE_COLL", &weaker);
    if (!rc) weaken(e, "HAYATE_COLL", &weaker);
    return rc;
}

static int weaken_by_properties(hy_explain *e, const hy_explain_ask *ask)
{
    char whose[48];
    snprintf(whose, sizeof whose, "hayate.coll.%s", hy_coll_name(e->shape.coll));
    int rc = weaken_by_text(e, whose, ask->own_property);
    return rc ? rc : weaken_by_text(e, "hayate.coll", ask->all_property);
}

/* A program treats a damaged file as empty; here a note reports it. */
static void weaken_by_rules(hy_explain *e, const char *path)
{
    hy_rules *rules = NULL;
    char whose[300];
    if (!path || !*path) return;
    if (hy_rules_load(path, &rules) != HAYATE_OK) {
        snprintf(e->note, sizeof e->note, "%s; this rules file is not used", hayate_error());
        return;
    }
    const hy_hint *weaker = hy_rules_find(rules, &e->shape);
    snprintf(whose, sizeof whose, "rules file %s", path);
    if (weaker) weaken(e, whose, weaker);
    hy_rules_free(rules);
}

int hy_explain_hints(hy_explain *e, const hy_explain_ask *ask)
{
    const char *path = hy_setting_text(HY_SET(COLL_RULES));
    int rc = weaken_by_text(e, "command line", ask->line);
    if (rc == HAYATE_OK) rc = weaken_by_environment(e);
    if (rc == HAYATE_OK) rc = weaken_by_properties(e, ask);
    if (rc) return rc;
    weaken_by_rules(e, path ? path : ask->rules);
    return hy_hint_algorithm(&e->hint, &e->shape, &e->algorithm);
}
