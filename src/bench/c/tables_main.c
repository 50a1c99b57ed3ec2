/* SPDX-License-Identifier: Apache-2.0 */
/* The program behind `figure.sh tables`: words are those of hy_tables_job, and the seconds; it
 * prints the members of hy_tables_figures in their order. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <hayate/hayate.h>

#include "tables.h"

int main(int argc, char **argv)
{
    hy_tables_figures f;
    if (argc != 7) {
        fprintf(stderr, "tables: expected LAYOUT RANKS PER_NODE PARTNERS MAIS SECONDS\n");
        return 2;
    }
    const hy_tables_job job = {.layout = (hy_tables_layout)atoi(argv[1]),
                               .ranks = atoi(argv[2]),
                               .per_node = atoi(argv[3]),
                               .partners = atoi(argv[4]),
                               .mais = atoi(argv[5])};
    if (hy_tables_measure(&job, strtod(argv[6], NULL), &f)) {
        fprintf(stderr, "tables: %s\n", hayate_error());
        return 1;
    }
    printf("%d %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %f %f %f %f\n", f.kind,
           f.node_bytes, f.flat_node_bytes, f.table_bytes, f.process_bytes, f.flat_process_bytes,
           f.ns, f.flat_ns, f.find_ns, f.flat_find_ns);
    return 0;
}
