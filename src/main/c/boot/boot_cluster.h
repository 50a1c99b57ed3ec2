/* SPDX-License-Identifier: Apache-2.0 */
/* What the boot methods of all cluster launchers have in common: join the ranks of the node,
 * publish, look up, leave. */
#ifndef HY_BOOT_BOOT_CLUSTER_H
#define HY_BOOT_BOOT_CLUSTER_H

#include "boot/boot.h"
#include "boot/pmi.h"

/* The calls of a row of boot.h; hy_cluster_open() gets the protocol of the launcher. */
int hy_cluster_open(hy_boot *boot, const hy_pmi_ops *ops);
int hy_cluster_check(hy_boot *boot);
int hy_cluster_publish(hy_boot *boot, const char *name, const char *text);
int hy_cluster_lookup(hy_boot *boot, int rank, const char *name, char *text, size_t room);
void hy_cluster_abort(hy_boot *boot, int code);
void hy_cluster_close(hy_boot *boot);
void hy_cluster_release(hy_boot *boot);

#endif
