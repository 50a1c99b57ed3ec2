// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import io.hayate.Hayate;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Closes the job of a task when the task ends, or when Spark has marked it as killed: nobody else
 * tells a thread that waits in an operation.
 */
final class TaskLife implements TaskCompletionListener {
    private static final long LOOK_MILLISECONDS = 250;

    private final Hayate job;
    private final CountDownLatch ended = new CountDownLatch(1);

    private TaskLife(Hayate job) {
        this.job = job;
    }

    /** Returns the job. */
    static Hayate bind(Hayate job, TaskContext task) {
        TaskLife life = new TaskLife(job);
        task.addTaskCompletionListener(life);
        Thread watcher = new Thread(() -> life.watch(task),
                "hayate-task-" + task.taskAttemptId());
        watcher.setDaemon(true);
        watcher.start();
        return job;
    }

    @Override
    public void onTaskCompletion(TaskContext task) {
        ended.countDown();
        job.close();
    }

    private void watch(TaskContext task) {
        try {
            while (!ended.await(LOOK_MILLISECONDS, TimeUnit.MILLISECONDS)) {
                if (task.isInterrupted()) {
                    job.close();
                    return;
                }
            }
        } catch (InterruptedException stop) {
            job.close();
        }
    }
}
