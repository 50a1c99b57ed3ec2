/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster's launcher offers to those it started: who they are, who lives where, and short
 * named texts of each rank that others ask for by rank when they need them. No rank holds a table
 * of them all. Rows: PMIx (boot_pmix.c) and PMI-1 (boot_pmi1.c).
 */
#ifndef HY_BOOT_PMI_H
#define HY_BOOT_PMI_H

#include "boot/node_place.h"

/* Room for a text, with its 0; what is published is letters, digits, '.', '-' and '_' only. */
#define HY_PMI_TEXT 640

typedef struct hy_pmi {
    int rank, size;
    hy_node_place place;
    int socket;  /* hangs up when the launcher goes; -1: there is none to look at */
    void *state; /* of the row */
} hy_pmi;

typedef struct hy_pmi_ops {
    /* Fills all of `pmi`. On an error nothing is to be closed. */
    int (*open)(hy_pmi *pmi);
    /* Gives this rank's text of that name; others find it after the next fence. Once a name. */
    int (*publish)(hy_pmi *pmi, const char *name, const char *text);
    /* Barrier over all ranks. It carries no data. */
    int (*fence)(hy_pmi *pmi);
    /* The text of that name of `rank`. LAUNCH: it published none. */
    int (*lookup)(hy_pmi *pmi, int rank, const char *name, char text[HY_PMI_TEXT]);
    /* A number of its node for each of the `size` ranks: equal for those of one node, and only for
     * them, and otherwise any from 0 to HY_PLACE_RANKS - 1. */
    int (*map)(hy_pmi *pmi, int32_t *node_of);
    /* Tells the launcher that this rank needs it no more. */
    void (*close)(hy_pmi *pmi);
} hy_pmi_ops;

#endif
