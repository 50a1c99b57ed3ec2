/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the file of a flight recorder, checks what is in it, and sorts the operations. */
#include "observe/flight_view.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"
#include "base/status.h"

#define MOST (HY_STRIPES * HY_FLIGHT_RECORDS)

/* A record as it is in a copy of the file. */
typedef struct copied {
    uint64_t number, start_ns, outcome, words[HY_FLIGHT_WORDS];
} copied;

_Static_assert(sizeof(copied) == sizeof(hy_flight_record), "the same record");

/* ---- the file ---- */

static int refuse_file(const char *path, const char *why)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s: expected the file of a flight recorder", path,
                   why);
}

/* O_NONBLOCK: a pipe must not keep us waiting. */
static int open_file(const char *path, int *fd)
{
    struct stat info;
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (*fd < 0 && errno == ELOOP) return refuse_file(path, "a symbolic link");
    if (*fd < 0) return hy_fail(HAYATE_ERR_SYSTEM, "cannot open %s: %s", path, strerror(errno));
    if (fstat(*fd, &info) != 0) return hy_fail_errno("fstat");
    if (!S_ISREG(info.st_mode)) return refuse_file(path, "not a regular file");
    if (info.st_uid != geteuid() && geteuid() != 0)
        return refuse_file(path, "it belongs to another user");
    return HAYATE_OK;
}

