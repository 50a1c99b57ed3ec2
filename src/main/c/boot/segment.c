/* SPDX-License-Identifier: Apache-2.0 */
/* Creates, checks and maps the memfd of a node: its layout, its seals, and huge pages. */
#include "boot/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot.h"
#include "boot/control_groups.h"
#include "boot/huge_pages.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 8u /* Linux 6.3; some machines allow no memfd without it */
#endif

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)
#define MIB (UINT64_C(1) << 20)
/* Parts beside a delegatee are multiples of this: a huge page is no larger on most machines. */
#define PART_UNIT (2 * MIB)
/* Leaves a process most of its 47 address bits. */
#define SEGMENT_HIGH (UINT64_C(1) << 46)

uint64_t hy_heap_default(int size)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
    uint64_t allowed = hy_memory_allowed("/proc/self/cgroup", "/proc/self/mountinfo");
    if (allowed < memory) memory = allowed;
    uint64_t heap = memory / 2 / (uint64_t)(size > 0 ? size : 1) & ~(MIB - 1);
    return heap < 64 * MIB ? 64 * MIB : heap > HY_HEAP_HIGH ? HY_HEAP_HIGH : heap;
}

uint64_t hy_heap_default_among(int size, int nodes)
{
    const uint64_t most = UINT64_C(1) << 30;
    uint64_t heap = hy_heap_default(size);
    return nodes > 1 && heap > most ? most : heap;
}

static int32_t node_of(const hy_segment_nodes *nodes, int rank)
{
    return nodes->node_of ? nodes->node_of[rank] : nodes->node;
}

static uint32_t count_parts(const hy_segment_nodes *nodes)
{
    uint32_t parts = 0;
    for (int rank = 0; rank < nodes->size; rank++) parts += node_of(nodes, rank) == nodes->node;
    return parts;
}

/* Room for what peers write without action of the rank: 256 KiB per rank, as much as any program
 * uses, and 16 KiB per rank (7 entries of FMPL and communicators) for the ranks beyond the
 * largest node. Only what is used takes memory. */
static uint64_t system_bytes(uint64_t ranks)
{
    uint64_t many = ranks < HY_MAX_PARTS ? ranks : HY_MAX_PARTS;
    return 64 * MIB + many * 256 * 1024 + (ranks - many) * 16 * 1024;
}

/* A container may have fewer than its affinity says: then ranks that spin keep others waiting. */
static uint32_t usable_cpus(void)
{
    uint32_t cpus = (uint32_t)hy_cpus();
    uint64_t allowed = hy_cpus_allowed("/proc/self/cgroup", "/proc/self/mountinfo");
    return allowed < cpus ? (uint32_t)allowed : cpus;
}

static int lay_out(hy_control *header, const hy_segment_nodes *nodes, uint64_t heap_bytes,
                   uint64_t page, bool huge)
{
    int size = nodes->size;
    if (heap_bytes > HY_HEAP_HIGH)
        return hy_fail(HAYATE_ERR_ARGUMENT, "heap of %llu bytes: expected at most %llu",
                       (unsigned long long)heap_bytes, (unsigned long long)HY_HEAP_HIGH);
    uint64_t delegation = nodes->delegation_bytes, unit = delegation ? PART_UNIT : page;
    uint64_t heap = hy_round_up(heap_bytes, unit);
    uint32_t parts = count_parts(nodes);
    uint64_t system = hy_round_up(system_bytes((uint64_t)size), unit);
    hy_layout_rule layout;
    hy_layout_find_rule(&layout, nodes->node_of, (uint32_t)size, (uint32_t)nodes->nodes);
    uint64_t list_end = hy_round_up(
        hy_control_list_at((uint32_t)size, parts) + hy_layout_bytes(&layout), HY_LINE);
    *header = (hy_control){.magic = HY_CONTROL_MAGIC,
                           .abi = HY_ABI,
                           .size = (uint32_t)size,
                           .control_bytes = hy_round_up(list_end + delegation, page),
                           .part_bytes = system + heap,
                           .heap_bytes = heap,
                           .delegation_at = delegation ? list_end : 0,
                           .delegation_bytes = delegation,
                           .cpus = usable_cpus(),
                           .huge = huge ? (uint32_t)(page / 1024) : 0,
                           .parts = parts,
                           .node = nodes->node,
                           .nodes = nodes->nodes,
                           .layout = layout};
    if (getrandom(header->token, sizeof header->token, 0) != sizeof header->token)
        return hy_fail_errno("getrandom");
    if (header->part_bytes > SEGMENT_HIGH / header->parts)
        return hy_fail(HAYATE_ERR_NO_MEMORY,
                       "%u ranks with a heap of %llu MiB each do not fit into one address space; "
                       "ask for a smaller heap (--heap or HAYATE_HEAP)",
                       header->parts, (unsigned long long)(heap / MIB));
    return HAYATE_OK;
}

