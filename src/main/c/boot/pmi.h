/* SPDX-License-Identifier: Apache-2.0 */
/* What a cluster's launcher offers to the processes that it started: their ranks, the nodes of
 * all ranks, and short named texts of each rank that others look up by rank when they need them.
 * No rank stores a table of all texts. Rows: PMIx (boot_pmix.c) and PMI-1 (boot_pmi1.c). */
#ifndef HY_BOOT_PMI_H
#define HY_BOOT_PMI_H

#include <stdbool.h>

#include "boot/node_place.h"

/* Room for a text with its terminating 0; only letters, digits, '.', '-' and '_' are published. */
#define HY_PMI_TEXT 640

typedef struct hy_pmi {
    int rank, size;
    hy_node_place place;
    int socket;  /* hangs up when the launcher ends; -1: none */
    void *state; /* private to the row */
    /* Listens already, where all ranks know; used if this rank is the first of its node. NULL: the
     * first rank publishes where it listens. */
    struct hy_node_host *host;
    int32_t (*pid_of)(const struct hy_pmi *pmi, int rank); /* known before they meet; NULL: not */
} hy_pmi;

typedef struct hy_pmi_ops {
    bool once; /* the launcher admits a process only once */
    /* Fills in all of `pmi`. After an error, nothing needs to be closed. */
    int (*open)(hy_pmi *pmi);
    /* Publishes this rank's text of that name; others can look it up after the next fence. Once
     * per name. */
    int (*publish)(hy_pmi *pmi, const char *name, const char *text);
    /* A barrier over all ranks. It carries no data. */
    int (*fence)(hy_pmi *pmi);
    /* The text of that name of `rank`. LAUNCH: not published. */
    int (*lookup)(hy_pmi *pmi, int rank, const char *name, char text[HY_PMI_TEXT]);
    /* A node number for each of the `size` ranks, from 0 to HY_PLACE_RANKS - 1: equal for ranks
     * of the same node, different for others. */
    int (*map)(hy_pmi *pmi, int32_t *node_of);
    /* Asks the launcher to end all ranks. NULL: the row of boot.h has an abort of its own. */
    void (*abort)(hy_pmi *pmi, int code);
    /* Tells the launcher that this rank does not need it any more. */
    void (*close)(hy_pmi *pmi);
} hy_pmi_ops;

#endif
