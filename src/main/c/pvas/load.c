/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Maps each segment from the file, and anonymous memory behind its contents. The bias is chosen so
 * that the alignment of the file is kept.
 */
#include "pvas/load.h"

#if defined(__x86_64__)

#include <errno.h>
#include <sys/mman.h>

#include <hayate/hayate.h>

HY_BARE_TOO static long map(uint64_t start, uint64_t end, int protection, int flags, int fd,
                            uint64_t offset)
{
    long result = hy_sys6(SYS_mmap, start, end - start, (uint64_t)protection,
                          (uint64_t)(MAP_PRIVATE | MAP_FIXED_NOREPLACE | flags), (uint64_t)fd,
                          offset);
    return hy_sys_failed(result) ? result : 0;
}

HY_BARE_TOO static long load_segment(int fd, const hy_elf_segment *segment, hy_loaded *loaded)
{
    uint64_t address = segment->address + loaded->bias, start = hy_page_down(address);
    uint64_t file_end = address + segment->file_bytes;
    uint64_t anonymous = segment->file_bytes ? hy_page_up(file_end) : start;
    uint64_t end = hy_page_up(address + segment->memory_bytes);
    long result = 0;
    if (segment->file_bytes)
        result = map(start, anonymous, segment->protection, 0, fd, hy_page_down(segment->offset));
    if (result) return result;
    /* To the end of the page, not of the segment: malloc starts there. */
    if (segment->file_bytes && segment->memory_bytes > segment->file_bytes &&
        (segment->protection & PROT_WRITE) && anonymous > file_end)
        loaded->tails[loaded->tail_count++] = (hy_range){file_end, anonymous};
    if (end == anonymous) return 0;
    return map(anonymous, end, segment->protection, MAP_ANONYMOUS, -1, 0);
}

HY_BARE_TOO int hy_load_check(long result, const char *what, hy_problem *problem)
{
    if (!hy_sys_failed(result)) return HAYATE_OK;
    if (result != -ENOMEM)
        return hy_problem_note_error(problem, result, "cannot map ", what, NULL, NULL);
    return hy_problem_note(problem, HAYATE_ERR_NO_MEMORY, "no memory to map ", what,
                           ": the limit of the address space (RLIMIT_AS, ulimit -v) or of the "
                           "number of mappings (sysctl vm.max_map_count) is reached",
                           NULL);
}

HY_BARE_TOO int hy_load(int fd, const hy_elf *elf, const char *name, uint64_t at, hy_loaded *loaded,
                        hy_problem *problem)
{
    /* A multiple of the alignment that moves the lowest address to `at`, or behind it by less than
     * the alignment. It may be "negative": unsigned sums wrap around to the right address. */
    loaded->bias = (at - elf->low + elf->alignment - 1) & ~(elf->alignment - 1);
    loaded->end = loaded->bias + elf->high;
    loaded->tail_count = 0;
    for (int i = 0; i < elf->count; i++) {
        int code = hy_load_check(load_segment(fd, &elf->segments[i], loaded), name, problem);
        if (code) return code;
    }
    return HAYATE_OK;
}

#endif
