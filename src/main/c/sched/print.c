/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

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

/* "bcast linear (get straight counters)" */
static void print_how(FILE *out, const hy_schedule *s)
{
    char way[400];
    fprintf(out, "%s ", hy_coll_name(s->shape.coll));
    if (!s->algorithm) {
        fprintf(out, "(no algorithm)");
        return;
    }
    hy_way_text(s->algorithm, &s->way, way, sizeof way);
    fprintf(out, "%s (%s)", s->algorithm->name, way);
}

static void print_data(FILE *out, const hy_shape *shape)
{
    bool blocks = shape->coll >= HY_COLL_GATHER;
    if (shape->coll == HY_COLL_BARRIER) return;
    if (blocks && shape->uneven)
        fprintf(out, ", uneven blocks, its own %" PRIu64 " B", shape->bytes);
    else fprintf(out, ", %" PRIu64 " B%s", shape->bytes, blocks ? " a block" : "");
    fprintf(out, " in elements of %" PRIu32 " B", shape->unit);
}

static void print_head(FILE *out, const hy_schedule *s)
{
    const hy_shape *shape = &s->shape;
    print_how(out, s);
    fprintf(out, ": rank %d of %d", shape->rank, shape->size);
    if (hy_coll_has_root(shape->coll)) fprintf(out, ", root %d", shape->root);
    print_data(out, shape);
    fprintf(out, ", %" PRIu64 " B of TMP", s->tmp_bytes);
    if (shape->wired) fprintf(out, ", wired, %" PRIu64 " B of BOX", s->box_bytes);
    fprintf(out, ", %" PRIu32 " steps", s->count);
    if (s->first > 0) fprintf(out, " from step %" PRIu64 " on", s->first);
    fputc('\n', out);
}

char *hy_schedule_text(const hy_schedule *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    print_head(out, s);
    for (uint32_t i = 0; i < s->count; i++) {
        char line[160];
        hy_step_text(&s->steps[i], line, sizeof line);
        fprintf(out, "%6" PRIu64 "  %s\n", s->first + i, line);
    }
    int bad = ferror(out);
    if (fclose(out) != 0 || bad) {
        free(text);
        return NULL;
    }
    return text;
}
