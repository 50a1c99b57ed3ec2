/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a JSON file: refused with a reason, or a tree that keeps its header's promises. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/status.h"

static void require(bool truth)
{
    if (!truth) abort();
}

static void walk(const hy_json *json, const hy_json_value *value, uint32_t line, int depth)
{
    uint32_t count = 0;
    char where[64];
    require(value->line >= line && isfinite(value->number));
    require((value->kind == HY_JSON_TEXT) == (value->text != NULL));
    if (value->text) require(strlen(value->text) < HY_JSON_BYTES);
    hy_json_where(json, value, where, sizeof where);
    bool nests = value->kind == HY_JSON_ARRAY || value->kind == HY_JSON_OBJECT;
    require(nests ? depth < HY_JSON_DEPTH : !value->first);
    for (const hy_json_value *v = value->first; v; v = v->next, count++) {
        require((value->kind == HY_JSON_OBJECT) == (v->name != NULL));
        if (v->name) require(hy_json_member(value, v->name) == v);
        walk(json, v, value->line, depth + 1);
    }
    require(count == value->count);
    require(value->kind != HY_JSON_OBJECT || count <= HY_JSON_MEMBERS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_json json;
    int rc = hy_json_parse(&json, "fuzz.json", (const char *)data, size);
    if (rc == HAYATE_OK) {
        walk(&json, json.root, 1, 0);
        hy_json_release(&json);
        return 0;
    }
    require(rc == HAYATE_ERR_ARGUMENT && strncmp(hayate_error(), "fuzz.json:", 10) == 0);
    return 0;
}
