// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

/**
 * A graph cannot be run (a cycle, an input that no task makes, an output made twice), or a task
 * failed on any rank. On the rank of the failed task, the cause is the exception that it threw.
 */
public final class TaskException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The rank of the task, or -1. */
    private final int rank;
    /** Its name, or null. */
    private final String task;

    TaskException(String reason) {
        this(reason, -1, null, null);
    }

    TaskException(String reason, int rank, String task, Throwable cause) {
        super(reason, cause);
        this.rank = rank;
        this.task = task;
    }

    /**
     * Returns the rank whose task failed.
     *
     * @return a rank, or -1 if no task has run
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns the name of the task that failed.
     *
     * @return the name, or null if no task has run
     */
    public String task() {
        return task;
    }
}
