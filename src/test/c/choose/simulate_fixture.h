/* SPDX-License-Identifier: Apache-2.0 */
/* A machine for tests: every term is another number, every curve one of so many ns a byte. */
#ifndef HY_TEST_SIMULATE_FIXTURE_H
#define HY_TEST_SIMULATE_FIXTURE_H

#include "choose/simulate.h"

#define LINE(ns_) \
    { \
        { \
            64 * (ns_), 512 * (ns_), 4096 * (ns_), 32768 * (ns_), 262144 * (ns_), 1048576 * (ns_), \
                4194304 * (ns_), 16777216 * (ns_) \
        } \
    }

static inline hy_model plain(int cpus)
{
    return (hy_model){
        .signal = 10,
        .flight = 50,
        .take = 20,
        .step = 5,
        .turn = 1000,
        .start = 7,
        .payload_out = LINE(0.5),
        .payload_in = LINE(1.0),
        .copy = LINE(0.25),
        .put = LINE(2.0),
        .get = LINE(3.0),
        .single = LINE(10.0),
        .reduce = LINE(0.75),
        .reduce_get = LINE(4.0),
        .bandwidth = 1e6,
        .cached = UINT64_MAX,
        .cpus = cpus,
    };
}

static const hy_way put_prepared = {.transfer = HY_TRANSFER_PUT,
                                    .buffers = HY_BUFFERS_PREPARED,
                                    .sync = HY_SYNC_COUNTERS,
                                    .arity = 4,
                                    .segment = HY_SEGMENT_NONE};

#endif
