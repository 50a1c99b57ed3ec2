// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

/**
 * A graph that cannot be run (a cycle, an input nobody makes, an output made twice), or a task that
 * failed, of whatever rank. On the rank of the task the cause is what it threw.
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
     * Whose task failed.
     *
     * @return a rank, or -1: none has run
     */
    public int rank() {
        return rank;
    }

    /**
     * Which task failed.
     *
     * @return its name, or null: none has run
     */
    public String task() {
        return task;
    }
}
