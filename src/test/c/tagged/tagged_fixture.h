/* SPDX-License-Identifier: Apache-2.0 */
/* A rank with two communicators for messages with tags. */
#ifndef HY_TAGGED_FIXTURE_H
#define HY_TAGGED_FIXTURE_H

#include "fmpl/scenario.h"
#include "tagged/tagged.h"

#define MOST 300000
#define COMMS 2

static hy_tags *tags;
static hy_tagged *comms[COMMS];

static const uint64_t sizes[] = {8, 48, 49, 100, 216, 217, 1000, 4096, 4097, 20000, 100000};

static hy_buffer at(void *memory)
{
    return (hy_buffer){.address = memory};
}

static void wait_one(uint64_t request, hy_tag_status *status)
{
    if (request) CHECK_OK(hy_tag_wait(tags, request, status));
}

static int tagged_main(int argc, char **argv)
{
    start_ranks(1);
    CHECK_OK(hy_tags_open(&tags, hy_process_comms()));
    for (int i = 0; i < COMMS; i++) CHECK_OK(hy_tagged_open(tags, FMPL_COMM_WORLD, &comms[i]));
    int rc = scenarios_run(argc, argv);
    barrier();
    hy_tags_close(tags);
    hy_tags_free(tags);
    end_ranks();
    return rc;
}

#endif