/* The length that was read, which is less at the end of the file; -1: an error. */
static ssize_t copy_file(int fd, uint8_t *copy)
{
    size_t done = 0;
    while (done < HY_FLIGHT_BYTES) {
        ssize_t n = pread(fd, copy + done, HY_FLIGHT_BYTES - done, (off_t)done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return -1;
        if (n == 0) break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static int check_layout(const char *path, const hy_flight_header *header)
{
    if (header->version != HY_FLIGHT_VERSION)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "%s is of version %u: expected %u: use the hayate command of the Hayate "
                       "that wrote it",
                       path, header->version, HY_FLIGHT_VERSION);
    if (header->header_bytes != HY_FLIGHT_HEADER || header->rings != HY_STRIPES ||
        header->records != HY_FLIGHT_RECORDS || header->record_bytes != sizeof(hy_flight_record) ||
        header->rank < 0 || header->rank >= header->size || header->pid <= 0)
        return hy_fail(HAYATE_ERR_CORRUPT, "%s is damaged: its header has impossible contents",
                       path);
    return HAYATE_OK;
}

static int copy_checked(const char *path, int fd, uint8_t *copy)
{
    ssize_t length = copy_file(fd, copy);
    if (length < 0) return hy_fail(HAYATE_ERR_SYSTEM, "cannot read %s: %s", path, strerror(errno));
    const hy_flight_header *header = (const hy_flight_header *)(const void *)copy;
    if (length < (ssize_t)sizeof *header ||
        memcmp(header->magic, HY_FLIGHT_MAGIC, sizeof header->magic) != 0)
        return refuse_file(path, "its first bytes are other ones");
    int rc = check_layout(path, header);
    if (rc || length == HY_FLIGHT_BYTES) return rc;
    return hy_fail(HAYATE_ERR_CORRUPT, "%s is truncated: it has %zd bytes, expected %zu", path,
                   length, (size_t)HY_FLIGHT_BYTES);
}

/* ---- its contents ---- */

/* The rank has a lock on the file as long as it lives; so may a child of it, after its death. */
static bool lives(const hy_flight_header *header, int fd)
{
    char host[HY_FLIGHT_HOST] = "";
    gethostname(host, sizeof host - 1);
    if (header->left_ns || strncmp(host, header->host, sizeof host) != 0) return false;
    if (flock(fd, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    return kill(header->pid, 0) == 0 || errno == EPERM;
}

/* Whether the record can be shown. */
static bool read_record(const copied *record, const hy_flight_header *header,
                        hy_flight_operation *operation)
{
    hy_flight_outcome outcome;
    memcpy(&outcome, &record->outcome, sizeof outcome);
    memset(operation, 0, sizeof *operation);
    memcpy(&operation->awaited, record->words, sizeof record->words);
    memset(operation->awaited.name, 0, sizeof operation->awaited.name);
    operation->number = record->number;
    operation->start_ns = record->start_ns;
    operation->way = (hy_counter)outcome.way;
    bool runs = outcome.state == HY_FLIGHT_RUNS;
    operation->rc = runs ? HAYATE_OK : -(int)outcome.state;
    operation->took_ns = runs ? -1 : (double)outcome.took_ns;
    if (!runs && !(isfinite(outcome.took_ns) && outcome.took_ns >= 0)) return false;
    return outcome.lap == (uint16_t)(record->number / HY_FLIGHT_RECORDS) &&
           operation->awaited.kind < HY_AWAITED_KINDS && operation->awaited.peer >= -1 &&
           operation->awaited.peer < header->size && outcome.way < HY_COUNTERS;
}

static bool is_same(const copied *first, const copied *second)
{
    return first->number == second->number && first->start_ns == second->start_ns &&
           memcmp(first->words, second->words, sizeof first->words) == 0;
}

static void add_record(hy_flight_view *view, const copied *first, const copied *second,
                       uint32_t place)
{
    hy_flight_operation *operation = &view->operations[view->count];
    if (!second->number || second->number == HY_FLIGHT_BUSY || !is_same(first, second)) return;
    if (second->number % HY_FLIGHT_RECORDS == place &&
        read_record(second, &view->header, operation))
        view->count++;
    else view->damaged++;
}

static void add_ring(hy_flight_view *view, const copied *first, const copied *second)
{
    uint64_t last = 0;
    uint32_t before = view->count;
    for (uint32_t i = 0; i < HY_FLIGHT_RECORDS; i++) add_record(view, first + i, second + i, i);
    for (uint32_t i = before; i < view->count; i++)
        if (view->operations[i].number > last) last = view->operations[i].number;
    view->begun += last;
}

static int by_start(const void *a, const void *b)
{
    const hy_flight_operation *x = a, *y = b;
    if (x->start_ns != y->start_ns) return x->start_ns < y->start_ns ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static uint64_t last_sign(const hy_flight_view *view)
{
    uint64_t last = view->header.seen_ns > view->header.left_ns ? view->header.seen_ns
                                                                : view->header.left_ns;
    for (uint32_t i = 0; i < view->count; i++) {
        const hy_flight_operation *operation = &view->operations[i];
        uint64_t took = operation->took_ns > 0 && operation->took_ns < 1e18
                            ? (uint64_t)operation->took_ns
                            : 0;
        if (operation->start_ns + took > last) last = operation->start_ns + took;
    }
    return last;
}

static void fill_view(hy_flight_view *view, const uint8_t *first, const uint8_t *second, int fd)
{
    memcpy(&view->header, second, sizeof view->header);
    view->header.host[HY_FLIGHT_HOST - 1] = '\0';
    hy_make_printable(view->header.host, HY_FLIGHT_HOST);
    view->lives = lives(&view->header, fd);
    for (uint32_t i = 0; i < HY_STRIPES; i++) {
        size_t at = HY_FLIGHT_HEADER + i * HY_FLIGHT_RING_BYTES;
        add_ring(view, (const copied *)(const void *)(first + at),
                 (const copied *)(const void *)(second + at));
    }
    qsort(view->operations, view->count, sizeof *view->operations, by_start);
    view->seen_ns = view->lives ? hy_now_ns() : last_sign(view);
}

int hy_flight_view_open(const char *path, hy_flight_view **result)
{
    int fd, rc = open_file(path, &fd);
    uint8_t *copies = rc ? NULL : aligned_alloc(HY_LINE, 2 * HY_FLIGHT_BYTES);
    hy_flight_view *view = rc ? NULL
                              : calloc(1, sizeof *view + (MOST + 1) * sizeof *view->operations);
    *result = NULL;
    if (!rc && (!copies || !view)) rc = hy_fail(HAYATE_ERR_NO_MEMORY, "no memory to read %s", path);
    if (!rc) rc = copy_checked(path, fd, copies);
    if (!rc) rc = copy_checked(path, fd, copies + HY_FLIGHT_BYTES);
    if (!rc) fill_view(view, copies, copies + HY_FLIGHT_BYTES, fd);
    if (fd >= 0) close(fd);
    free(copies);
    if (rc) free(view);
    else *result = view;
    return rc;
}

void hy_flight_view_close(hy_flight_view *view)
{
    free(view);
}

const char *hy_flight_way_name(const hy_flight_operation *operation)
{
    return operation->way ? hy_counter_names[operation->way] : NULL;
}
