/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the log on their way to a reader in the same process. Any thread puts them, one thread
 * takes them. Bounded: a line that finds no room is refused, and nobody waits for the reader.
 */
#ifndef HY_BASE_LOG_QUEUE_H
#define HY_BASE_LOG_QUEUE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { HY_LOG_TEXT = 940, HY_LOG_QUEUE_LINES = 128 };

typedef struct hy_log_line {
    int level; /* HY_LOG_... */
    char text[HY_LOG_TEXT];
} hy_log_line;

typedef struct hy_log_queue {
    _Atomic pid_t process; /* of the reader; 0: there was none */
    pthread_mutex_t lock;  /* of what follows; a leaf: nothing is called while it is held */
    pthread_cond_t changed;
    bool open;
    bool taken;          /* the reader has the first line, which stays here until it is done */
    uint64_t first, end; /* counts of lines; the index is the count modulo HY_LOG_QUEUE_LINES */
    hy_log_line lines[HY_LOG_QUEUE_LINES];
} hy_log_queue;

#define HY_LOG_QUEUE_INIT \
    { \
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER \
    }

/* From now on lines are taken in. */
void hy_log_queue_open(hy_log_queue *queue);

/* False, and the line is not kept: the queue is full or not open, or this process is a child that
 * fork() made of the reader's. `text` is cut where the line ends. */
bool hy_log_queue_put(hy_log_queue *queue, int level, const char *text);

/* Waits for a line and copies it. It stays in the queue until the next call. False: the queue was
 * closed; lines may be left. */
bool hy_log_queue_take(hy_log_queue *queue, hy_log_line *line);

/* No line is taken in any more, and hy_log_queue_take ends. */
void hy_log_queue_close(hy_log_queue *queue);

/* Removes the first line and copies it, also the one that the reader has. False: there is none, or
 * it is the parent's. */
bool hy_log_queue_remove(hy_log_queue *queue, hy_log_line *line);

#endif
