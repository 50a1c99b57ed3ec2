// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

/**
 * When a task ran, in nanoseconds of the clock of its machine ({@link System#nanoTime}).
 *
 * @param rank the rank of the task
 * @param task its name
 * @param waited the task whose output arrived last; "" if it needed none
 * @param waitedRank the rank of that task, or -1
 * @param ready when all its inputs had arrived
 * @param start when a thread started it
 * @param end when its outputs were sent
 */
public record TaskTrace(int rank, String task, String waited, int waitedRank, long ready,
        long start, long end) {
}
