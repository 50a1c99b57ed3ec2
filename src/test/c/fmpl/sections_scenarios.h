/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of sections: in a ring, between sections and plain buffers, counted, refused. */
#ifndef HY_TEST_SECTIONS_SCENARIOS_H
#define HY_TEST_SECTIONS_SCENARIOS_H

#include "fmpl/point_fixture.h"
#include "init/join.h"

/* A section that begins with `block` bytes of each `stride`. */
static fmpl_section_t section_of(uint8_t *memory, uint64_t block, uint64_t stride, uint64_t bytes)
{
    return (fmpl_section_t){memory, block, stride, bytes / block};
}

static void fill_section(const fmpl_section_t *section, uint64_t seed)
{
    uint64_t bytes = section->block * section->count;
    uint8_t *packed = malloc(bytes + 1);
    fill(packed, bytes, seed);
    for (uint64_t i = 0; i < section->count; i++)
        memcpy((uint8_t *)section->address + i * section->stride, packed + i * section->block,
               section->block);
    free(packed);
}

/* Also whether the gaps are as they were: all 0xee. */
static bool section_holds(const fmpl_section_t *section, uint64_t seed)
{
    uint64_t bytes = section->block * section->count;
    uint8_t *packed = malloc(bytes + 1);
    bool gaps = true;
    for (uint64_t i = 0; i < section->count; i++) {
        const uint8_t *block = (uint8_t *)section->address + i * section->stride;
        memcpy(packed + i * section->block, block, section->block);
        gaps = gaps && all_are(block + section->block, section->stride - section->block, 0xee);
    }
    bool same = holds(packed, bytes, seed);
    free(packed);
    return same && gaps;
}

/* Around the ring, with another division into blocks on the two sides. */
static void pass_on_section(bool out_heap, bool in_heap, uint64_t bytes, uint64_t out_block,
                            uint64_t in_block)
{
    uint64_t out_stride = 2 * out_block, in_stride = in_block + 24;
    uint8_t *out = memory_of(out_heap, bytes / out_block * out_stride),
            *in = memory_of(in_heap, bytes / in_block * in_stride);
    const fmpl_section_t from = section_of(out, out_block, out_stride, bytes),
                         to = section_of(in, in_block, in_stride, bytes);
    int ier = 1;
    fill_section(&from, bytes + (uint64_t)rank);
    for (int late = 0; late < 2; late++) { /* the send comes first, or the receive */
        fmpl_request_t sends = 0, receives = 0;
        size_t received = 0;
        memset(in, 0xee, bytes / in_block * in_stride);
        if (late) fmpl_isend_section(&from, right(), 3, &sends, &ier);
        else fmpl_irecv_section(&to, left(), 3, &receives, &ier);
        CHECK_OK(ier);
        if (late) fmpl_recv_section(&to, left(), 3, &received, &ier);
        else fmpl_send_section(&from, right(), 3, &ier);
        CHECK_OK(ier);
        CHECK(!late || received == bytes);
        wait_ok(&sends);
        wait_ok(&receives);
        CHECK(section_holds(&to, bytes + (uint64_t)left()));
    }
    memory_free(out_heap, out);
    memory_free(in_heap, in);
}

SCENARIO(should_carry_sections)
{
    static const uint64_t sizes[] = {0, 48, 96, 4032, 4128, 65568, 600000};
    static const uint64_t blocks[] = {1, 8, 48, 3, 2400};
    for (int kind = 0; kind < 4; kind += is_light() ? 3 : 1) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
                uint64_t other = blocks[(b + i) % 5];
                if (sizes[i] % blocks[b] || sizes[i] % other) continue;
                pass_on_section(kind & 1, kind & 2, sizes[i], blocks[b], other);
            }
        }
    }
}

SCENARIO(should_carry_between_a_section_and_a_plain_buffer)
{
    static const uint64_t sizes[] = {48, 4128, 600000};
    for (int kind = 0; kind < 12; kind++) {
        uint64_t bytes = sizes[kind / 4];
        bool strided_heap = kind & 1, plain_heap = kind & 2;
        uint8_t *plain = memory_of(plain_heap, bytes), *matrix = memory_of(strided_heap, 2 * bytes);
        const fmpl_section_t section = section_of(matrix, 24, 48, bytes);
        int ier = 1;
        fill(plain, bytes, (uint64_t)rank);
        memset(matrix, 0xee, 2 * bytes);
        fmpl_request_t request = isend_ok(plain, bytes, right(), 4);
        CALL_OK(fmpl_recv_section(&section, left(), 4, NULL, &ier));
        wait_ok(&request);
        CHECK(section_holds(&section, (uint64_t)left()));
        fmpl_isend_section(&section, left(), 4, &request, &ier); /* back again */
        CHECK_OK(ier);
        memset(plain, 0, bytes);
        recv_ok(plain, bytes, bytes, right(), 4);
        wait_ok(&request);
        CHECK(holds(plain, bytes, (uint64_t)rank));
        memory_free(plain_heap, plain);
        memory_free(strided_heap, matrix);
    }
}

static uint64_t counted(hy_counter counter)
{
    return hy_counter_sum(hy_process_job()->counters, counter);
}

/* From matrix to matrix: by loads and stores, and through no stage. */
SCENARIO(should_copy_a_section_of_the_heap_once)
{
    uint64_t once = counted(HY_COUNT_HEAP) + counted(HY_COUNT_DIRECT),
             twice = counted(HY_COUNT_PIPELINE) + counted(HY_COUNT_EAGER);
    pass_on_section(true, true, 600000, 48, 2400);
    if (hy_ep_is_far(hy_job_ep(hy_process_job(), right())) || !way_is("auto")) return;
    CHECK(counted(HY_COUNT_HEAP) + counted(HY_COUNT_DIRECT) == once + 2);
    CHECK(counted(HY_COUNT_PIPELINE) + counted(HY_COUNT_EAGER) == twice);
}

SCENARIO(should_refuse_bad_sections)
{
    uint8_t memory[64];
    const fmpl_section_t bad[] = {{memory, 9, 8, 2},
                                  {NULL, 8, 8, 2},
                                  {memory, (size_t)INT32_MAX + 1, SIZE_MAX, 1},
                                  {memory, 8, 8, (size_t)INT32_MAX + 1},
                                  {memory, 8, SIZE_MAX / 2, 4}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int ier = 1;
        fmpl_request_t request = FMPL_REQUEST_NULL;
        CALL_CODE(fmpl_send_section(&bad[i], right(), 5, &ier), HAYATE_ERR_ARGUMENT);
        CALL_CODE(fmpl_irecv_section(&bad[i], left(), 5, &request, &ier), HAYATE_ERR_ARGUMENT);
    }
    int ier = 1;
    CALL_CODE(fmpl_send_section(NULL, right(), 5, &ier), HAYATE_ERR_ARGUMENT);
}

/* ---- oneself ---- */

#endif
