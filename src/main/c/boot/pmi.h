/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a cluster's launcher offers to those it started: who they are, who shares their node, and
 * one short text per rank that others ask for by rank when they need it. No rank holds a table of
 * all: a job may have a million ranks. Rows: PMIx (boot_pmix.c) and PMI-1 (boot_pmi1.c).
 */
#ifndef HY_BOOT_PMI_H
#define HY_BOOT_PMI_H

#include "boot/node_place.h"

/* Room for a text, with its 0; what is published is letters, digits, '.', '-' and '_' only. */
#define HY_PMI_TEXT 256

typedef struct hy_pmi {
    int rank, size;
    hy_place place;
    int socket;  /* hangs up when the launcher goes; -1: there is none to look at */
    void *state; /* of the row */
} hy_pmi;

typedef struct hy_pmi_ops {
    /* Fills all of `pmi`. On an error nothing is to be closed. */
    int (*open)(hy_pmi *pmi);
    /* Gives this rank's text; others find it after the next fence. At most once. */
    int (*publish)(hy_pmi *pmi, const char *text);
    /* Barrier over all ranks. It carries no data. */
    int (*fence)(hy_pmi *pmi);
    /* The text of `rank`. LAUNCH: it published none. */
    int (*lookup)(hy_pmi *pmi, int rank, char text[HY_PMI_TEXT]);
    /* Tells the launcher that this rank needs it no more. */
    void (*close)(hy_pmi *pmi);
} hy_pmi_ops;

#endif
