/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of ranks pass through the launcher, so that they come out whole (--output line), or also
 * with the rank in front (tag). The launcher never blocks on its own output: a slow reader fills
 * the sink, while the sink is full the ranks' pipes are not read, and so the ranks wait, as they
 * would without the launcher.
 *
 * A line that has begun is held until its end. Three things pass on its beginning: its length, the
 * end of the rank, and, on a terminal, a pause, because the rank may ask something. If another rank
 * goes on, that line is ended first.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "launch/launch.h"

#define SINK_HIGH ((size_t)1 << 20) /* above it, the pipes are not read */
#define LINE_HIGH ((size_t)1 << 20) /* longer lines are passed on in pieces */
#define PAUSE_NS UINT64_C(100000000)
#define READ_BYTES ((size_t)65536)
/* What a pipe accepts without blocking when it reports POLLOUT. */
#define WRITE_BYTES ((size_t)4096)

/* With many ranks, the pipes may need more descriptors than the process may have. */
static bool has_room_for_pipes(const hy_launch *job)
{
    struct rlimit limit;
    rlim_t needed = 5 * (rlim_t)job->options.ranks + 100;
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= needed;
}

void hy_launch_stdio_open(hy_launch *job)
{
    struct stat status[2] = {{.st_ino = 0}, {.st_ino = 0}};
    for (int i = 0; i < 2; i++) {
        bool plain = fstat(i + 1, &status[i]) == 0 && S_ISREG(status[i].st_mode);
        job->sinks[i] = (hy_launch_sink){
            .fd = i + 1, .plain = plain, .terminal = isatty(i + 1), .open = -1};
    }
    job->one_pipe = status[0].st_ino == status[1].st_ino && status[0].st_dev == status[1].st_dev;
    if (job->options.output == HY_OUTPUT_AUTO)
        job->options.output = job->options.ranks > 1 && has_room_for_pipes(job) ? HY_OUTPUT_LINE
                                                                                : HY_OUTPUT_DIRECT;
}

static int open_pipe(hy_launch_stream *stream, int *child_end)
{
    int pipe_ends[2];
    if (pipe2(pipe_ends, O_CLOEXEC) != 0) return -1;
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK); /* only the launcher's end */
    stream->fd = pipe_ends[0];
    *child_end = pipe_ends[1];
    return 0;
}

/* If stdout and stderr are the same file, they share a pipe: the order of what a rank writes to
 * both is kept. */
int hy_launch_stdio_pipes(hy_launch *job, int index, hy_launch_ends *ends)
{
    hy_launch_rank *rank = &job->ranks[index];
    if (job->options.output == HY_OUTPUT_DIRECT) return 0;
    if (open_pipe(&rank->streams[0], &ends->out[0]) != 0) return -1;
    if (!job->one_pipe) return open_pipe(&rank->streams[1], &ends->out[1]);
    ends->out[1] = fcntl(ends->out[0], F_DUPFD_CLOEXEC, 0);
    return ends->out[1] < 0 ? -1 : 0;
}

static void *launch_stdio_reserve(char **data, size_t *room, size_t used, size_t more)
{
    if (*room - used < more) {
        *room = used + more > 2 * *room ? used + more : 2 * *room;
        *data = hy_launch_grow(*data, *room);
    }
    return *data + used;
}

static void put(hy_launch_sink *sink, const char *text, size_t length)
{
    if (!length) return; /* there may be no memory yet */
    memcpy(launch_stdio_reserve(&sink->data, &sink->room, sink->used, length), text, length);
    sink->used += length;
}

/* A piece of a line, or its end. index: twice the rank, plus 1 for stderr. */
static void put_piece(hy_launch *job, int index, const char *text, size_t length, bool ends)
{
    char tag[16];
    hy_launch_sink *sink = &job->sinks[index & 1];
    if (sink->fd < 0) return;
    if (sink->open >= 0 && sink->open != index) put(sink, "\n", 1);
    if (sink->open != index && job->options.output == HY_OUTPUT_TAG)
        put(sink, tag,
            (size_t)snprintf(tag, sizeof tag, "[%d] ", hy_launch_number(job, index >> 1)));
    put(sink, text, length);
    if (ends) put(sink, "\n", 1);
    sink->open = ends ? -1 : index;
}

