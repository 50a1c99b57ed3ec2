/* SPDX-License-Identifier: Apache-2.0 */
/* `hayate perf tables`, for JNA. */
#include "base/status.h"
#include "tune/tables.h"

/* result[0..5]: the kind of the layout, and bytes; times[0..3]: ns. In the order of
 * hy_tables_figures. */
HAYATE_API int hayate_binding_tables_measure(int layout, int ranks, int per_node, int partners,
                                             int mais, double seconds, int64_t *result,
                                             double *times)
{
    const hy_tables_job job = {.layout = (hy_tables_layout)layout,
                               .ranks = ranks,
                               .per_node = per_node,
                               .partners = partners,
                               .mais = mais};
    hy_tables_figures f;
    int rc = hy_tables_measure(&job, seconds, &f);
    if (rc) return rc;
    result[0] = f.kind;
    result[1] = (int64_t)f.node_bytes;
    result[2] = (int64_t)f.flat_node_bytes;
    result[3] = (int64_t)f.table_bytes;
    result[4] = (int64_t)f.process_bytes;
    result[5] = (int64_t)f.flat_process_bytes;
    times[0] = f.ns;
    times[1] = f.flat_ns;
    times[2] = f.find_ns;
    times[3] = f.flat_find_ns;
    return HAYATE_OK;
}
