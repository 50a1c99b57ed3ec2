/* SPDX-License-Identifier: Apache-2.0 */
/* The segment of a test, which drop_segment() takes away behind it. */
#ifndef HY_TEST_SEGMENT_FIXTURE_H
#define HY_TEST_SEGMENT_FIXTURE_H

#include <sys/mman.h>
#include <unistd.h>

#include "base/status.h"
#include "base/test.h"
#include "boot/boot.h"
#include "boot/segment.h"

static int fd = -1;
static uint64_t bytes;
static hy_control *control; /* NULL: it is not mapped */

static inline void map_segment(uint32_t ranks)
{
    assert_ok(hy_segment_map(fd, ranks, bytes, &control));
}

static inline void make_segment(int ranks, uint64_t heap)
{
    assert_ok(hy_segment_create(ranks, heap, &fd, &bytes));
    map_segment((uint32_t)ranks);
}

static inline int drop_segment(void **state)
{
    (void)state;
    if (control) munmap(control, bytes);
    if (fd >= 0) close(fd);
    control = NULL;
    fd = -1;
    return 0;
}

#endif
