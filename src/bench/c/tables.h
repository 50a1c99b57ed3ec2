/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a process and a node keep of a job of many ranks, against flat tables: bytes, and the time
 * of a lookup. The job is simulated: the tables are those of one of its processes, made as it makes
 * them and used as if it had talked to some ranks, but no rank is started.
 */
#ifndef HY_BENCH_TABLES_H
#define HY_BENCH_TABLES_H

#include <stdint.h>

/* How the ranks are on the nodes. */
typedef enum hy_tables_layout {
    HY_TABLES_BLOCK,  /* the first per_node on the first node, and so on */
    HY_TABLES_CYCLIC, /* round robin */
    HY_TABLES_RANGES, /* blocks of per_node / 2 to 3 / 2 per_node, by chance */
    HY_TABLES_RANDOM, /* any rank on any node, by chance */
    HY_TABLES_LAYOUTS
} hy_tables_layout;

typedef struct hy_tables_job {
    hy_tables_layout layout;
    int ranks, per_node;
    int partners; /* ranks that it talks to, with one mai; to some in collectives as well */
    int mais;     /* of FMPL */
} hy_tables_job;

typedef struct hy_tables_figures {
    int kind;                             /* hy_layout_kind */
    uint64_t node_bytes, flat_node_bytes; /* once for a node */
    uint64_t table_bytes;                 /* of a process: to find its partners */
    uint64_t process_bytes;               /* and their endpoints, lanes and channels */
    uint64_t flat_process_bytes;          /* the same for all ranks of the job */
    double ns, flat_ns;                   /* a lookup of node and part */
    double find_ns, flat_find_ns;         /* a lookup of a lane */
} hy_tables_figures;

/* seconds: of each measurement of a time. ARGUMENT, NO_MEMORY. */
int hy_tables_measure(const hy_tables_job *job, double seconds, hy_tables_figures *figures);

#endif
