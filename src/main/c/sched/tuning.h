/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tuning file of this machine, JSON written by `hayate tune`:
 *   { "format": 1, "machine": "...", "measured": "2026-11-21T10:00:00Z",
 *     "model": { "signal": {"ns": 12.3, "error": 0.4}, ...,
 *                "copy": {"ns": [..8 numbers..], "error": [..8 numbers..]}, ...,
 *                "bandwidth": {"bytes_per_ns": 9.1, "error": 0.3}, "cached": {"bytes": 1048576},
 *                "tcp_latency": {"ns": 15000}, ... "verbs_byte": {"ns": 0.085} } }
 * Those of networks (latency, overhead, gap, byte of each: hy_net_model) may be missing: defaults.
 * A job on several nodes has the one of rank 0's node.
 * Its place: HAYATE_TUNING, else $XDG_CACHE_HOME/hayate/tuning-<machine>.json, else
 * ~/.cache/hayate/...; <machine> stands for processor, number of CPUs and kernel, so that a home
 * directory may serve many machines.
 */
#ifndef HY_SCHED_TUNING_H
#define HY_SCHED_TUNING_H

#include <stddef.h>

#include "sched/model.h"

/* Where it is, or would be. SYSTEM when there is no home. "none" in HAYATE_TUNING: no file is used,
 * path is "". */
int hy_tuning_path(char *path, size_t size);

/* "AMD EPYC 7B13, 2 CPUs, Linux 6.1" */
void hy_tuning_machine(char *text, size_t size);

/* Reads a file over the defaults. ARGUMENT with file, line, what was expected (every number finite,
 * not negative, below a second; a bandwidth above 0; every term there (but networks') and no other,
 * its error or not; the machine this one): *model is then the default. SYSTEM: it cannot be read.
 */
int hy_tuning_load(const char *path, int cpus, hy_model *model);

/* What every choice is made by: the file's, or the defaults when there is none, or when it is
 * damaged (logged once per process). Read once per process. */
hy_model hy_tuning_model(int cpus);

/* ARGUMENT: a number that no file may have. */
int hy_tuning_check(const hy_model *model);

/* Writes it by a temporary file and rename, directories made as needed, mode 0600. errors: same
 * shape as the model, NULL: none. Reads back exactly. ARGUMENT for numbers that hy_tuning_load()
 * would refuse, SYSTEM: it cannot be written, the file is as before. */
int hy_tuning_store(const char *path, const hy_model *model, const hy_model *errors);

#endif
