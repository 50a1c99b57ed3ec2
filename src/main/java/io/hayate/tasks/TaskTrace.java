// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

/**
 * When a task ran, in nanoseconds of its machine's clock ({@link System#nanoTime}).
 *
 * @param rank whose task
 * @param task its name
 * @param waited the task whose output came last; "": it needed none
 * @param waitedRank whose task that was, or -1
 * @param ready when all its inputs were there
 * @param start when a thread took it
 * @param end when its outputs were on their way
 */
public record TaskTrace(int rank, String task, String waited, int waitedRank, long ready,
        long start, long end) {
}
