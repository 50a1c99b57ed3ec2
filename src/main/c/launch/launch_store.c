/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job of several nodes without a launcher of the cluster: `hayate run` is called once on each
 * node and only starts and watches its ranks, which find each other by a store. See
 * io.hayate.internal.store.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "launch/launch.h"

#define STORE_RANKS 65536

/* Options for which the launcher has to know all ranks, or to have their memory. */
static const char *launch_store_excluded(const hy_launch_options *options)
{
    return options->pvas                 ? "--pvas"
           : options->delegate           ? "--delegate"
           : options->delegate_core >= 0 ? "--delegate-core"
           : options->blacs              ? "--blacs"
                                         : NULL;
}

static int launch_store_check(const hy_launch_options *options)
{
    if (!options->store || !options->nodes || options->node < 0)
        return hy_launch_refuse("--nodes, --node, --store and --secret describe a job of "
                                "several nodes: give --nodes, --node and --store");
    if (options->node >= options->nodes)
        return hy_launch_refuse("--node %d of --nodes %d: expected 0 to %d", options->node,
                                options->nodes, options->nodes - 1);
    if ((long)options->nodes * options->ranks > STORE_RANKS)
        return hy_launch_refuse("--nodes %d with -n %d: expected at most %d ranks", options->nodes,
                                options->ranks, STORE_RANKS);
    if (launch_store_excluded(options))
        return hy_launch_refuse("%s does not work with --store", launch_store_excluded(options));
    if (options->secret || hy_setting_text(HY_SET(STORE_SECRET))) return 0;
    return hy_launch_refuse(
        "--store needs the secret of the job: make one by\n"
        "  (umask 077; head -c 32 /dev/urandom | base64 > FILE)\n"
        "copy it to all nodes, and give --secret FILE (or HAYATE_STORE_SECRET)");
}

/* This launcher is the innermost one. */
static int launch_store_export(const hy_launch_options *options)
{
    static const char *const outer[] = {"HAYATE_BOOT_FD", "PMI_FD", "PMI_PORT", "PMIX_NAMESPACE"};
    char heap[24];
    snprintf(heap, sizeof heap, "%llu", (unsigned long long)options->heap_bytes);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) unsetenv(outer[i]);
    if (setenv("HAYATE_STORE", options->store, 1) == 0 &&
        (!options->secret || setenv("HAYATE_STORE_SECRET", options->secret, 1) == 0) &&
        (!options->heap_bytes || setenv("HAYATE_HEAP", heap, 1) == 0))
        return 0;
    return hy_launch_refuse("--store: %s", strerror(errno));
}

int hy_launch_store_decide(const hy_launch_options *options)
{
    if (!options->store && !options->nodes && options->node < 0 && !options->secret) return 0;
    return launch_store_check(options) ? -1 : launch_store_export(options);
}

void hy_launch_store_number(hy_launch *job)
{
    job->size = job->options.nodes * job->options.ranks;
    job->first = job->options.node * job->options.ranks;
}