/* Passes on the beginning of a line. With --output line no byte is added to the output of a rank
 * unless another one goes on, so that a rank can also write other data than text. */
static void put_beginning(hy_launch *job, int index, bool ends)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    put_piece(job, index, stream->data, stream->used, ends && job->options.output == HY_OUTPUT_TAG);
    stream->used = 0;
}

/* Moves whole lines to the sink. The last `fresh` bytes are new. */
static void put_lines(hy_launch *job, int index, size_t fresh)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    size_t start = 0, searched = stream->used - fresh;
    char *end;
    while ((end = memchr(stream->data + searched, '\n', stream->used - searched))) {
        size_t line_end = (size_t)(end - stream->data);
        put_piece(job, index, stream->data + start, line_end - start, true);
        start = searched = line_end + 1;
    }
    stream->used -= start;
    if (start && stream->used) memmove(stream->data, stream->data + start, stream->used);
    if (stream->used >= LINE_HIGH) put_beginning(job, index, true);
    stream->since = hy_now_ns();
}

static void close_stream(hy_launch *job, int index)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    if (stream->fd < 0) return;
    if (stream->used) put_beginning(job, index, true);
    close(stream->fd);
    free(stream->data);
    *stream = (hy_launch_stream){.fd = -1};
}

/* Most streams have no unfinished line, and need no memory. */
static void trim(hy_launch_stream *stream)
{
    if (stream->used) return;
    free(stream->data);
    stream->data = NULL;
    stream->room = 0;
}

/* Returns how much was read. */
static size_t read_once(hy_launch *job, int index)
{
    hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    if (stream->fd < 0) return 0;
    char *to = launch_stdio_reserve(&stream->data, &stream->room, stream->used, READ_BYTES);
    ssize_t length = read(stream->fd, to, READ_BYTES);
    if (length < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (length <= 0) {
        close_stream(job, index);
        return 0;
    }
    stream->used += (size_t)length;
    put_lines(job, index, (size_t)length);
    trim(stream);
    return (size_t)length;
}

/* Reads what the pipe contains now, not what a process goes on writing. */
static void read_present(hy_launch *job, int index)
{
    int present;
    int fd = job->ranks[index >> 1].streams[index & 1].fd;
    if (fd < 0 || ioctl(fd, FIONREAD, &present) != 0) return;
    for (size_t left = (size_t)present, length; left > 0; left -= length < left ? length : left)
        if (!(length = read_once(job, index))) return;
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
        read_present(job, i);
        close_stream(job, i);
    }
}

/* Reads and writes what a rank has written before its end, so that it comes before what the
 * launcher says about that. */
void hy_launch_stdio_catch_up(hy_launch *job, int rank)
{
    for (int i = 0; i < 2; i++) {
        read_present(job, 2 * rank + i);
        if (job->sinks[i].used) write_sink(job, i);
    }
}

/* When the beginning of a line is due; UINT64_MAX: there is none. */
static uint64_t due(const hy_launch *job, int index)
{
    const hy_launch_stream *stream = &job->ranks[index >> 1].streams[index & 1];
    return stream->used && job->sinks[index & 1].terminal ? stream->since + PAUSE_NS : UINT64_MAX;
}

uint64_t hy_launch_stdio_due(const hy_launch *job)
{
    uint64_t first = UINT64_MAX;
    for (int i = 0; i < 2 * job->options.ranks; i++)
        if (due(job, i) < first) first = due(job, i);
    return first;
}

void hy_launch_stdio_advance(hy_launch *job)
{
    if (!job->sinks[0].terminal && !job->sinks[1].terminal) return;
    uint64_t now = hy_now_ns();
    for (int i = 0; i < 2 * job->options.ranks; i++)
        if (due(job, i) <= now) put_beginning(job, i, false);
}

size_t hy_launch_stdio_pending(const hy_launch *job)
{
    return job->sinks[0].used + job->sinks[1].used;
}
