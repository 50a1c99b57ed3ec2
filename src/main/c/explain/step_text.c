/* SPDX-License-Identifier: Apache-2.0 */
/* Describes steps of a schedule in words. */
#include "explain/step_text.h"

#include <inttypes.h>
#include <stdio.h>

static const char *region_name(uint8_t region)
{
    static const char *const names[HY_REGIONS] = {"nothing", "IN", "OUT", "TMP", "BOX"};
    return region < HY_REGIONS ? names[region] : "?";
}

static int signal_text(const hy_step *s, char *text, size_t size)
{
    if (s->flags & HY_STEP_EXPOSE)
        return snprintf(text, size, "SIGNAL rank %d: may use %s", s->peer, region_name(s->local));
    if (s->len > 0)
        return snprintf(text, size, "SIGNAL rank %d with %" PRIu64 " B from %s+%" PRIu64, s->peer,
                        s->len, region_name(s->local), s->local_off);
    return snprintf(text, size, "SIGNAL rank %d", s->peer);
}

static int wait_text(const hy_step *s, char *text, size_t size)
{
    if (s->flags & HY_STEP_EXPOSE)
        return snprintf(text, size, "WAIT rank %d: its %s may be used", s->peer,
                        region_name(s->remote));
    if (s->len > 0)
        return snprintf(text, size, "WAIT rank %d with %" PRIu64 " B %s %s+%" PRIu64, s->peer,
                        s->len, s->flags & HY_STEP_FOLD ? "reduced into" : "to",
                        region_name(s->local), s->local_off);
    return snprintf(text, size, "WAIT rank %d", s->peer);
}

static int move_text(const hy_step *s, const char *verb, const char *to, char *text, size_t size)
{
    return snprintf(text, size, "%s %" PRIu64 " B from rank %d %s+%" PRIu64 " %s %s+%" PRIu64, verb,
                    s->len, s->peer, region_name(s->remote), s->remote_off, to,
                    region_name(s->local), s->local_off);
}

int hy_step_text(const hy_step *s, char *text, size_t size)
{
    switch (s->kind) {
    case HY_STEP_SIGNAL: return signal_text(s, text, size);
    case HY_STEP_WAIT: return wait_text(s, text, size);
    case HY_STEP_PUT:
        return snprintf(text, size, "PUT %" PRIu64 " B from %s+%" PRIu64 " to rank %d %s+%" PRIu64,
                        s->len, region_name(s->local), s->local_off, s->peer,
                        region_name(s->remote), s->remote_off);
    case HY_STEP_GET: return move_text(s, "GET", "to", text, size);
    case HY_STEP_COPY:
        return snprintf(text, size, "COPY %" PRIu64 " B from %s+%" PRIu64 " to %s+%" PRIu64, s->len,
                        region_name(s->remote), s->remote_off, region_name(s->local), s->local_off);
    case HY_STEP_REDUCE: return move_text(s, "REDUCE", "into", text, size);
    default: return snprintf(text, size, "unknown step %u", s->kind);
    }
}
