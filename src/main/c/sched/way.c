/* SPDX-License-Identifier: Apache-2.0 */
/* Transfer methods: which exist, which an algorithm supports for a shape, and their names. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "sched/parts.h"

#define DEFAULT_ARITY 4
#define MAX_ARITY 64

static const hy_way ways[] = {
    {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_COUNTERS},
    {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_COUNTERS},
    {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_PREPARED, .sync = HY_SYNC_COUNTERS},
    {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_PREPARED, .sync = HY_SYNC_COUNTERS},
    {.transfer = HY_TRANSFER_PUT, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_BARRIER},
    {.transfer = HY_TRANSFER_GET, .buffers = HY_BUFFERS_STRAIGHT, .sync = HY_SYNC_BARRIER},
};

#define WAYS (sizeof ways / sizeof ways[0])

uint32_t hy_way_bit(const hy_way *way)
{
    for (size_t i = 0; i < WAYS; i++) {
        if (ways[i].transfer == way->transfer && ways[i].buffers == way->buffers &&
            ways[i].sync == way->sync)
            return UINT32_C(1) << i;
    }
    return 0;
}

static bool agrees(const hy_way *candidate, const hy_way *hint)
{
    return (!hint->transfer || hint->transfer == candidate->transfer) &&
           (!hint->buffers || hint->buffers == candidate->buffers) &&
           (!hint->sync || hint->sync == candidate->sync);
}

/* A peer could not know where its block lies in the BOX. */
static bool scattered(const hy_shape *shape)
{
    return shape->uneven && (shape->coll == HY_COLL_SCATTER || shape->coll == HY_COLL_ALLTOALL);
}

/* All ranks must get the same result. */
static uint64_t larger_side_of_root(const hy_shape *shape)
{
    hy_shape root = *shape;
    root.rank = shape->root;
    uint64_t in = hy_region_bytes(&root, HY_IN), out = hy_region_bytes(&root, HY_OUT);
    return in > out ? in : out;
}

uint32_t hy_box_units(const hy_shape *shape)
{
    const uint64_t shortest = HY_SCHED_BOX / (HY_SCHED_BOXES / HY_WIRED_DEPTH);
    uint64_t bytes = larger_side_of_root(shape);
    uint32_t units = 1;
    while (units * shortest < bytes && units * shortest < HY_SCHED_BOX) units *= 2;
    return units;
}

static uint32_t possible_if_wired(const hy_shape *shape)
{
    bool too_large = !shape->uneven && larger_side_of_root(shape) > HY_PREPARED_MAX;
    uint32_t possible = HY_WAYS_ALL;
    if (too_large) possible &= ~(uint32_t)(HY_WAY_PUT_PREPARED | HY_WAY_GET_PREPARED);
    if (scattered(shape)) possible &= ~(uint32_t)HY_WAY_GET_PREPARED;
    return possible;
}

static uint32_t possible_if_ordinary(const hy_algorithm *algorithm, const hy_shape *shape)
{
    bool boxed = shape->boxes && !shape->uneven && !(algorithm->traits & HY_TRAIT_LARGE_BOX) &&
                 larger_side_of_root(shape) <= shape->boxes;
    uint32_t possible = HY_WAYS_ALL & ~(uint32_t)HY_WAYS_WIRED;
    return boxed ? possible : possible & ~(uint32_t)HY_WAY_GET_PREPARED;
}

uint32_t hy_way_possible(const hy_algorithm *algorithm, const hy_shape *shape)
{
    uint32_t possible = algorithm->ways;
    possible &= shape->wired ? possible_if_wired(shape) : possible_if_ordinary(algorithm, shape);
    if (shape->unit > HY_SCHED_PAYLOAD && shape->coll != HY_COLL_BARRIER)
        possible &= ~(uint32_t)HY_WAY_PUT_PREPARED;
    return possible;
}

bool hy_way_at(uint32_t index, hy_way *way)
{
    if (index >= WAYS) return false;
    *way = ways[index];
    return true;
}

static const char *const transfers[] = {"auto", "put", "get"};
static const char *const buffers[] = {"auto", "straight", "prepared"};
static const char *const syncs[] = {"auto", "counters", "barrier"};

static void list_ways(uint32_t possible, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < WAYS && used < size; i++) {
        if (!(possible >> i & 1)) continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s %s %s", used ? ", " : "",
                                 transfers[ways[i].transfer], buffers[ways[i].buffers],
                                 syncs[ways[i].sync]);
    }
}

