/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/simulate_pairs.h"

#include <stdlib.h>
#include <string.h>

#define DENSE_RANKS 64
#define FIRST_SLOTS 4096
#define MAX_SLOTS (UINT64_C(1) << 28) /* 12 GiB: more than that is a mistake */
#define MAX_POOL UINT32_MAX

bool hy_sim_pairs_reset(hy_sim_pairs *pairs, int size)
{
    uint64_t ranks = (uint64_t)size;
    pairs->dense = size <= DENSE_RANKS;
    pairs->size = ranks;
    pairs->used = pairs->pooled = 0;
    pairs->slots = pairs->dense ? ranks * ranks : FIRST_SLOTS;
    if (pairs->slots <= pairs->allocated) {
        memset(pairs->table, 0, pairs->slots * sizeof *pairs->table);
        return true;
    }
    free(pairs->table);
    pairs->table = calloc(pairs->slots, sizeof *pairs->table);
    pairs->allocated = pairs->table ? pairs->slots : 0;
    return pairs->table != NULL;
}

void hy_sim_pairs_release(hy_sim_pairs *pairs)
{
    free(pairs->table);
    free(pairs->pool);
    memset(pairs, 0, sizeof *pairs);
}

static hy_sim_pair *place_of(hy_sim_pair *table, uint64_t slots, uint64_t key)
{
    uint64_t hash = key * UINT64_C(0x9e3779b97f4a7c15), i = (hash >> 34) & (slots - 1);
    while (table[i].key && table[i].key != key) i = (i + 1) & (slots - 1);
    return &table[i];
}

static bool grow(hy_sim_pairs *pairs)
{
    uint64_t slots = pairs->slots * 2;
    hy_sim_pair *table = slots <= MAX_SLOTS ? calloc(slots, sizeof *table) : NULL;
    if (!table) return false;
    for (uint64_t i = 0; i < pairs->slots; i++)
        if (pairs->table[i].key) *place_of(table, slots, pairs->table[i].key) = pairs->table[i];
    free(pairs->table);
    pairs->table = table;
    pairs->slots = pairs->allocated = slots;
    return true;
}

hy_sim_pair *hy_sim_pair_of(hy_sim_pairs *pairs, int from, int to)
{
    uint64_t index = (uint64_t)from * pairs->size + (uint64_t)to, key = index + 1;
    if (!pairs->dense && pairs->used * 4 >= pairs->slots * 3 && !grow(pairs)) return NULL;
    hy_sim_pair *pair = pairs->dense ? &pairs->table[index]
                                     : place_of(pairs->table, pairs->slots, key);
    if (pair->key) return pair;
    pair->key = key;
    pair->capacity = HY_SIM_OWN_TIMES;
    pairs->used++;
    return pair;
}

static bool grow_pool(hy_sim_pairs *pairs, uint64_t more)
{
    uint64_t capacity = pairs->pool_capacity ? pairs->pool_capacity : 1024;
    while (capacity < pairs->pooled + more) capacity *= 2;
    if (capacity == pairs->pool_capacity) return true;
    double *pool = capacity <= MAX_POOL ? realloc(pairs->pool, capacity * sizeof *pool) : NULL;
    if (!pool) return false;
    pairs->pool = pool;
    pairs->pool_capacity = capacity;
    return true;
}

bool hy_sim_pair_room(hy_sim_pairs *pairs, hy_sim_pair *pair, uint32_t kept)
{
    if (pair->posted - kept < pair->capacity) return true;
    uint32_t capacity = pair->capacity * 4;
    if (!grow_pool(pairs, capacity)) return false;
    double *times = pairs->pool + pairs->pooled;
    for (uint32_t i = kept; i != pair->posted; i++)
        times[i & (capacity - 1)] = *hy_sim_time(pairs, pair, i);
    pair->chunk = (uint32_t)pairs->pooled;
    pair->capacity = capacity;
    pairs->pooled += capacity;
    return true;
}
