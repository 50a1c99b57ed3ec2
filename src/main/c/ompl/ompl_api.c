/* SPDX-License-Identifier: Apache-2.0 */
/* The C functions of hayate/ompl.h, on the one global space of a C program. */
#include "init/join.h"
#include "ompl/ompl.h"

static hy_ompl *_Atomic current;

static const hy_flag switched = {.value = 1};

static hy_ompl *ompl_of_process(void)
{
    hy_ompl *ompl = hy_load_acquire(&current);
    if (hy_unlikely(!ompl)) hy_fail(HAYATE_ERR_STATE, "no global space: call ompl_init() first");
    return ompl;
}

static int missing(const char *what)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s is null", what);
}

static hy_buffer native(const void *memory)
{
    return (hy_buffer){.address = (uint8_t *)(uintptr_t)memory};
}

static hy_flag flag_of(const ompl_flag_t *value)
{
    hy_flag flag = switched;
    if (value) memcpy(&flag, value, sizeof *value);
    return flag;
}

int ompl_init(size_t bytes)
{
    return ompl_init_endpoints(bytes, OMPL_PER_THREAD);
}

int ompl_init_endpoints(size_t bytes, int endpoints)
{
    hy_ompl *ompl = hy_load_acquire(&current);
    hy_job *job = hy_process_job();
    if (!job) return HAYATE_ERR_STATE;
    if (ompl && !hy_load_relaxed(&ompl->closed) && !hy_load_relaxed(&job->closed))
        return hy_fail(HAYATE_ERR_STATE,
                       "the global space is already open: call ompl_init() only once");
    hy_ompl *opened = NULL;
    int rc = hy_ompl_open(&opened, job, bytes, endpoints);
    if (rc) return rc;
    opened->previous = ompl;
    hy_store_release(&current, opened);
    return HAYATE_OK;
}

/* As with the job, memory that other threads may still use stays allocated. */
int ompl_finalize(void)
{
    hy_ompl *ompl = ompl_of_process();
    if (!ompl) return HAYATE_ERR_STATE;
    hy_ompl_close(ompl);
    return HAYATE_OK;
}

void *ompl_memory(void)
{
    const hy_ompl *ompl = ompl_of_process();
    return ompl && !hy_ompl_check(ompl, ompl->rank, 0, 0, 1) ? ompl->memory : NULL;
}

int ompl_size(size_t *bytes)
{
    const hy_ompl *ompl = ompl_of_process();
    if (!ompl) return HAYATE_ERR_STATE;
    if (!bytes) return missing("bytes");
    *bytes = ompl->bytes;
    return hy_ompl_check(ompl, ompl->rank, 0, 0, 1);
}

int ompl_endpoints(int *count)
{
    const hy_ompl *ompl = ompl_of_process();
    if (!ompl) return HAYATE_ERR_STATE;
    if (!count) return missing("count");
    *count = ompl->endpoints->count;
    return hy_ompl_check(ompl, ompl->rank, 0, 0, 1);
}

/* ---- data ---- */

int ompl_put(const void *src, int target, uint64_t dest, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer from = native(src);
    return hy_likely(ompl) ? hy_ompl_put(ompl, &from, target, dest, length) : HAYATE_ERR_STATE;
}

int ompl_get(void *to, int target, uint64_t from, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer buffer = native(to);
    return hy_likely(ompl) ? hy_ompl_get(ompl, &buffer, target, from, length) : HAYATE_ERR_STATE;
}

int ompl_put_start(const void *src, int target, uint64_t dest, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer from = native(src);
    return ompl ? hy_ompl_put_start(ompl, &from, target, dest, length) : HAYATE_ERR_STATE;
}

int ompl_get_start(void *to, int target, uint64_t from, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer buffer = native(to);
    return ompl ? hy_ompl_get_start(ompl, &buffer, target, from, length) : HAYATE_ERR_STATE;
}

