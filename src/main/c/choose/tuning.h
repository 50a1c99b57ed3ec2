/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tuning file of this machine, JSON written by `hayate tune`:
 *   { "format": 1, "machine": "...", "measured": "2026-11-21T10:00:00Z",
 *     "model": { "signal": {"ns": 12.3, "error": 0.4}, ...,
 *                "copy": {"ns": [..8 numbers..], "error": [..8 numbers..]}, ...,
 *                "bandwidth": {"bytes_per_ns": 9.1, "error": 0.3}, "cached": {"bytes": 1048576},
 *                "tcp_latency": {"ns": 15000}, ... "verbs_byte": {"ns": 0.085} } }
 * The terms of networks (latency, overhead, gap, byte of each: hy_net_model) may be missing: then
 * the defaults are used. A job on several nodes uses the file of rank 0's node. The file is
 * HAYATE_TUNING, else $XDG_CACHE_HOME/hayate/tuning-<machine>.json, else ~/.cache/hayate/...;
 * <machine> stands for processor, number of CPUs and kernel, so that one home directory can serve
 * many machines.
 */
#ifndef HY_CHOOSE_TUNING_H
#define HY_CHOOSE_TUNING_H

#include <stddef.h>

#include "sched/model.h"

/* The path of the file, whether it exists or not. SYSTEM if there is no home directory. If
 * HAYATE_TUNING is "none", no file is used and path is "". */
int hy_tuning_path(char *path, size_t size);

/* Writes "AMD EPYC 7B13, 2 CPUs, Linux 6.1". */
void hy_tuning_machine(char *text, size_t size);

/* Reads a file over the defaults. ARGUMENT with file, line and what was expected (every number
 * finite, not negative, below a second; a bandwidth above 0; every term present, except those of
 * networks, and no other, its error optional; the machine is this one): *model is then the default.
 * SYSTEM: it cannot be read. */
int hy_tuning_load(const char *path, int cpus, hy_model *model);

/* The model for every choice: that of the file, or the defaults if there is no file or it is
 * damaged. Read once per process. */
hy_model hy_tuning_model(int cpus);

/* Logs, once per process, why the file is not used although it is there or was named. For one rank
 * of each node. */
void hy_tuning_warn(void);

/* ARGUMENT: a number is invalid in a file. */
int hy_tuning_check(const hy_model *model);

/* Writes the file through a temporary file and rename, creates directories as needed, mode 0600.
 * errors: same layout as the model, NULL: none. The numbers read back exactly. ARGUMENT for
 * numbers that hy_tuning_load() would refuse; SYSTEM: it cannot be written, and the old file is
 * unchanged. */
int hy_tuning_store(const char *path, const hy_model *model, const hy_model *errors);

#endif
