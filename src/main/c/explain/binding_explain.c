/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate explain`, for JNA. An explanation is an address; texts are addresses too, which the
 * caller releases. Results below 0 are error codes. */
#include <stdlib.h>

#include "base/status.h"
#include "explain/explain.h"

enum {
    ORDINARY = 1,
    OUTSIDE = 2,
    SPREAD = 4,
    CYCLIC = 8
}; /* the same values as in
    * ExplainBinding.java */

HAYATE_API int64_t hayate_binding_explain_open(const char *coll, int ranks, int root, int64_t bytes,
                                               int64_t unit, int flags, int cpus, int nodes,
                                               const char *net, const char *line,
                                               const char *own_property, const char *all_property,
                                               const char *rules)
{
    hy_explain *explain = NULL;
    if (bytes < 0 || unit < 0 || unit > UINT32_MAX)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%lld B in elements of %lld B: expected 0 or more, 0 to 4294967295",
                       (long long)bytes, (long long)unit);
    const hy_explain_ask ask = {.coll = coll,
                                .ranks = ranks,
                                .root = root,
                                .bytes = (uint64_t)bytes,
                                .unit = (uint32_t)unit,
                                .ordinary = flags & ORDINARY,
                                .outside = flags & OUTSIDE,
                                .spread = flags & SPREAD,
                                .cpus = cpus,
                                .nodes = nodes,
                                .cyclic = flags & CYCLIC,
                                .net = net,
                                .line = line,
                                .own_property = own_property,
                                .all_property = all_property,
                                .rules = rules};
    int rc = hy_explain_open(&ask, &explain);
    return rc ? rc : (int64_t)(intptr_t)explain;
}

HAYATE_API void hayate_binding_explain_close(hy_explain *explain)
{
    hy_explain_close(explain);
}

HAYATE_API int64_t hayate_binding_explain_choice(hy_explain *explain, int most)
{
    char *text = NULL;
    int rc = hy_explain_choice(explain, most, &text);
    return rc ? rc : (int64_t)(intptr_t)text;
}

HAYATE_API int64_t hayate_binding_explain_steps(hy_explain *explain, int rank, int rounds,
                                                int64_t most)
{
    char *text = NULL;
    int rc = hy_explain_steps(explain, rank, rounds < 0 ? 0 : (uint32_t)rounds,
                              most < 0 ? 0 : (uint64_t)most, &text);
    return rc ? rc : (int64_t)(intptr_t)text;
}

HAYATE_API int64_t hayate_binding_explain_scale(hy_explain *explain, int index, int ranks,
                                                int rounds, int generate)
{
    char *text = NULL;
    int rc = hy_explain_scale(explain, index, ranks, rounds < 0 ? 0 : (uint32_t)rounds,
                              generate != 0, &text);
    return rc ? rc : (int64_t)(intptr_t)text;
}

HAYATE_API void hayate_binding_explain_release(char *text)
{
    free(text);
}
