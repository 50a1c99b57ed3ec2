/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells: fixed places for the short signals of collectives between members of a group that share a
 * node. A channel says with each message which one it is, and what was received; here both sides
 * know that from the schedule, so that a signal is its payload and one word.
 *
 * Each member has an area in its part: a head, which it writes and the others read, and for each
 * member lines and places for payloads, which that one writes:
 *
 *    head | lines of member 0 | of member 1 | .. | places of member 0 | of member 1 | .. | boxes
 *
 * The lines of a member are HY_CELLS_LINES times one for each turn, its places one for each turn.
 *
 * Collective n of the group uses turn n % HY_CELLS_DEPTH. The k-th signal from one member to
 * another in it takes line k. A payload of up to HY_CELLS_SHORT bytes is in the line and the one
 * behind it, which processors fetch together, a longer one in the turn's place for payloads. What
 * does not fit there takes the channel: both sides find that out from the schedule alone
 * (exec/places.h).
 *
 *    head of a line   63                          24 23                0
 *                     |  n                         | mark                |
 *
 * The mark is a hash of what the members must pass alike in this collective and in all before:
 * other marks mean that they did not, even if nobody waited for what one of them has sent. Nothing
 * but heads is ever written where heads are, so that no payload is taken for one; numbers repeat
 * after 2^40 collectives.
 *
 * Boxes are for data that the owner writes once and the others read. They exist if all members have
 * areas of each other; the owner says with a signal when there is something to read. A collective
 * that fetches takes the next 1, 2, 4 or 8 of them, round and round, on all members the same. The
 * owner writes into one again when those that were to read it have completed that collective
 * (exec/exec.h), which is at least HY_CELLS_TOLD before.
 *
 * Reuse: a member writes in collective n only when the other one has completed n - HY_CELLS_DEPTH.
 * It knows that from a signal of the other one in a later collective, or reads the other one's
 * head, into which each member writes after every HY_CELLS_TOLD collectives: the line is not on the
 * way between two cores all the time. It then rings the bells of those that may wait for that.
 * Nobody waits for ever: a member that is behind all others may write, because these have told of
 * all but the last HY_CELLS_TOLD collectives.
 */
#ifndef HY_WIRE_CELLS_H
#define HY_WIRE_CELLS_H

#include "wire/group.h"

/* How far a member may be ahead: on shared cores, how many collectives each turn of the scheduler
 * completes. */
#define HY_CELLS_DEPTH 32
#define HY_CELLS_TOLD 4 /* a member reports this number of completed collectives at once */
#define HY_CELLS_LINES 4
#define HY_CELLS_SHORT (HY_SLOT_STRIDE - offsetof(hy_slot, payload))
/* The most bytes of payload behind the lines, for each turn of a row. Less in larger groups, so
 * that an area has at most HY_CELLS_MOST bytes; none in groups for which not even the lines fit. */
#define HY_CELLS_PAYLOAD 2048
#define HY_CELLS_MOST (UINT64_C(1024) << 10)
#define HY_CELLS_BOX 2048
#define HY_CELLS_BOXES 32

typedef struct hy_cells_head {
    /* The head that the lines of the last completed collective have whose number is a multiple of
     * HY_CELLS_TOLD: its number, and what the members must have passed alike up to there. */
    HY_ALIGNED _Atomic uint64_t completed;
    /* By turn: the lower half of the number of a collective << 32 | its cookie, for who finds
     * another mark than its own. */
    HY_ALIGNED _Atomic uint64_t calls[HY_CELLS_DEPTH];
} hy_cells_head;

/* What this rank has with another member; all NULL: no cells. */
typedef struct hy_cells_row {
    uint8_t *out, *out_places; /* lines and places in that member's area, written here */
    uint8_t *in, *in_places;   /* that member's in our area */
    const hy_cells_head *head;
    hy_bell *bell;
    uint64_t boxes; /* offset in that member's part */
    uint64_t known; /* collectives that it has completed, as far as is known here */
} hy_cells_row;

typedef struct hy_cells {
    hy_cells_head *own; /* NULL: none in this group */
    hy_cells_row *rows; /* [group.size]; NULL: none */
    uint64_t payload;   /* bytes of a turn */
    uint8_t *boxes;     /* own; NULL: none in this group */
} hy_cells;

/* Bytes of an area that is enough for any group of at most `ranks`; those at its beginning that
 * must be 0. */
uint64_t hy_cells_bytes(uint64_t ranks);
uint64_t hy_cells_cleared(uint64_t ranks);

/* Memory that lasts until hy_cells_close(). CORRUPT, NO_MEMORY. The group is open. */
int hy_cells_open(hy_cells *cells, const hy_group *group);
void hy_cells_close(hy_cells *cells);

static inline uint64_t hy_cells_head_of(uint64_t number, uint32_t mark)
{
    return number << 24 | (mark & 0xffffff);
}

static inline hy_slot *hy_cells_line(uint8_t *lines, uint32_t line, uint64_t number)
{
    uint64_t at = line * HY_CELLS_DEPTH + number % HY_CELLS_DEPTH;
    return (hy_slot *)(void *)(lines + at * HY_SLOT_STRIDE);
}

#define HY_CELLS_LINES_BYTES (HY_CELLS_LINES * HY_CELLS_DEPTH * HY_SLOT_STRIDE)

/* The turn's place for payloads. */
static inline uint8_t *hy_cells_place(const hy_cells *cells, uint8_t *places, uint64_t number)
{
    return places + number % HY_CELLS_DEPTH * cells->payload;
}

/* The first box of a collective that takes `units`, after the one before has taken those up to
 * `next`: `units`, a power of two, begin at a multiple of it. */
static inline uint32_t hy_cells_next_box(uint32_t next, uint32_t units)
{
    return ((next + units - 1) & ~(units - 1)) % HY_CELLS_BOXES;
}

static inline uint64_t hy_cells_number(uint64_t head)
{
    return head >> 24;
}

/* Looks at how far that member is; returns the head that it tells. */
static inline uint64_t hy_cells_look(hy_cells_row *row)
{
    /* acquire: it has read what was there before */
    uint64_t head = hy_load_acquire(&row->head->completed);
    row->known = hy_cells_number(head);
    return head;
}

/* Whether it is time to look, long before this rank must not write there any more: the load, which
 * misses, then delays nothing. */
static inline bool hy_cells_may_write(const hy_cells_row *row, uint64_t number)
{
    return number <= row->known + HY_CELLS_DEPTH / 2;
}

/* A signal of this collective has come from that member: it has completed those before. */
static inline void hy_cells_completed_before(hy_cells_row *row, uint64_t number)
{
    if (row->known + 1 < number) row->known = number - 1;
}

#endif