/* Pieces in an array of the program. */
typedef struct listed {
    hy_pieces pieces;
    const ompl_piece_t *list;
} listed;

static hy_piece piece_at(const hy_pieces *pieces, size_t index)
{
    const ompl_piece_t *piece = &((const listed *)pieces)->list[index];
    return (hy_piece){native(piece->local), piece->remote, piece->length};
}

static int vector(int target, const ompl_piece_t *list, size_t count,
                  int (*move)(hy_ompl *, int, const hy_pieces *))
{
    hy_ompl *ompl = ompl_of_process();
    const listed pieces = {{piece_at, count}, list};
    if (!ompl) return HAYATE_ERR_STATE;
    if (count && !list)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%zu pieces, but the list is null", count);
    return move(ompl, target, &pieces.pieces);
}

int ompl_put_vector(int target, const ompl_piece_t *pieces, size_t count)
{
    return vector(target, pieces, count, hy_ompl_put_vector);
}

int ompl_get_vector(int target, const ompl_piece_t *pieces, size_t count)
{
    return vector(target, pieces, count, hy_ompl_get_vector);
}

int ompl_flush(int target)
{
    hy_ompl *ompl = ompl_of_process();
    if (!ompl) return HAYATE_ERR_STATE;
    int rc = hy_ompl_check(ompl, target, 0, 0, 1); /* -1 is not a valid target here */
    return rc ? rc : hy_ompl_flush(ompl, target);
}

int ompl_flush_all(void)
{
    hy_ompl *ompl = ompl_of_process();
    return ompl ? hy_ompl_flush(ompl, -1) : HAYATE_ERR_STATE;
}

/* ---- flags ---- */

int ompl_put_word(int target, uint64_t flag)
{
    hy_ompl *ompl = ompl_of_process();
    return hy_likely(ompl) ? hy_ompl_put_flag(ompl, target, flag, &switched) : HAYATE_ERR_STATE;
}

int ompl_put_flag(int target, uint64_t flag, const ompl_flag_t *value)
{
    hy_ompl *ompl = ompl_of_process();
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    if (hy_unlikely(!value)) return missing("value");
    const hy_flag written = flag_of(value);
    return hy_ompl_put_flag(ompl, target, flag, &written);
}

int ompl_put_signal(const void *src, int target, uint64_t dest, size_t length, uint64_t flag,
                    const ompl_flag_t *value)
{
    hy_ompl *ompl = ompl_of_process();
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    const hy_buffer from = native(src);
    const hy_flag written = flag_of(value);
    return hy_ompl_put_signal(ompl, &from, target, dest, length, flag, &written);
}

int ompl_clear(uint64_t word)
{
    hy_ompl *ompl = ompl_of_process();
    return ompl ? hy_ompl_clear(ompl, word) : HAYATE_ERR_STATE;
}

int ompl_wait_until(uint64_t word, ompl_comparison_t comparison, uint64_t value, int64_t timeout_us,
                    unsigned how, uint64_t *seen)
{
    hy_ompl *ompl = ompl_of_process();
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    uint64_t unused;
    const hy_watch watch = {
        .at = word, .value = value, .comparison = comparison, .how = how, .timeout_us = timeout_us};
    return hy_ompl_watch(ompl, &watch, seen ? seen : &unused);
}

int ompl_wait(uint64_t word)
{
    return ompl_wait_until(word, OMPL_NE, 0, OMPL_FOREVER, 0, NULL);
}

int ompl_poll(uint64_t word)
{
    int rc = ompl_wait_until(word, OMPL_NE, 0, 0, 0, NULL);
    return rc < 0 ? rc : rc == HAYATE_OK;
}

int ompl_load(uint64_t word, uint64_t *value)
{
    if (hy_unlikely(!value)) return missing("value");
    int rc = ompl_wait_until(word, OMPL_NE, 0, 0, 0, value);
    return rc < 0 ? rc : HAYATE_OK;
}

