/* SPDX-License-Identifier: Apache-2.0 */
/* Waits and cycles in words. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "watchdog/awaited.h"
#include "watchdog/look.h"

typedef struct words {
    char *text;
    size_t room, used;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(w->text + w->used, w->room - w->used, format, arguments);
    va_end(arguments);
    size_t left = w->room - w->used - 1;
    w->used += length < 0 ? 0 : (size_t)length < left ? (size_t)length : left;
}

static words begin_words(char *text, size_t room)
{
    text[0] = '\0';
    return (words){.text = text, .room = room};
}

static void say_communicator(words *w, const hy_awaited *awaited)
{
    if (awaited->place == 0) say(w, "the world communicator");
    else say(w, "communicator %d", awaited->place);
}

static const char *comparison_of(const hy_awaited *awaited)
{
    static const char *const signs[] = {"==", "!=", ">", ">=", "<", "<="};
    return awaited->what < sizeof signs / sizeof *signs ? signs[awaited->what] : "?";
}

/* By which a message is matched. */
static void say_number(words *w, const hy_awaited *awaited)
{
    bool is_tag = awaited->what == HY_AWAITED_BY_TAG;
    if (awaited->place >= 0) say(w, "%s %d", is_tag ? "tag" : "mai", awaited->place);
    else say(w, "%s", is_tag ? "any tag" : "one of several mais");
}

static void say_operation(words *w, const hy_awaited *awaited)
{
    switch (awaited->kind) {
    case HY_AWAITED_SEND:
    case HY_AWAITED_RECEIVE:
        say(w, "%s with ", awaited->kind == HY_AWAITED_SEND ? "send" : "receive");
        say_number(w, awaited);
        say(w, ", %" PRIu64 " bytes", awaited->bytes);
        return;
    case HY_AWAITED_PROBE:
        say(w, "a message with ");
        say_number(w, awaited);
        say(w, "%s", awaited->peer < 0 ? " from any rank" : "");
        return;
    case HY_AWAITED_REQUESTS: say(w, "one of %" PRIu64 " requests", awaited->number); return;
    case HY_AWAITED_SEND_BUFFER: say(w, "the end of sends in the send buffer"); return;
    case HY_AWAITED_COLLECTIVE:
        say(w, "%s #%" PRIu64 " of ", hy_awaited_collective_of(awaited), awaited->number);
        say_communicator(w, awaited);
        break;
    case HY_AWAITED_PERSISTENT:
        say(w, "run %" PRIu64 " of a persistent %s of ", awaited->number,
            hy_awaited_collective_of(awaited));
        say_communicator(w, awaited);
        break;
    case HY_AWAITED_RECORDS:
        say(w, "set-up on ");
        say_communicator(w, awaited);
        return;
    case HY_AWAITED_WORD:
        say(w, "the word at offset %" PRIu64 " of the global space %s %" PRIu64, awaited->bytes,
            comparison_of(awaited), awaited->number);
        return;
    case HY_AWAITED_TURN: say(w, "the set-up of another thread of this rank"); return;
    case HY_AWAITED_FENCE:
        say(w, awaited->what ? "init" : "collective set-up (an FMPL, a communicator, ...)");
        return;
    case HY_AWAITED_CHOICE:
        say(w, "the choice of an algorithm for %s of ", hy_awaited_collective_of(awaited));
        say_communicator(w, awaited);
        break;
    case HY_AWAITED_NODE: say(w, "set-up between nodes"); return;
    case HY_AWAITED_ACCUMULATE: say(w, "the end of an accumulate into the same part"); return;
    default: say(w, "%s", hy_awaited_kind_name(awaited)); break; /* no wait is for these */
    }
    if (awaited->bytes) say(w, ", %" PRIu64 " bytes", awaited->bytes);
}

/* What the awaited rank does. */
static void say_peer(words *w, const hy_look *look, int peer)
{
    const hy_look_rank *rank = hy_look_rank_of(look, peer);
    say(w, "; rank %d ", peer);
    if (!rank) say(w, "is on another node");
    else if (rank->state == HY_RANK_EXPECTED) say(w, "has not joined");
    else if (rank->state == HY_RANK_LEFT) say(w, "has left");
    else if (rank->state == HY_RANK_STOPPED) say(w, "was stopped");
    else if (rank->state != HY_RANK_JOINED) say(w, "is dead");
    else if (rank->count == 0) say(w, "waits for nothing");
    else {
        const hy_awaited *first = &look->waits[rank->first].seen.awaited;
        say(w, "waits for ");
        if (first->peer >= 0) say(w, "rank %d, ", first->peer);
        say_operation(w, first);
    }
}

/* The ranks of this node that have not come to a fence. */
static void say_missing(words *w, const hy_look *look, uint64_t fence)
{
    int missing = 0, first = -1;
    for (uint32_t i = 0; i < look->rank_count; i++) {
        const hy_look_rank *rank = &look->ranks[i];
        if (hy_look_is_in_fence(look, rank, fence)) continue;
        if (missing++ == 0) first = rank->rank;
    }
    if (missing == 0) return;
    if (missing > 1) say(w, "; %d ranks of this node have not come", missing);
    say_peer(w, look, first);
}

static double seconds_of(const hy_look *look, const hy_awaited *awaited)
{
    return look->now_ns > awaited->since_ns ? (double)(look->now_ns - awaited->since_ns) / 1e9 : 0;
}

void hy_look_print_wait(const hy_look *look, const hy_look_wait *wait, char *text, size_t room)
{
    const hy_awaited *awaited = &wait->seen.awaited;
    words w = begin_words(text, room);
    say(&w, "rank %d, ", wait->rank);
    if (awaited->is_virtual) say(&w, "virtual thread #%" PRIu32, awaited->thread);
    else say(&w, "thread %.*s (%" PRIu32 ")", HY_AWAITED_NAME, awaited->name, awaited->thread);
    say(&w, ": waits for ");
    if (awaited->peer >= 0) say(&w, "rank %d, ", awaited->peer);
    say_operation(&w, awaited);
    say(&w, ", since %.1f s", seconds_of(look, awaited));
    if (awaited->kind == HY_AWAITED_FENCE) say_missing(&w, look, awaited->number);
    else if (awaited->peer >= 0) say_peer(&w, look, awaited->peer);
}

void hy_look_print_cycle(const hy_look *look, int cycle, char *text, size_t room)
{
    bool certain = hy_look_is_certain(look, cycle);
    int at = cycle;
    words w = begin_words(text, room - 100); /* for the end */
    say(&w, certain ? "deadlock: " : "these ranks wait for each other: ");
    do {
        say(&w, "rank %d -> ", look->ranks[at].rank);
        at = look->ranks[at].next;
    } while (at != cycle && w.used + 40 < w.room);
    w.room = room;
    say(&w, "%srank %d", at == cycle ? "" : "... -> ", look->ranks[cycle].rank);
    if (!certain) say(&w, "; a deadlock unless another thread of theirs goes on");
}