static uint64_t total_bytes(const hy_control *header)
{
    return header->control_bytes + header->parts * header->part_bytes;
}

static int open_memfd(unsigned flags)
{
    flags |= MFD_CLOEXEC | MFD_ALLOW_SEALING;
    int fd = memfd_create("hayate", flags | MFD_NOEXEC_SEAL);
    return fd < 0 && errno == EINVAL ? memfd_create("hayate", flags) : fd;
}

/* Growing a file beyond RLIMIT_FSIZE raises SIGXFSZ, which would kill the process: check before. */
static int set_size(int fd, uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < bytes)
        return hy_fail(
            HAYATE_ERR_NO_MEMORY,
            "the file size limit (ulimit -f) is below the segment's %llu bytes; raise it "
            "or ask for a smaller heap",
            (unsigned long long)bytes);
    if (ftruncate(fd, (off_t)bytes) != 0)
        return hy_fail_errno("cannot make a segment of %llu bytes", (unsigned long long)bytes);
    if (fcntl(fd, F_ADD_SEALS, SEALS) != 0) return hy_fail_errno("cannot seal the segment");
    return HAYATE_OK;
}

/* The entries of this node's ranks, whose records exist from now on, and the list of the layout. */
static void write_places(hy_control *control, const hy_segment_nodes *nodes)
{
    uint32_t part = 0;
    for (int rank = 0; rank < nodes->size; rank++) {
        if (node_of(nodes, rank) != nodes->node) continue;
        if (part == 0) control->leader = rank;
        hy_control_record(control, rank);
        hy_control_entry_at(control, part++)->rank = (uint32_t)rank;
    }
    if (nodes->node_of)
        hy_layout_write(&control->layout, nodes->node_of,
                        (uint32_t *)(uintptr_t)hy_control_list(control));
}

static int write_header(int fd, const hy_control *header, const hy_segment_nodes *nodes)
{
    void *memory = mmap(NULL, header->control_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return hy_fail_errno("cannot map the segment's control area");
    *(hy_control *)memory = *header;
    write_places(memory, nodes);
    munmap(memory, header->control_bytes);
    return HAYATE_OK;
}

/* Mapping a segment of huge pages once without MAP_NORESERVE reserves its pages for this file as
 * long as it lives, so that no later access can fail with SIGBUS. */
static int segment_reserve(int fd, uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return hy_fail_errno("cannot reserve huge pages");
    munmap(memory, bytes);
    return HAYATE_OK;
}

static int segment_create(const hy_control *header, const hy_segment_nodes *nodes, int *fd)
{
    int memfd = open_memfd(header->huge ? MFD_HUGETLB : 0);
    if (memfd < 0) return hy_fail_errno("memfd_create");
    int rc = set_size(memfd, total_bytes(header));
    if (!rc && header->huge) rc = segment_reserve(memfd, total_bytes(header));
    if (!rc) rc = write_header(memfd, header, nodes);
    if (rc) close(memfd);
    else *fd = memfd;
    return rc;
}

static int create_huge(const hy_segment_nodes *nodes, uint64_t heap_bytes, hy_control *header,
                       int *fd)
{
    uint64_t page = hy_huge_page();
    uint64_t available = page ? hy_huge_available(page) : 0;
    if (!available || nodes->small || (nodes->delegation_bytes && PART_UNIT % page))
        return HAYATE_ERR_UNSUPPORTED;
    int rc = lay_out(header, nodes, heap_bytes, page, true);
    if (rc) return rc;
    return total_bytes(header) / page <= available ? segment_create(header, nodes, fd)
                                                   : HAYATE_ERR_UNSUPPORTED;
}

int hy_segment_create_among(const hy_segment_nodes *nodes, uint64_t heap_bytes, int *fd,
                            uint64_t *bytes)
{
    hy_control header;
    const int most = nodes->node_of ? HY_MAX_RANKS : HY_MAX_PARTS;
    if (nodes->size < 1 || nodes->size > most)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%d ranks: expected 1 to %d", nodes->size, most);
    if (count_parts(nodes) > HY_MAX_PARTS)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%u ranks on one node: expected at most %d",
                       count_parts(nodes), HY_MAX_PARTS);
    if (create_huge(nodes, heap_bytes, &header, fd) != HAYATE_OK) {
        uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
        int rc = lay_out(&header, nodes, heap_bytes, page, false);
        if (!rc) rc = segment_create(&header, nodes, fd);
        if (rc) return rc;
    }
    *bytes = total_bytes(&header);
    return HAYATE_OK;
}