/* ---- atomics ---- */

static int atomic(int target, uint64_t word, hy_atomic what, uint64_t operand, uint64_t expected,
                  uint64_t *before)
{
    hy_ompl *ompl = ompl_of_process();
    uint64_t unused;
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    return hy_ompl_atomic(ompl, target, word, what, operand, expected, before ? before : &unused);
}

int ompl_fetch(int target, uint64_t word, uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_FETCH, 0, 0, before);
}

int ompl_fetch_add(int target, uint64_t word, uint64_t operand, uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_ADD, operand, 0, before);
}

int ompl_fetch_and(int target, uint64_t word, uint64_t operand, uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_AND, operand, 0, before);
}

int ompl_fetch_or(int target, uint64_t word, uint64_t operand, uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_OR, operand, 0, before);
}

int ompl_swap(int target, uint64_t word, uint64_t operand, uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_SWAP, operand, 0, before);
}

int ompl_compare_swap(int target, uint64_t word, uint64_t expected, uint64_t desired,
                      uint64_t *before)
{
    return atomic(target, word, HY_ATOMIC_COMPARE_SWAP, desired, expected, before);
}

/* ---- accumulates ---- */

/* More than any space has, if it overflows. */
static uint64_t bytes_of(size_t count, uint32_t unit)
{
    return count <= UINT64_MAX / unit ? (uint64_t)count * unit : UINT64_MAX;
}

static int accumulate(const void *src, void *before, int target, uint64_t dest, size_t count,
                      fmpl_op_t op)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_reduction *reduction = hy_ompl_reduction(op);
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    if (hy_unlikely(!reduction)) return HAYATE_ERR_ARGUMENT;
    const hy_buffer from = native(src), old = native(before);
    return hy_ompl_accumulate(ompl, &from, before ? &old : NULL, target, dest,
                              bytes_of(count, reduction->unit), op);
}

int ompl_accumulate(const void *src, int target, uint64_t dest, size_t count, fmpl_op_t op)
{
    return accumulate(src, NULL, target, dest, count, op);
}

int ompl_get_accumulate(const void *src, void *before, int target, uint64_t dest, size_t count,
                        fmpl_op_t op)
{
    if (hy_unlikely(!before && count)) return missing("before");
    return accumulate(src, before, target, dest, count, op);
}

int ompl_fetch_and_op(const void *operand, void *before, int target, uint64_t dest, fmpl_op_t op)
{
    return accumulate(operand, before, target, dest, 1, op);
}

int ompl_compare_and_swap(const void *expected, const void *desired, void *before, int target,
                          uint64_t dest, size_t bytes)
{
    hy_ompl *ompl = ompl_of_process();
    if (hy_unlikely(!ompl)) return HAYATE_ERR_STATE;
    if (hy_unlikely(!expected)) return missing("expected");
    if (hy_unlikely(!desired)) return missing("desired");
    if (hy_unlikely(!before)) return missing("before");
    return hy_ompl_compare_and_swap(ompl, target, dest, bytes <= 8 ? (uint32_t)bytes : 0, expected,
                                    desired, before);
}

int ompl_put_atomic(const void *src, int target, uint64_t dest, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer from = native(src);
    return ompl ? hy_ompl_exchange(ompl, &from, NULL, target, dest, length) : HAYATE_ERR_STATE;
}

int ompl_get_atomic(void *to, int target, uint64_t from, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer old = native(to);
    return ompl ? hy_ompl_exchange(ompl, NULL, &old, target, from, length) : HAYATE_ERR_STATE;
}

int ompl_exchange(const void *src, void *before, int target, uint64_t dest, size_t length)
{
    hy_ompl *ompl = ompl_of_process();
    const hy_buffer from = native(src), old = native(before);
    return ompl ? hy_ompl_exchange(ompl, &from, &old, target, dest, length) : HAYATE_ERR_STATE;
}
