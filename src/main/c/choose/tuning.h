/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tuning file of this machine (base/conf.h), written by `hayate tune`: the machine, and each
 * term of the model in ns (bandwidth in bytes per ns, cached in bytes). A curve has 8 numbers;
 * comments tell when the terms were measured, and how exactly.
 *   machine = AMD EPYC 7B13, 2 CPUs, Linux 6.1
 *   # error 0.4
 *   signal = 12.3
 *   ...
 *   copy = 8 40 350 3000 24000 100000 350000 1800000
 *   tcp_latency = 15000
 * A job on several nodes uses the file of rank 0's node. The file is HAYATE_TUNING, else
 * $XDG_CACHE_HOME/hayate/tuning-<machine>.conf, else ~/.cache/hayate/...; <machine> stands for
 * processor, number of CPUs and kernel, so that one home directory can serve many machines.
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

/* Reads a file. ARGUMENT with file, line and what was expected (every number finite, not negative,
 * below a second; a bandwidth above 0; every term once, and no other; the machine is this one):
 * *model is then the default. SYSTEM: it cannot be read. */
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