int hy_segment_create(int size, uint64_t heap_bytes, int *fd, uint64_t *segment_bytes)
{
    const hy_segment_nodes one = {.size = size, .nodes = 1};
    return hy_segment_create_among(&one, heap_bytes, fd, segment_bytes);
}

static int check_file(int fd, uint64_t bytes)
{
    struct stat status;
    if (fstat(fd, &status) != 0) return hy_fail_errno("cannot get the size of the segment");
    if (!S_ISREG(status.st_mode) || (uint64_t)status.st_size != bytes)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment has %lld bytes, expected %llu",
                       (long long)status.st_size, (unsigned long long)bytes);
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & SEALS) != SEALS)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment is not sealed against changes of its size");
    return HAYATE_OK;
}

static int check_segment(int fd, uint32_t size, uint64_t bytes, hy_control *header)
{
    int rc = check_file(fd, bytes);
    if (rc) return rc;
    if (pread(fd, header, sizeof *header, 0) != (ssize_t)sizeof *header)
        return hy_fail(HAYATE_ERR_CORRUPT, "the segment is too short for its control header");
    return hy_control_verify(header, size, bytes);
}

int hy_segment_keep(void *memory, const hy_control *header)
{
    const hy_control_entry *entries = (const void *)((const uint8_t *)memory +
                                                     hy_control_entries_at(header->size));
    uint32_t ranks[HY_MAX_PARTS];
    if (header->huge) return HAYATE_OK;
    for (uint32_t i = 0; i < header->parts; i++) ranks[i] = entries[i].rank;
    void *own = mmap(memory, HY_CONTROL_LIVE_AT, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (own == MAP_FAILED) return hy_fail_errno("cannot keep a copy of the control header");
    *(hy_control *)own = *header;
    memcpy(hy_control_kept(own), ranks, header->parts * sizeof *ranks);
    mprotect(own, HY_CONTROL_LIVE_AT, PROT_READ);
    return HAYATE_OK;
}

/* Takes over the mapping, or undoes it. */
static int segment_finish(void *memory, uint64_t bytes, const hy_control *header,
                          hy_control **control)
{
    int rc = hy_segment_keep(memory, header);
    if (rc) munmap(memory, bytes);
    else *control = memory;
    return rc;
}

int hy_segment_map(int fd, uint32_t size, uint64_t bytes, hy_control **control)
{
    hy_control header;
    int rc = check_segment(fd, size, bytes, &header);
    if (rc) return rc;
    int flags = MAP_SHARED | (header.huge ? 0 : MAP_NORESERVE);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, fd, 0);
    if (memory == MAP_FAILED)
        return hy_fail(
            HAYATE_ERR_NO_MEMORY,
            "cannot map the segment of %llu MiB (errno %d); raise ulimit -v or ask for a "
            "smaller heap (--heap or HAYATE_HEAP)",
            (unsigned long long)(bytes / MIB), errno);
    rc = segment_finish(memory, bytes, &header, control);
    /* Excluded from core dumps: the kernel would fill all untouched pages, which takes seconds
     * and gigabytes. */
    if (!rc) madvise(memory, bytes, MADV_DONTDUMP);
    return rc;
}

int hy_segment_borrow(int fd, uint32_t size, uint64_t bytes, uint64_t address, hy_control **control)
{
    int rc = check_file(fd, bytes);
    if (rc) return rc;
    if (!address || address % 4096)
        return hy_fail(HAYATE_ERR_CORRUPT, "the launcher gave %#llx as the address of the segment",
                       (unsigned long long)address);
    hy_control *header = (hy_control *)(uintptr_t)address;
    rc = hy_control_verify(header, size, bytes);
    if (!rc) *control = header;
    return rc;
}

int hy_segment_map_control(int fd, uint32_t size, uint64_t bytes, hy_control **control)
{
    hy_control header;
    int rc = check_segment(fd, size, bytes, &header);
    if (rc) return rc;
    void *memory = mmap(NULL, header.control_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (memory == MAP_FAILED) return hy_fail_errno("cannot map the segment's control area");
    return segment_finish(memory, header.control_bytes, &header, control);
}
