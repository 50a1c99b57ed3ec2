/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --tag-output: lines of ranks pass through the launcher, whole and with the rank in front. The
 * launcher never blocks on its own output: a slow reader fills the sink, while the sink is full the
 * ranks' pipes are not read, and so the ranks wait, as they would without the launcher.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/launch.h"

#define SINK_HIGH ((size_t)1 << 20) /* above it, the pipes are not read */
#define LINE_HIGH ((size_t)1 << 20) /* longer lines are cut into lines of this length */
#define READ_BYTES ((size_t)65536)
/* What a pipe accepts without blocking when it reports POLLOUT. */
#define WRITE_BYTES ((size_t)4096)

void hy_launch_stdio_open(hy_launch *job)
{
    for (int i = 0; i < 2; i++) {
        struct stat status;
        bool plain = fstat(i + 1, &status) == 0 && S_ISREG(status.st_mode);
        job->sinks[i] = (hy_launch_sink){.fd = i + 1, .plain = plain};
    }
}

static void *launch_stdio_reserve(char **data, size_t *room, size_t used, size_t more)
{
    if (*room - used < more) {
        *room = used + more > 2 * *room ? used + more : 2 * *room;
        *data = hy_launch_grow(*data, *room);
    }
    return *data + used;
}

static void put_line(hy_launch_sink *sink, int number, const char *text, size_t length)
{
    char tag[16];
    size_t tag_length = (size_t)snprintf(tag, sizeof tag, "[%d] ", number);
    if (sink->fd < 0) return;
    char *to = launch_stdio_reserve(&sink->data, &sink->room, sink->used, tag_length + length + 1);
    memcpy(to, tag, tag_length);
    memcpy(to + tag_length, text, length);
    to[tag_length + length] = '\n';
    sink->used += tag_length + length + 1;
}

/* Moves whole lines to the sink; with `all`, also an unfinished last line. The last `fresh` bytes
 * are new. */
static void put_lines(hy_launch *job, int index, bool all, size_t fresh)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    hy_launch_sink *sink = &job->sinks[index & 1];
    int number = hy_launch_number(job, index >> 1);
    size_t start = 0, searched = stream->used - fresh;
    char *end;
    while ((end = memchr(stream->data + searched, '\n', stream->used - searched))) {
        size_t line_end = (size_t)(end - stream->data);
        put_line(sink, number, stream->data + start, line_end - start);
        start = searched = line_end + 1;
    }
    size_t rest = stream->used - start;
    if (rest && (all || rest >= LINE_HIGH)) {
        put_line(sink, number, stream->data + start, rest);
        rest = 0;
    }
    if (rest) memmove(stream->data, stream->data + stream->used - rest, rest);
    stream->used = rest;
}

static void close_stream(hy_launch *job, int index)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    if (stream->fd < 0) return;
    if (stream->used) put_lines(job, index, true, 0);
    close(stream->fd);
    free(stream->data);
    *stream = (hy_launch_stream){.fd = -1};
}

/* index: twice the rank, plus 1 for stderr. True if there may be more. */
static bool read_once(hy_launch *job, int index)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    if (stream->fd < 0) return false;
    char *to = launch_stdio_reserve(&stream->data, &stream->room, stream->used, READ_BYTES);
    ssize_t length = read(stream->fd, to, READ_BYTES);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (length <= 0) {
        close_stream(job, index);
        return false;
    }
    stream->used += (size_t)length;
    put_lines(job, index, false, (size_t)length);
    return true;
}

static void read_stream(hy_launch *job, int index)
{
    read_once(job, index);
}

/* Writes nothing more to this descriptor, so that what was written is the beginning of the output
 * and not arbitrary parts of it. If the reader has gone, ranks get SIGPIPE, as without the
 * launcher; other errors do not concern the ranks: they continue, and their output is dropped. */
static void break_sink(hy_launch *job, int index, int error)
{
    bool reader_gone = error == EPIPE;
    job->sinks[index].used = 0;
    job->sinks[index].fd = -1;
    fprintf(stderr, "hayate: cannot write to %s: %s; %s\n", index ? "stderr" : "stdout",
            strerror(error),
            reader_gone ? "ranks that write to it get SIGPIPE" : "output of ranks to it is lost");
    if (!job->output_code) job->output_code = reader_gone ? 128 + SIGPIPE : 1;
    if (!reader_gone) return;
    job->forwarded |= UINT32_C(1) << SIGPIPE; /* has been explained already */
    for (int rank = 0; rank < job->options.ranks; rank++) close_stream(job, 2 * rank + index);
}

static void write_sink(hy_launch *job, int index)
{
    hy_launch_sink *sink = &job->sinks[index];
    struct pollfd ready = {.fd = sink->fd, .events = POLLOUT};
    size_t done = 0;
    while (done < sink->used && (sink->plain || poll(&ready, 1, 0) > 0)) {
        size_t length = sink->used - done;
        if (!sink->plain && length > WRITE_BYTES) length = WRITE_BYTES;
        ssize_t written = write(sink->fd, sink->data + done, length);
        if (written < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (written < 0) {
            break_sink(job, index, errno);
            return;
        }
        done += (size_t)written;
    }
    sink->used -= done;
    if (sink->used) memmove(sink->data, sink->data + done, sink->used);
}

void hy_launch_stdio_watch(hy_launch *job)
{
    for (int i = 0; i < 2; i++)
        if (job->sinks[i].used) hy_launch_watch(job, job->sinks[i].fd, POLLOUT, write_sink, i);
    for (int i = 0; i < 2 * job->options.ranks; i++)
        if (job->sinks[i & 1].used < SINK_HIGH)
            hy_launch_watch(job, job->ranks[i >> 1].streams[i & 1].fd, POLLIN, read_stream, i);
}

void hy_launch_stdio_finish(hy_launch *job)
{
    for (int i = 0; i < 2 * job->options.ranks; i++) {
        while (read_once(job, i)) continue;
        close_stream(job, i);
    }
}

bool hy_launch_stdio_pending(const hy_launch *job)
{
    return job->sinks[0].used || job->sinks[1].used;
}
