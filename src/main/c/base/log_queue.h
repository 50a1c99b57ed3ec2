/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of log lines for a reader in the same process. Any thread puts lines, one thread
 * takes them. The queue is bounded: a line that does not fit is refused, and no thread waits for
 * the reader. */
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
    _Atomic pid_t process; /* of the reader; 0: no reader so far */
    pthread_mutex_t lock;  /* of the following; a leaf: nothing is called while it is held */
    pthread_cond_t changed;
    bool open;
    bool taken;          /* the reader has the first line, which stays here until it is processed */
    uint64_t first, end; /* counts of lines; the index is the count modulo HY_LOG_QUEUE_LINES */
    hy_log_line lines[HY_LOG_QUEUE_LINES];
} hy_log_queue;

#define HY_LOG_QUEUE_INIT \
    { \
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER \
    }

/* From now on, lines are accepted. */
void hy_log_queue_open(hy_log_queue *queue);

/* False if the line is not kept: the queue is full or not open, or this process is a child of
 * the reader's process by fork(). A text that is too long is cut. */
bool hy_log_queue_put(hy_log_queue *queue, int level, const char *text);

/* Waits for a line and copies it. It stays in the queue until the next call. False: the queue
 * was closed; lines may be left in it. */
bool hy_log_queue_take(hy_log_queue *queue, hy_log_line *line);

/* No more lines are accepted, and hy_log_queue_take() ends. */
void hy_log_queue_close(hy_log_queue *queue);

/* Removes the first line and copies it, even if the reader has it. False: the queue is empty, or
 * belongs to the parent. */
bool hy_log_queue_remove(hy_log_queue *queue, hy_log_line *line);

#endif
