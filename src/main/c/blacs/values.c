/* SPDX-License-Identifier: Apache-2.0 */
/* What netlib's blacs_get() and blacs_set() exchange. */
#include <limits.h>

#include "blacs/state.h"

static int unknown(int what)
{
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "Unknown WHAT (%d)", what);
}

/* Values of the process. */
static int get_of_process(int what, int *value)
{
    if (what == HY_BLACS_SYSTEM) *value = 0;
    else if (what == HY_BLACS_DEBUG_LEVEL) *value = 1; /* arguments are checked */
    else if (what == HY_BLACS_MESSAGE_IDS) value[0] = 0, value[1] = INT_MAX;
    else return unknown(what);
    return HAYATE_OK;
}

/* Where a grid keeps a value that can be set; NULL: there is none such. */
static int *place_of(hy_grid *grid, int what)
{
    switch (what) {
    case HY_BLACS_BROADCAST_RINGS: return &grid->rings[0];
    case HY_BLACS_BROADCAST_BRANCHES: return &grid->branches[0];
    case HY_BLACS_COMBINE_RINGS: return &grid->rings[1];
    case HY_BLACS_COMBINE_BRANCHES: return &grid->branches[1];
    case HY_BLACS_REPEATABLE: return &grid->repeatable;
    case HY_BLACS_COHERENT: return &grid->coherent;
    default: return NULL;
    }
}

int hayate_blacs_get(int context, int what, int *value)
{
    hy_grid *grid;
    if (what < HY_BLACS_CONTEXT_SYSTEM) return get_of_process(what, value);
    if (what > HY_BLACS_COHERENT) return unknown(what);
    int rc = hy_grid_enter(context, &grid);
    if (rc) return rc;
    *value = what == HY_BLACS_CONTEXT_SYSTEM ? HY_BLACS_SYSTEMS + context : *place_of(grid, what);
    return hy_grid_leave(grid, HAYATE_OK);
}

static int check_value(int what, int value)
{
    bool rings = what == HY_BLACS_BROADCAST_RINGS || what == HY_BLACS_COMBINE_RINGS;
    bool branches = what == HY_BLACS_BROADCAST_BRANCHES || what == HY_BLACS_COMBINE_BRANCHES;
    const char *of = what <= HY_BLACS_BROADCAST_BRANCHES ? "BSBR" : "COMB";
    if (rings && value == 0)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%s nrings cannot be set to zero", of);
    if (branches && value < 1)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "Illegal %s nbranches (%d); must be strictly positive", of, value);
    return HAYATE_OK;
}

static int cannot_set(int what)
{
    switch (what) {
    case HY_BLACS_SYSTEM:
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "Cannot set BLACS system context, can only BLACS_GET");
    case HY_BLACS_MESSAGE_IDS:
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "No need to set message ID range");
    case HY_BLACS_DEBUG_LEVEL:
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "Cannot set BLACS debug level");
    case HY_BLACS_CONTEXT_SYSTEM:
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "Cannot set BLACS context, can only BLACS_GET");
    default: return unknown(what);
    }
}

int hayate_blacs_set(int context, int what, const int *value)
{
    hy_grid *grid;
    if (what <= HY_BLACS_CONTEXT_SYSTEM || what > HY_BLACS_COHERENT) return cannot_set(what);
    int rc = check_value(what, *value);
    if (!rc) rc = hy_grid_enter(context, &grid);
    if (rc) return rc;
    *place_of(grid, what) = *value;
    return hy_grid_leave(grid, HAYATE_OK);
}