static int check_numbers(const hy_algorithm *algorithm, const hy_shape *shape, const hy_way *way)
{
    if (way->transfer > HY_TRANSFER_GET || way->buffers > HY_BUFFERS_PREPARED ||
        way->sync > HY_SYNC_BARRIER)
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "transfer %u, buffers %u, synchronisation %u: expected 0 (automatic) to 2",
                       way->transfer, way->buffers, way->sync);
    if (way->arity && (way->arity < 2 || way->arity > MAX_ARITY))
        return hy_fail(HAYATE_ERR_ARGUMENT, "arity %u: expected 2 to %d", way->arity, MAX_ARITY);
    bool cuts = way->segment && way->segment != HY_SEGMENT_NONE;
    if (cuts && !(algorithm->traits & HY_TRAIT_SEGMENTS))
        return hy_fail(HAYATE_ERR_ARGUMENT, "%s algorithm %s has no segments; omit the option",
                       hy_coll_name(shape->coll), algorithm->name);
    if (cuts && way->sync == HY_SYNC_BARRIER)
        return hy_fail(HAYATE_ERR_ARGUMENT, "segments need counters, not barriers");
    return HAYATE_OK;
}

int hy_way_complete(const hy_algorithm *algorithm, const hy_shape *shape, hy_way *way)
{
    int rc = check_numbers(algorithm, shape, way);
    if (!rc && (algorithm->traits & HY_TRAIT_PARTS)) rc = hy_parts_complete(shape, way);
    if (rc) return rc;
    uint32_t possible = hy_way_possible(algorithm, shape);
    for (size_t i = 0; i < WAYS; i++) {
        if (!(possible >> i & 1) || !agrees(&ways[i], way)) continue;
        way->transfer = ways[i].transfer;
        way->buffers = ways[i].buffers;
        way->sync = ways[i].sync;
        if (!way->arity) way->arity = DEFAULT_ARITY;
        if (!way->segment) way->segment = HY_SEGMENT_NONE;
        return HAYATE_OK;
    }
    char able[200];
    list_ways(possible, able, sizeof able);
    return hy_fail(
        HAYATE_ERR_ARGUMENT,
        "%s algorithm %s does not support %s transfers, %s buffers, %s synchronisation here; "
        "it supports: %s",
        hy_coll_name(shape->coll), algorithm->name, transfers[way->transfer], buffers[way->buffers],
        syncs[way->sync], able[0] ? able : "nothing");
}

static uint32_t mix(uint32_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(x ^ x >> 32);
}

/* The addresses of algorithms are not hashed: they differ from process to process. */
uint32_t hy_way_hash(const hy_algorithm *algorithm, const hy_way *way)
{
    uint32_t hash = mix((uint32_t)way->arity, way->segment);
    hash = mix(hash, hy_way_bit(way));
    for (const char *name = algorithm->name; *name; name++) hash = mix(hash, (uint8_t)*name);
    for (int level = 0; (algorithm->traits & HY_TRAIT_PARTS) && level < HY_LEVELS; level++) {
        const hy_way part = hy_part_way(&way->parts[level]);
        if (way->parts[level].algorithm)
            hash = mix(hash, hy_way_hash(way->parts[level].algorithm, &part));
    }
    return hash;
}

/* Such as "up binomial get prepared counters; across ring put straight counters". */
static int parts_text(const hy_way *way, char *text, size_t size)
{
    char one[120];
    int used = 0;
    for (int level = 0; level < HY_LEVELS; level++) {
        const hy_part *part = &way->parts[level];
        const hy_way its = hy_part_way(part);
        if (!part->algorithm) continue;
        hy_way_text(part->algorithm, &its, one, sizeof one);
        size_t room = (size_t)used < size ? size - (size_t)used : 0;
        used += snprintf(room ? text + used : NULL, room, "%s%s %s %s", used ? "; " : "",
                         hy_level_name(level), part->algorithm->name, one);
    }
    return used;
}

int hy_way_text(const hy_algorithm *algorithm, const hy_way *way, char *text, size_t size)
{
    if (algorithm->traits & HY_TRAIT_PARTS) return parts_text(way, text, size);
    char arity[16] = "", segment[40] = "";
    if (algorithm->traits & HY_TRAIT_ARITY) snprintf(arity, sizeof arity, " arity %u", way->arity);
    if ((algorithm->traits & HY_TRAIT_SEGMENTS) && way->segment != HY_SEGMENT_NONE)
        snprintf(segment, sizeof segment, " segment %" PRIu64, way->segment);
    return snprintf(text, size, "%s %s %s%s%s", transfers[way->transfer % 3],
                    buffers[way->buffers % 3], syncs[way->sync % 3], arity, segment);
}
