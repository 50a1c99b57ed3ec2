/* SPDX-License-Identifier: Apache-2.0 */
/* A ring buffer with a mutex and a condition variable, safe across fork(). */
#include "base/log_queue.h"

#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

/* Checked before the lock is taken: in a child of fork(), a thread that the child does not have
 * may hold the lock. */
static bool is_of_this_process(hy_log_queue *queue)
{
    pid_t process = atomic_load_explicit(&queue->process, memory_order_acquire);
    return process && process == getpid();
}

static hy_log_line *line_at(hy_log_queue *queue, uint64_t count)
{
    return &queue->lines[count % HY_LOG_QUEUE_LINES];
}

void hy_log_queue_open(hy_log_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->open = true;
    pthread_mutex_unlock(&queue->lock);
    atomic_store_explicit(&queue->process, getpid(), memory_order_release);
}

bool hy_log_queue_put(hy_log_queue *queue, int level, const char *text)
{
    if (!is_of_this_process(queue)) return false;
    pthread_mutex_lock(&queue->lock);
    bool room = queue->open && queue->end - queue->first < HY_LOG_QUEUE_LINES;
    if (room) {
        hy_log_line *line = line_at(queue, queue->end++);
        line->level = level;
        snprintf(line->text, sizeof line->text, "%s", text);
        pthread_cond_signal(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return room;
}

/* Under the lock. */
static void drop_taken(hy_log_queue *queue)
{
    queue->first += queue->taken;
    queue->taken = false;
}

bool hy_log_queue_take(hy_log_queue *queue, hy_log_line *line)
{
    pthread_mutex_lock(&queue->lock);
    drop_taken(queue);
    while (queue->open && queue->first == queue->end)
        pthread_cond_wait(&queue->changed, &queue->lock);
    if (queue->open) {
        *line = *line_at(queue, queue->first);
        queue->taken = true;
    }
    bool taken = queue->taken;
    pthread_mutex_unlock(&queue->lock);
    return taken;
}

void hy_log_queue_close(hy_log_queue *queue)
{
    if (!is_of_this_process(queue)) return;
    pthread_mutex_lock(&queue->lock);
    queue->open = false;
    pthread_cond_broadcast(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

bool hy_log_queue_remove(hy_log_queue *queue, hy_log_line *line)
{
    if (!is_of_this_process(queue)) return false;
    pthread_mutex_lock(&queue->lock);
    bool found = queue->first != queue->end;
    if (found) {
        *line = *line_at(queue, queue->first++);
        queue->taken = false;
    }
    pthread_mutex_unlock(&queue->lock);
    return found;
}
