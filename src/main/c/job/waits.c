/* SPDX-License-Identifier: Apache-2.0 */
/* The table of waits: a sequence lock for each entry, whose owner is the only writer. */
#include "job/waits.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/printable.h"
#include "job/counters.h"

#define TRIES 100 /* of a reader */

/* The bytes that the waiting call fills in. */
#define OF_CALL (offsetof(hy_awaited, stripe))

static bool waits_take(hy_waits_entry *entry)
{
    uint32_t free = 0;
    return atomic_compare_exchange_strong_explicit(&entry->looks, &free, 1, memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static void waits_load(const hy_waits_entry *entry, hy_awaited *awaited)
{
    uint64_t words[HY_WAITS_WORDS];
    for (size_t i = 0; i < HY_WAITS_WORDS; i++) words[i] = hy_load_relaxed(&entry->words[i]);
    memcpy(awaited, words, sizeof *awaited);
}

/* The words are stored after the odd number, and before the even one. */
static void waits_store(hy_waits_entry *entry, const hy_awaited *awaited)
{
    uint64_t words[HY_WAITS_WORDS];
    uint32_t sequence = hy_load_relaxed(&entry->sequence) | 1;
    memcpy(words, awaited, sizeof *awaited);
    hy_store_relaxed(&entry->sequence, sequence);
    atomic_thread_fence(memory_order_release);
    for (size_t i = 0; i < HY_WAITS_WORDS; i++) hy_store_relaxed(&entry->words[i], words[i]);
    hy_store_release(&entry->sequence, sequence + 1);
}

static void name_thread(hy_awaited *awaited)
{
    char name[16] = "";
    int stripe = hy_stripe;
    awaited->stripe = stripe < 0 ? HY_AWAITED_NO_STRIPE : (uint8_t)stripe;
    awaited->since_ns = hy_now_ns();
    if (awaited->is_virtual) return; /* the present thread is only its carrier */
    awaited->thread = (uint32_t)syscall(SYS_gettid);
    prctl(PR_GET_NAME, name);
    memcpy(awaited->name, name, sizeof awaited->name);
}

uint8_t hy_waits_begin(hy_waits *waits, hy_awaited *awaited)
{
    name_thread(awaited);
    for (int i = 0; i < HY_WAITS; i++) {
        hy_waits_entry *entry = &waits->entries[i];
        if (hy_load_relaxed(&entry->looks) || !waits_take(entry)) continue;
        waits_store(entry, awaited);
        return (uint8_t)(i + 1);
    }
    return 0;
}

void hy_waits_look(hy_waits *waits, uint8_t told, hy_awaited *awaited)
{
    hy_waits_entry *entry = &waits->entries[told - 1];
    hy_awaited before;
    waits_load(entry, &before);
    bool same = memcmp(&before, awaited, OF_CALL) == 0;
    memcpy((uint8_t *)awaited + OF_CALL, (uint8_t *)&before + OF_CALL, sizeof before - OF_CALL);
    if (!same) {
        awaited->since_ns = hy_now_ns();
        waits_store(entry, awaited);
    }
    uint32_t looks = hy_load_relaxed(&entry->looks) + 1;
    hy_store_release(&entry->looks, looks ? looks : 1);
}

/* A later wait has another sequence number, whatever it is for. */
void hy_waits_end(hy_waits *waits, uint8_t told)
{
    if (told) hy_store_release(&waits->entries[told - 1].looks, 0);
}

/* ---- readers ---- */

/* Acquire order: what was stored before the number that is returned is in the copy. */
static bool copy(const hy_waits_entry *entry, hy_waits_seen *seen)
{
    for (int i = 0; i < TRIES; i++) {
        seen->sequence = hy_load_acquire(&entry->sequence);
        if (seen->sequence & 1) continue;
        waits_load(entry, &seen->awaited);
        seen->looks = hy_load_relaxed(&entry->looks);
        atomic_thread_fence(memory_order_acquire);
        if (hy_load_relaxed(&entry->sequence) == seen->sequence) return true;
    }
    return false;
}

bool hy_waits_read(const hy_waits *waits, int place, int size, hy_waits_seen *seen)
{
    const hy_waits_entry *entry = &waits->entries[place];
    if (!hy_load_acquire(&entry->looks) || !copy(entry, seen) || !seen->looks) return false;
    hy_awaited *awaited = &seen->awaited;
    if (awaited->kind >= HY_AWAITED_KINDS || awaited->peer < -1 || awaited->peer >= size)
        return false;
    hy_make_printable(awaited->name, sizeof awaited->name);
    return true;
}
