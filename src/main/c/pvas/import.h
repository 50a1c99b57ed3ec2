/* SPDX-License-Identifier: Apache-2.0 */
/* Finds memory that other tasks export, and waits for it. */
#ifndef HY_PVAS_IMPORT_H
#define HY_PVAS_IMPORT_H

#include "pvas/space_table.h"

/* Like pvas_import(). */
int hy_import(hy_table *table, int task, const char *text, int timeout_ms, void **memory,
              size_t *bytes);

#endif
